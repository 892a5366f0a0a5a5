"""Starts the runs of a study by machine, and lets those go on that waited for another."""

from __future__ import annotations

import logging
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.models import LanguageModel, Run, Study, StudyCondition
from evaluation.permissions import is_operator
from evaluation.services import planning, running
from evaluation.services.studies.machine.plans import PlannedCondition, make_suite, planned_conditions
from evaluation.services.studies.machine.saved_transcripts import copies_of
from evaluation.services.studies.states import NotAllowed, WrongState, managed, move
from evaluation.studies.kinds import KINDS, SIMULATOR_ABLATION
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

logger = logging.getLogger(__name__)


@transaction.atomic
def start_study(
    study: Study, *, actor: Any, budget_usd: Decimal | None = None, auditor: LanguageModel | None = None
) -> Study:
    """Open a study by machine: plan the run of each condition and set those going that need no other one first.

    Neither a run nor the auditor spends more than `budget_usd` (None: no limit). Raises NotAllowed for anybody but
    operators, WrongState unless the study is a draft, DomainError where its runs cannot be run again.
    """
    fresh = managed(study, actor)
    if not is_operator(actor):
        raise NotAllowed("Only operators start the runs of a study.")
    if KINDS[fresh.kind].by_people or fresh.state != Study.State.DRAFT:
        raise WrongState("Only a study by machine that was not started yet can be started.")
    if (fresh.kind == SIMULATOR_ABLATION) != (auditor is not None):
        raise DomainError("Choose the model that audits the conversations." if auditor is None else "Nothing to audit.")
    fresh.budget_usd, fresh.auditor = budget_usd, auditor
    fresh.save(update_fields=["budget_usd", "auditor"])
    planned = planned_conditions(fresh, budget_usd)
    make_suite(fresh)
    _plan_conditions(fresh, planned, actor)
    opened = move(fresh, "open", actor=actor, opened_at=timezone.now())
    go_on(opened, actor=actor)
    return opened


@transaction.atomic
def change_auditors_budget(study: Study, budget_usd: Decimal | None, *, actor: Any) -> Study:
    """Another budget for the auditor (None: no limit); runs have theirs on their own pages.

    Raises NotAllowed, or WrongState unless the study is open and has an auditor.
    """
    fresh = managed(study, actor)
    if not is_operator(actor):
        raise NotAllowed("Only operators change what a study may spend.")
    if fresh.state != Study.State.OPEN or fresh.auditor_id is None:
        raise WrongState("There is no auditor at work.")
    before, fresh.budget_usd = fresh.budget_usd, budget_usd
    fresh.save(update_fields=["budget_usd"])
    details = {
        "before": None if before is None else str(before),
        "after": None if budget_usd is None else str(budget_usd),
    }
    record(actor=actor, action="study-auditor-budget-changed", target=fresh, details=details)
    return fresh


def go_on(study: Study, *, actor: Any = None) -> list[Run]:
    """Start the planned runs whose turn it is: a condition that is held to another one waits until that one is over."""
    begun = []
    for condition in study.conditions.select_related("run", "held_to__run").order_by("number"):
        waits = condition.held_to is not None and condition.held_to.run.state not in running.OVER
        if condition.run.state == Run.State.CREATED and not waits:
            begun.append(running.start(condition.run, actor=actor))
            running.enqueue(condition.run.pk)
    return begun


def go_on_all() -> None:
    """Every open study by machine goes on where it can. Safe to run twice, and beside others."""
    waiting = StudyCondition.objects.filter(study__state=Study.State.OPEN, run__state=Run.State.CREATED)
    for study in Study.objects.filter(pk__in=waiting.values("study")):
        try:
            go_on(study)
        except DomainError as problem:  # another one was quicker, or the prompts are no longer those of its plan
            logger.warning("study %s does not go on: %s", study.public_id, problem)


def refuse_unfinished(study: Study) -> None:
    """Raise WrongState while a run of the study is not over."""
    unfinished = [
        condition.run.slug
        for condition in study.conditions.select_related("run").order_by("number")
        if condition.run.state not in running.OVER
    ]
    if unfinished or not study.conditions.exists():
        named = ", ".join(unfinished) or "none was started"
        raise WrongState(f"Its runs are not over: {named}. Wait for them, or cancel them on their pages.")


def _plan_conditions(study: Study, planned: list[PlannedCondition], actor: Any) -> None:
    made: dict[str, StudyCondition] = {}
    for number, one in enumerate(planned, start=1):
        condition = one.condition
        run, is_new = planning.freeze(
            one.resolved, actor=actor, lay_out=None if condition.simulates else copies_of(study)
        )
        if not is_new:
            raise DomainError(f"There is already a run {run.slug}, so the study cannot be started.")
        made[condition.slug] = StudyCondition.objects.create(
            study=study,
            number=number,
            slug=condition.slug,
            name=condition.name[:200],
            run=run,
            held_to=made[condition.held_to] if condition.held_to else None,
        )
        record(actor=actor, action="study-condition-planned", target=study, details={"run": run.slug})
