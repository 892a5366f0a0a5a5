"""The part of a study's page that is about its runs: what they would take, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q

from evaluation.machine_study_form import StartForm
from evaluation.models import Conversation, Study, StudyCondition
from evaluation.permissions import is_operator
from evaluation.selectors.studies.audits import audits_of, conversations_to_audit, spent_on_audits
from evaluation.services.estimating import Estimate
from evaluation.services.studies.machine.auditing_estimate import audit_estimate
from evaluation.services.studies.machine.plans import PlannedCondition, planned_conditions
from evaluation.studies.kinds import KINDS
from evaluation.views.estimate_words import EstimateWords, audit_in_words, estimate_in_words
from evaluation.views.run_words import StateWords, state_in_words
from impactbench.common.errors import DomainError


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A condition before it is started: what it changes, and what it would take."""

    name: str
    anchor: str
    simulates: bool
    held_to: str
    estimate: EstimateWords


@dataclass(frozen=True, slots=True)
class ConditionLine:
    """A condition with its run."""

    condition: StudyCondition
    state: StateWords
    total: int
    done: int


@dataclass(frozen=True, slots=True)
class AuditLine:
    """How far the auditor is."""

    auditor: str
    n_read: int
    n_unread: int
    n_left: int
    spent_usd: Decimal


def machine_part(study: Study, user: Any, form: StartForm | None = None) -> dict[str, Any]:
    """What `_machine.html` shows of a study by machine; {} of one by people."""
    if KINDS[study.kind].by_people:
        return {}
    part: dict[str, Any] = {"may_start": is_operator(user)}
    if study.state != Study.State.DRAFT:
        return {**part, "conditions": _condition_lines(study), "audit": _audit_line(study)}
    try:
        return {**part, **_planned_part(study, form or StartForm(study))}
    except DomainError as problem:
        return {**part, "trouble": str(problem)}


def _planned_part(study: Study, form: StartForm) -> dict[str, Any]:
    """What the runs would take, and the auditor that was chosen."""
    planned, auditor = _planned(study, form), form.given("auditor")
    lines = [
        PlannedLine(
            name=one.condition.name,
            anchor=one.condition.slug,
            simulates=one.condition.simulates,
            held_to=next((of.condition.name for of in planned if of.condition.slug == one.condition.held_to), ""),
            estimate=estimate_in_words(one.estimate(), one.resolved),
        )
        for one in planned
    ]
    audit = None if auditor is None else audit_estimate(planned, auditor)
    return {
        "planned": lines,
        "auditor": auditor,
        "auditor_estimate": None if audit is None else audit_in_words(audit, form.given("budget_usd")),
        "together": _together(planned, audit),
        "start_form": form,
    }


def _planned(study: Study, form: StartForm) -> list[PlannedCondition]:
    """The conditions within the budget that was given; one that pays for nothing is told, and left out."""
    budget_usd = form.given("budget_usd")
    if budget_usd is not None:
        try:
            return planned_conditions(study, budget_usd)
        except DomainError as problem:
            form.add_error("budget_usd", str(problem))
    return planned_conditions(study)


def _together(planned: list[PlannedCondition], audit: Estimate | None) -> str:
    """'4 runs, 16 new conversations and 80 calls: likely $0.05, between $0.02 and $0.09.', of known prices."""
    estimates = [one.estimate() for one in planned] + ([audit] if audit else [])
    calls = sum(found.sums(lambda line: line.range(lambda amount: amount.calls))["likely"] for found in estimates)
    costs = [found.sums(lambda line: line.costs) for found in estimates]
    low, likely, high = (sum((cost[end] for cost in costs), start=Decimal(0)) for end in ("low", "likely", "high"))
    is_known = not any(found.unpriced for found in estimates)
    price = f"likely ${likely:,.2f}, between ${low:,.2f} and ${high:,.2f}"
    price = price if is_known else "not every price is known"
    runs = f"{len(planned)} run{'s' if len(planned) > 1 else ''}"
    n_held = sum(one.resolved.n_conversations for one in planned if one.condition.simulates)
    return f"{runs}, {n_held:,} new conversations and {calls:,} calls{', with the auditor' if audit else ''}: {price}."


def _condition_lines(study: Study) -> list[ConditionLine]:
    over = Q(run__conversations__is_judged=True) | Q(run__conversations__state=Conversation.State.FAILED)
    counted = study.conditions.select_related("run", "held_to").annotate(
        total=Count("run__conversations"), done=Count("run__conversations", filter=over)
    )
    return [ConditionLine(one, _state(one), one.total, one.done) for one in counted.order_by("number")]


def _state(condition: StudyCondition) -> StateWords:
    words = state_in_words(condition.run)
    if condition.held_to is None or condition.run.state != condition.run.State.CREATED:
        return words
    return StateWords(words.mark, f"Waits for: {condition.held_to.name}")


def _audit_line(study: Study) -> AuditLine | None:
    if study.auditor is None:
        return None
    audits = audits_of(study)
    return AuditLine(
        auditor=study.auditor.name,
        n_read=audits.count(),
        n_unread=audits.exclude(reason="").count(),
        n_left=conversations_to_audit(study).count(),
        spent_usd=spent_on_audits(study),
    )
