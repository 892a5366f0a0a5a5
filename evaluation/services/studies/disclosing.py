"""Publishing what an open study hides: said before, noted afterwards, and declared by its raters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from evaluation.models import RaterDeclaration, Release, Study, StudyDisclosure, StudyRater
from evaluation.models.disclosure import Knowledge
from evaluation.services.studies.states import NotAllowed, locked
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

CONSEQUENCE = "Their raters are then asked what they know of the results, before their next rating."


class OpenStudies(DomainError):
    """Raters of open studies could look up what is hidden from them."""


def in_words(told: Sequence[Any]) -> list[str]:
    """One line for each study that was found with its `n_unfinished` raters."""
    return [f"“{one.title}”: {_people(one.n_unfinished)} not finished" for one in told]


def refuse_open_studies(told: Sequence[Any], *, way_on: str) -> None:
    """Raises OpenStudies that names them and counts their raters; `way_on` says how to go on all the same."""
    if told:
        lines = "\n".join(f"  {line}" for line in in_words(told))
        raise OpenStudies(
            f"raters of these open studies could look up what is hidden from them:\n{lines}\n"
            f"Close them first, or {way_on}. {CONSEQUENCE}"
        )


def note_disclosure(
    told: Sequence[Any], *, actor: Any, release: Release | None = None, other: Study | None = None
) -> None:
    """Keep on each study, and in the audit trail, what was published while it was open."""
    for study in told:
        StudyDisclosure.objects.create(
            study=study, release=release, other=other, by=actor, n_unfinished=study.n_unfinished
        )
        what = {"release": release.slug} if release else {"study": other.public_id if other else ""}
        record(actor=actor, action="study-disclosed", target=study, details=what | {"unfinished": study.n_unfinished})


@transaction.atomic
def declare(rater: StudyRater, knows: str, *, actor: Any) -> RaterDeclaration:
    """The rater says what they know. Raises NotAllowed for anybody else, DomainError without one of the answers."""
    study = locked(rater.study)
    if rater.user_id is None or rater.user_id != actor.pk or rater.state != StudyRater.State.ACCEPTED:
        raise NotAllowed("Only the rater says what they know.")
    if knows not in Knowledge.values:
        raise DomainError("Choose what you know of the results. All answers are fine.")
    record(actor=actor, action="study-rater-declared", target=study, details={"seat": rater.seat, "knows": knows})
    return RaterDeclaration.objects.create(rater=rater, knows=knows)


def _people(n: int) -> str:
    return f"{n} rater has" if n == 1 else f"{n} raters have"
