"""Writes benchmark files: new wordings become new versions, and what was run stays as it was run."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.db import transaction

from evaluation.importers.formats.types import BenchmarkFile, MetricFile, ReadBenchmark, ScenarioFile
from evaluation.importers.writing import versions
from evaluation.importers.writing.bases import with_one_goal_each
from evaluation.importers.writing.profiles import ensured_profiles
from evaluation.importers.writing.reports import FileReport
from evaluation.importers.writing.storable import refuse_unstorable
from evaluation.importers.writing.stored import (
    latest_versions,
    stored_header,
    stored_scenarios,
    stored_subareas,
)
from evaluation.importers.writing.subareas import refuse_unknown_subareas
from evaluation.importers.writing.wording import COMPANIONS, content_hash, version_fields
from evaluation.models import Benchmark, Metric, MetricVersion
from evaluation.services.content_notices import is_set_by_editor
from impactbench.common import locking
from impactbench.common.audit import record

HEADER_COLUMNS = (
    "name", "description", "sources", "licence", "contributors", "target_context", "research_summary",
    "content_notices",
)  # fmt: skip


@transaction.atomic
def write_benchmark(
    read: ReadBenchmark, *, actor: Any, file: Path, format_name: str, is_runnable: bool, is_accepted: bool = False
) -> FileReport:
    """Write one benchmark file and tell what changed; the same file again changes nothing.

    A metric whose wording changed gets a new version, and so does one whose scenarios changed after its version was
    used by a run or a suite; the file's scenarios hang on the new version. Rationale, citations, plain words and
    subareas are corrected in place. A metric for which the file has no scenario keeps those it has, and a metric
    that is no longer in the file stays. `is_runnable` says whether the metrics may be run at once (a format's
    property, or an operator's acceptance). Writes one audit event when anything changed. Raises FileProblem.
    """
    report = FileReport(file=str(file), format=format_name)
    report.skipped = [{"place": remark.place, "reason": remark.text} for remark in read.skipped]
    report.flags = [{"place": remark.place, "flag": remark.text} for remark in read.flags]
    if not read.benchmark.metrics:
        report.status, report.reason = "skipped", "there is no metric in it"
        return report
    locking.wait_for(locking.IMPORTS)
    benchmark, is_changed = _written_header(read.benchmark, file)
    _Writer(benchmark, file, report, is_runnable=is_runnable).write(read.benchmark)
    if is_changed or report.created or report.updated:
        report.status = "imported"
        details = {"created": report.created, "updated": report.updated, "format": format_name}
        action = "benchmark-accepted" if is_accepted else "benchmark-imported"
        record(actor=actor, action=action, target=benchmark, details=details)
    return report


def _written_header(read: BenchmarkFile, file: Path) -> tuple[Benchmark, bool]:
    """The benchmark's row, made or brought up to date; True when that changed anything.

    A research summary that a file does not state stays: drafting of clauses may have brought it.
    """
    stated = {
        "name": read.name,
        "description": read.description,
        "sources": [vars(source) for source in read.sources],
        "licence": read.licence or "",
        "contributors": list(read.contributors),
        "target_context": read.user_context or "",
        "research_summary": read.research_summary or "",
        "content_notices": list(read.content_notices),
    }
    benchmark = Benchmark.objects.select_for_update().filter(slug=read.slug).first()
    if benchmark is not None and is_set_by_editor(benchmark):
        read = replace(read, content_notices=tuple(benchmark.content_notices))
        stated["content_notices"] = benchmark.content_notices
    if benchmark is not None and read.research_summary is None:
        read = replace(read, research_summary=benchmark.research_summary or None)
        stated["research_summary"] = benchmark.research_summary
    if benchmark is None:
        benchmark = Benchmark(slug=read.slug, **stated)
    elif stored_header(benchmark) == replace(read, metrics=(), scenarios=()):
        return benchmark, False
    for column in HEADER_COLUMNS:
        setattr(benchmark, column, stated[column])
    refuse_unstorable([benchmark], file)
    benchmark.save()
    return benchmark, True


class _Writer:
    """Writes the metrics and scenarios of one file; holds what the database had before."""

    def __init__(self, benchmark: Benchmark, file: Path, report: FileReport, *, is_runnable: bool) -> None:
        self.benchmark = benchmark
        self.file = file
        self.report = report
        self.is_runnable = is_runnable
        latest = latest_versions(benchmark)
        self.latest = {version.metric.local_id: version for version in latest}
        self.scenarios = stored_scenarios(latest)
        self.subareas = stored_subareas(benchmark)
        self.used = _used(latest)

    def write(self, read: BenchmarkFile) -> None:
        refuse_unknown_subareas(read.metrics, self.file)
        rows, moved = with_one_goal_each(read.scenarios)
        for row in moved:
            self.report.flag(
                f"scenario {row.id}", f"its goals differ from its base's, so it became base scenario {row.base_number}"
            )
        stated = ((row.profile_slug, row.profile_name, row.profile_attributes) for row in rows)
        self.profiles = ensured_profiles(stated, self.file)
        by_metric = defaultdict(list)
        for row in rows:
            profile = self.profiles[row.profile_slug]
            known = replace(row, profile_name=profile.name, profile_attributes=profile.attributes)
            by_metric[row.metric_id].append(known)
        for metric in read.metrics:
            self._write_metric(metric, by_metric[metric.local_id])
        for local_id in sorted(self.latest.keys() - {metric.local_id for metric in read.metrics}):
            if not self.latest[local_id].is_imported_result:
                self.report.flag(f"metric {local_id}", "is no longer in the file; it stays as it was")

    def _write_metric(self, stated: MetricFile, rows: Sequence[ScenarioFile]) -> None:
        version = self.latest.get(stated.local_id)
        if version is None:
            metric = versions.new_metric(self.benchmark, stated.local_id, self.file)
            self._new_version(metric, 1, stated, rows)
            self._place(metric, stated)
            self.report.created += 1
            return
        is_changed = self._bring_up_to_date(version, stated, rows)
        is_changed |= self._place(version.metric, stated)
        if is_changed:
            self.report.updated += 1
        else:
            self.report.unchanged += 1

    def _bring_up_to_date(self, version: MetricVersion, stated: MetricFile, rows: Sequence[ScenarioFile]) -> bool:
        """Correct the newest version in place, or add the next; False when all stands there already."""
        fields = version_fields(stated)
        has_other_scenarios = self._has_other_scenarios(version, rows)
        is_other = version.content_hash != content_hash(fields)
        if is_other or (has_other_scenarios and self._must_stay(version, rows)):
            self._new_version(version.metric, version.number + 1, stated, rows)
            return True
        if has_other_scenarios:
            versions.replace_scenarios(version, rows, self.profiles, self.file)
        return self._correct(version, fields) or has_other_scenarios

    def _must_stay(self, version: MetricVersion, rows: Sequence[ScenarioFile]) -> bool:
        """Whether other scenarios need a new version, so that what was tested or drafted for this one stays."""
        is_used = version.pk in self.used or version.is_imported_result
        return is_used or versions.loses_drafted_bases(version, rows)

    def _has_other_scenarios(self, version: MetricVersion, rows: Sequence[ScenarioFile]) -> bool:
        """Whether the file's scenarios differ; an imported result may have more of them than a file can hold."""
        if not rows:
            return False
        stored = {(row.base_number, row.profile_slug): row for row in self.scenarios.get(version.pk, [])}
        stated = {(row.base_number, row.profile_slug): row for row in rows}
        if version.is_imported_result:
            return any(stored.get(key) != row for key, row in stated.items())
        return stored != stated

    def _correct(self, version: MetricVersion, fields: Mapping[str, Any]) -> bool:
        changed = [name for name in COMPANIONS if getattr(version, name) != fields[name]]
        if self.is_runnable and not version.is_runnable and not version.is_imported_result:
            version.is_runnable = True
            changed.append("is_runnable")
        for name in changed:
            setattr(version, name, fields.get(name, getattr(version, name)))
        if changed:
            refuse_unstorable([version], self.file)
            version.save(update_fields=changed)
        return bool(changed)

    def _new_version(self, metric: Metric, number: int, stated: MetricFile, rows: Sequence[ScenarioFile]) -> None:
        contributor = ", ".join(self.benchmark.contributors)[:300]
        before = self.latest.get(stated.local_id)
        versions.new_version(
            metric, number, stated, rows, self.profiles, self.file,
            is_runnable=self.is_runnable, contributor=contributor,
            content_notices=before.content_notices if before else [],
        )  # fmt: skip

    def _place(self, metric: Metric, stated: MetricFile) -> bool:
        """Put the metric into the paper's subareas that the file names, and into no other of them."""
        return versions.place(metric, self.subareas.get(metric.local_id, ()), stated.subareas)


def _used(latest: Iterable[MetricVersion]) -> set[int]:
    """The versions that a run, a suite or a release relies on: their scenarios must stay as they are."""
    keys = [version.pk for version in latest]
    found: set[int] = set()
    for reference in ("runs", "suites", "releases", "base_scenarios__variants__conversations"):
        used = MetricVersion.objects.filter(pk__in=keys, **{f"{reference}__isnull": False})
        found.update(used.values_list("pk", flat=True).distinct())
    return found
