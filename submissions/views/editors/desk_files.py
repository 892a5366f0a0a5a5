"""The tables of the editors' desk as files."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.drafting.table import COLUMNS as GENERATED_COLUMNS
from evaluation.drafting.table import rows_of_drafts
from evaluation.models import Benchmark, Suite
from evaluation.selectors.suite_coverage import coverage_of
from impactbench.common.table_files import table_response
from submissions.models import DraftRow, SourceImport
from submissions.selectors import imports as selector
from submissions.views.editors.access import need_editor
from submissions.views.editors.people import reviewer_rows
from submissions.views.editors.suites import all_suites

IMPORT_COLUMNS = (
    "import", "file", "sha256", "format", "format_verified", "benchmark", "name", "licence", "sharing", "metrics",
    "to_work_on", "sent_on", "read_at", "read_by",
)  # fmt: skip
SUITE_COLUMNS = ("suite", "version", "title", "metrics", "scenarios")
PART_COLUMNS = ("area", "part_of_life", "good_behaviour", "harmful_behaviour", "metrics")
REVIEWER_COLUMNS = ("reviewer", "areas", "open", "most_open", "days_of_last_review", "away_until")


@never_cache
@require_safe
def imports_table(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The imports that were not discarded, newest first; persons as the audit trail names them."""
    need_editor(request)
    found = selector.imports().select_related("read_by")
    return table_response(kind, "imports", IMPORT_COLUMNS, map(_import_row, found.iterator()))


@never_cache
@require_safe
def drafts_table(request: HttpRequest, kind: str) -> HttpResponseBase:
    """What became of each draft of all imports that were not discarded."""
    need_editor(request)
    rows = selector.table(DraftRow.objects.filter(source__discarded_at=None))
    return table_response(kind, "drafts", selector.COLUMNS, rows)


@never_cache
@require_safe
def import_table(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """What became of each draft of one import."""
    need_editor(request)
    source = get_object_or_404(SourceImport, pk=pk)
    rows = selector.table(DraftRow.objects.filter(source=source))
    return table_response(kind, f"drafts-{source.slug}", selector.COLUMNS, rows, about=[("File", source.file_name)])


@never_cache
@require_safe
def generated_table(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """What became of each draft that language models wrote for one benchmark."""
    need_editor(request)
    benchmark = get_object_or_404(Benchmark, slug=slug)
    rows = ([row[name] for name in GENERATED_COLUMNS] for row in rows_of_drafts(benchmark))
    about = [("Benchmark", benchmark.name)]
    return table_response(kind, f"generated-{benchmark.slug}", GENERATED_COLUMNS, rows, about=about)


@never_cache
@require_safe
def reviewers_table(request: HttpRequest, kind: str) -> HttpResponseBase:
    """Everybody who may review; loads count only what the editor may know of."""
    need_editor(request)
    rows = (
        (row["name"], row["areas"], row["n_open"], row["most_open"], row["days_of_last"], row["away_until"])
        for row in reviewer_rows(request.user)
    )
    return table_response(kind, "reviewers", REVIEWER_COLUMNS, rows)


@never_cache
@require_safe
def suites_table(request: HttpRequest, kind: str) -> HttpResponseBase:
    """All suites, the newest version of each first."""
    need_editor(request)
    rows = ((one.slug, one.version, one.title, one.n_metrics, one.n_scenarios) for one in all_suites())
    return table_response(kind, "suites", SUITE_COLUMNS, rows)


@never_cache
@require_safe
def suite_table(request: HttpRequest, slug: str, version: int, kind: str) -> HttpResponseBase:
    """How many metrics of each kind one suite has in each part of life."""
    need_editor(request)
    suite = get_object_or_404(Suite, slug=slug, version=version)
    rows = ((one.area, one.name, one.n_positive, one.n_negative, one.n_metrics) for one in coverage_of(suite).subareas)
    return table_response(kind, f"suite-{suite.slug}-{suite.version}", PART_COLUMNS, rows)


def _import_row(one: Any) -> tuple[object, ...]:
    """`one` is an import with the counts of `selector.imports`."""
    return (
        one.pk, one.file_name, one.sha256, one.format, "yes" if one.is_verified else "no", one.slug, one.name,
        one.licence, one.sharing, one.n_metrics, one.n_open, one.n_sent, one.read_at.isoformat(),
        str(one.read_by) if one.read_by else "",
    )  # fmt: skip
