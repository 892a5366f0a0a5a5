"""What the conditions of a study by machine brought, as the tables that its analysis reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
from django.db.models import Q, QuerySet

from evaluation.models import Conversation, Judgment, Study, StudyAudit
from evaluation.statistics.pass_rates import outcome
from evaluation.statistics.verdicts import majority
from evaluation.studies.kinds import CONVERSATION, KINDS
from evaluation.studies.machine import COVERAGE_COLUMNS, JUDGMENT_COLUMNS

_VERSION = "scenario__base__metric_version"
_OF = (
    f"{_VERSION}__metric__benchmark__slug",
    f"{_VERSION}__metric__slug",
    f"{_VERSION}__polarity",
    "scenario__profile__slug",
    "scenario_id",
    "target__slug",
)
_ENDED = (Conversation.State.FINISHED, Conversation.State.FAILED)


def judgments_frame(study: Study) -> pd.DataFrame:
    """One row a judgment of a saved conversation; where conversations are held anew, one row for each that has ended.

    The verdict on a conversation is the majority of its judgments, None where it failed or the judges are split.
    """
    rows = _judgments(study) if KINDS[study.kind].unit == CONVERSATION else _conversations(study)
    return pd.DataFrame(rows, columns=list(JUDGMENT_COLUMNS), dtype=object)


def coverage_frame(study: Study) -> pd.DataFrame:
    """One row for each anchor of a conversation that the study's auditor read; the newest audit of each counts."""
    newest: dict[int, StudyAudit] = {}
    audits = StudyAudit.objects.filter(conversation__run__condition__study=study, auditor=study.auditor_id)
    for audit in audits.order_by("made_at", "pk"):
        newest[audit.conversation_id] = audit
    facts = {
        row[0]: row[1:]
        for row in Conversation.objects.filter(pk__in=newest).values_list(
            "pk", "run__condition__slug", *_OF[1:3], "scenario_id", "target__slug", "sample"
        )
    }
    rows = [
        (*_as_text(facts[pk]), objective["anchor"], objective["covered"])
        for pk, audit in sorted(newest.items())
        for objective in audit.objectives
    ]
    return pd.DataFrame(rows, columns=list(COVERAGE_COLUMNS), dtype=object)


def _as_text(fact: tuple[Any, ...]) -> tuple[Any, ...]:
    condition, metric, polarity, scenario, target, sample = fact
    return condition, metric, polarity, str(scenario), target, sample


def _judgments(study: Study) -> Iterator[tuple[Any, ...]]:
    """The copies in all conditions bear the name of the conversation that they are copies of."""
    original = {
        (scenario, target): name
        for scenario, target, name in study.items.values_list(
            "scenario_id", "conversation__target__slug", "conversation__public_id"
        )
    }
    values = _own_judgments(study).values_list(
        "conversation__run__condition__slug",
        *(f"conversation__{name}" for name in _OF),
        "repeat",
        "judge__language_model__slug",
        "present",
        "passed",
    )
    for condition, *facts, scenario, target, repeat, judge, present, passed in values:
        yield condition, *facts, str(scenario), target, repeat, original[scenario, target], judge, present, passed


def _conversations(study: Study) -> Iterator[tuple[Any, ...]]:
    votes: dict[int, list[bool | None]] = {}
    for conversation, present in _own_judgments(study).values_list("conversation_id", "present"):
        votes.setdefault(conversation, []).append(present)
    ended = Conversation.objects.filter(run__condition__study=study, state__in=_ENDED)
    # What waits for its judges has no verdict yet, which is not the same as having been left unjudged.
    over = ended.exclude(state=Conversation.State.FINISHED, is_judged=False)
    values = over.order_by("run__condition__number", "pk").values_list(
        "pk", "run__condition__slug", *_OF, "sample", "public_id"
    )
    for pk, condition, *facts, scenario, target, sample, name in values:
        present = majority(votes.get(pk, []))[0]
        yield condition, *facts, str(scenario), target, sample, name, "", present, outcome(present, facts[2])


def _own_judgments(study: Study) -> QuerySet[Judgment]:
    """Those that the plans asked for: judges that somebody added to a run by hand are no part of the study."""
    asked = Q()
    for condition in study.conditions.select_related("run"):
        spec = condition.run.spec
        asked |= Q(
            conversation__run=condition.run,
            judge__language_model__slug__in=spec["judge"],
            repeat__lte=spec["judge_repeats"],
        )
    if not asked:
        return Judgment.objects.none()
    order = ("conversation__run__condition__number", "conversation_id", "judge_id", "repeat")
    return Judgment.objects.filter(asked).order_by(*order)
