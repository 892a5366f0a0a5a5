"""The lists of runs and of studies as files."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.permissions import for_operators
from evaluation.selectors.progress import spending
from evaluation.selectors.runs import runs_with_counts, visible_runs
from evaluation.selectors.studies.calibration_set import JudgeCalibration, calibration_set, judge_calibrations
from evaluation.selectors.studies.seen import managed_studies_with_counts
from evaluation.views.run_words import RunRow, run_rows
from evaluation.views.studies.access import need_manager
from impactbench.common.table_files import table_response

RUN_COLUMNS = (
    "run", "state", "state_in_words", "targets", "conversations_done", "conversations", "spent_usd", "budget_usd",
    "started_at", "is_demonstration",
)  # fmt: skip
SPENDING_COLUMNS = ("role", "model", "calls", "cost_usd")
JUDGE_COLUMNS = (
    "judge", "model", "prompt_hash", "n", "agreement", "ci_low", "ci_high", "n_unjudged", "least", "setting", "answer",
)  # fmt: skip
STUDY_COLUMNS = ("study", "title", "kind", "state", "items", "ratings", "designed_at")


@never_cache
@require_safe
@for_operators
def runs_table(request: HttpRequest, kind: str) -> HttpResponseBase:
    """All runs of our own, newest first."""
    return table_response(kind, "runs", RUN_COLUMNS, map(_run_row, run_rows(runs_with_counts(request.user))))


@never_cache
@require_safe
@for_operators
def spending_table(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """Calls and cost of one run by role and model; an unknown cost stays empty."""
    run = get_object_or_404(visible_runs(request.user), slug=slug)
    rows = (
        (one.role, one.model, one.calls, None if one.cost_usd is None else float(one.cost_usd)) for one in spending(run)
    )
    return table_response(kind, f"{run.slug}-spending", SPENDING_COLUMNS, rows, about=[("Run", run.slug)])


@never_cache
@require_safe
def judges_table(request: HttpRequest, kind: str) -> HttpResponseBase:
    """Which judges agree with what people have settled, each with its n and interval."""
    need_manager(request)
    return table_response(kind, "judges", JUDGE_COLUMNS, map(_judge_row, judge_calibrations(calibration_set())))


@never_cache
@require_safe
def studies_table(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The studies that one may run."""
    need_manager(request)
    return table_response(kind, "studies", STUDY_COLUMNS, map(_study_row, managed_studies_with_counts(request.user)))


def _run_row(row: RunRow) -> tuple[object, ...]:
    run = row.run
    return (
        run.slug, run.state, row.state.text, run.n_targets, run.done, run.total, float(row.spent),
        None if run.budget_usd is None else float(run.budget_usd),
        run.started_at.isoformat() if run.started_at else None, run.is_demonstration,
    )  # fmt: skip


def _judge_row(one: JudgeCalibration) -> tuple[object, ...]:
    judge, result = one.judge, one.result
    agreement = result.agreement
    model = judge.language_model.slug if judge.language_model else None
    return (
        judge.slug, model, judge.prompt_hash, agreement.n, agreement.value, agreement.low, agreement.high,
        result.n_unjudged, result.least, result.setting, result.answer.value,
    )  # fmt: skip


def _study_row(one: Any) -> tuple[object, ...]:
    """`one` is a study with its counts."""
    return one.public_id, one.title, one.kind, one.state, one.n_items, one.n_ratings, one.created_at.isoformat()
