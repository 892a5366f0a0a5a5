"""Designs a study: draws its items from runs or a release, and keeps the draw with its frame and its seed."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd
from django.db import transaction

from evaluation.models import Conversation, LanguageModel, Scenario, Study, StudyItem
from evaluation.permissions import manages_studies
from evaluation.selectors.studies.candidates import Source, candidates, fingerprint
from evaluation.services.studies.machine.plans import plan_source
from evaluation.services.studies.states import NotAllowed, WrongState, managed
from evaluation.studies.designs import ByPeople, Design, as_data
from evaluation.studies.draws.drawn import Drawn, DrawnItem
from evaluation.studies.sampling import assign, draw
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


@dataclass(frozen=True)
class Wish:
    """What is to be studied, and how much of it."""

    kind: str
    design: Design
    source: Source
    seed: int
    preset: str = ""


@dataclass(frozen=True)
class Words:
    """What people read of a study."""

    title: str
    instructions: str = ""
    consent_text: str = ""
    reminder_days: int | None = None


@dataclass(frozen=True)
class Access:
    """Who may accept an invitation, and how many people at most; None for no end."""

    has_open_links: bool = False
    most_raters: int | None = None


def drawn_for(wish: Wish) -> Drawn:
    """What would be drawn, and what is short; nothing is kept. Raises DomainError where nothing can be run again."""
    _refuse_what_cannot_run(wish)
    return draw(wish.kind, wish.design, candidates(wish.kind, wish.source), wish.seed)


@transaction.atomic
def design_study(wish: Wish, words: Words, *, actor: Any, access: Access = Access()) -> Study:
    """A new study with its items.

    Raises NotAllowed, or DomainError where there is nothing to draw or, by machine, nothing that can be run again.
    """
    if not manages_studies(actor):
        raise NotAllowed("Only editors and operators design studies.")
    _refuse_what_cannot_run(wish)
    frame = candidates(wish.kind, wish.source)
    drawn = draw(wish.kind, wish.design, frame, wish.seed)
    if not drawn.items:
        raise DomainError(f"There is nothing to draw from {wish.source.words}. {' '.join(drawn.short)}".strip())
    study = _create(wish, words, access, drawn, frame, actor)
    StudyItem.objects.bulk_create(_items(study, drawn, frame))
    record(actor=actor, action="study-designed", target=study, details={"items": len(drawn.items), "seed": wish.seed})
    return study


def _refuse_what_cannot_run(wish: Wish) -> None:
    if not isinstance(wish.design, ByPeople):
        plan_source(wish.source.runs)


@transaction.atomic
def discard(study: Study, *, actor: Any) -> None:
    """Throw a draft away. Raises NotAllowed, or WrongState once it has been opened."""
    fresh = managed(study, actor)
    if fresh.state != Study.State.DRAFT:
        raise WrongState("Only a study that was never opened can be thrown away.")
    record(actor=actor, action="study-discarded", target=fresh)
    fresh.delete()


def _create(wish: Wish, words: Words, access: Access, drawn: Drawn, frame: pd.DataFrame, actor: Any) -> Study:
    source = wish.source
    study = Study.objects.create(
        public_id="st-" + "".join(secrets.choice(_ALPHABET) for _ in range(8)),
        kind=wish.kind,
        preset=wish.preset,
        design=as_data(wish.design),
        seed=wish.seed,
        release=source.release,
        sampling_frame={
            "runs": [run.slug for run in source.runs],
            "release": source.release.slug if source.release else None,
            "candidates": len(frame),
            "sha256": fingerprint(frame),
        },
        drawn=[asdict(stratum) for stratum in drawn.strata],
        short=list(drawn.short),
        **_people(wish, drawn),
        is_public_material=source.is_public,
        created_by=actor,
        **asdict(words),
        **asdict(access),
    )
    study.runs.set(source.runs)
    return study


def _people(wish: Wish, drawn: Drawn) -> dict[str, Any]:
    """How many raters there are to be, and which items each plan holds."""
    if not isinstance(wish.design, ByPeople):
        return {}
    plans = [str(number) for number in range(1, wish.design.raters + 1)]
    shares = assign(drawn.items, plans, wish.design.raters_per_item, wish.seed)
    return {"n_raters": len(plans), "assignment": {plan: list(numbers) for plan, numbers in shares.items()}}


def _items(study: Study, drawn: Drawn, frame: pd.DataFrame) -> list[StudyItem]:
    named = {item.conversation for item in drawn.items if item.conversation}
    conversations = dict(Conversation.objects.filter(public_id__in=named).values_list("public_id", "pk"))
    models = dict(LanguageModel.objects.values_list("slug", "pk"))
    scenarios = {int(item.scenario) for item in drawn.items if item.scenario}
    version_of = dict(Scenario.objects.filter(pk__in=scenarios).values_list("pk", "base__metric_version_id"))
    newest = frame.sort_values("version").drop_duplicates("metric", keep="last").set_index("metric")["version"]

    def made(item: DrawnItem) -> StudyItem:
        scenario = int(item.scenario) if item.scenario else None
        return StudyItem(
            study=study,
            number=item.number,
            unit=item.unit,
            metric_version_id=version_of[scenario] if scenario is not None else int(newest[item.metric]),
            scenario_id=scenario,
            conversation_id=conversations[item.conversation] if item.conversation else None,
            judgment_id=int(item.judgment) if item.judgment else None,
            target_id=models[item.target] if item.target else None,
            stratum=item.stratum,
        )

    return [made(item) for item in drawn.items]
