"""A benchmark as a native folder, whose import is `unchanged`."""

from dataclasses import dataclass, replace

from evaluation.importers.formats.types import BenchmarkFile
from evaluation.importers.writing.stored import (
    latest_versions,
    stored_header,
    stored_metric,
    stored_scenarios,
    stored_subareas,
)
from evaluation.models import Benchmark
from impactbench.common.errors import DomainError, UnusableInput


@dataclass(frozen=True)
class Export:
    """What can be written, and how many metrics and scenarios are too incomplete for the native format."""

    benchmark: BenchmarkFile
    n_metrics_left_out: int
    n_scenarios_left_out: int


def exported_benchmark(slug: str) -> Export:
    """The newest version of every metric of a benchmark with its scenarios.

    Left out is what an imported result does not tell: metrics without polarity or definition, scenarios without
    persona or goal. Raises UnusableInput for an unknown slug, DomainError when no metric is complete.
    """
    benchmark = Benchmark.objects.filter(slug=slug).first()
    if benchmark is None:
        raise UnusableInput(f"there is no benchmark {slug!r}")
    versions = latest_versions(benchmark)
    complete = [version for version in versions if version.polarity and version.definition]
    if not complete:
        raise DomainError(
            f"no metric of {slug} has both a polarity and a definition, so the native format cannot hold the benchmark"
        )
    subareas = stored_subareas(benchmark)
    by_version = stored_scenarios(complete)
    scenarios = [row for version in complete for row in by_version.get(version.pk, [])]
    whole = [row for row in scenarios if row.persona and row.goal]
    written = replace(
        stored_header(benchmark),
        metrics=tuple(stored_metric(version, subareas.get(version.metric.local_id, ())) for version in complete),
        scenarios=tuple(whole),
    )
    return Export(written, len(versions) - len(complete), len(scenarios) - len(whole))
