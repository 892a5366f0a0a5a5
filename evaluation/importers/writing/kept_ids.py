"""Lets a metric of an edited foreign file keep its id where the file has none and its words changed a little."""

from dataclasses import replace

from evaluation.importers.formats.changed_words import changed_words
from evaluation.importers.formats.types import MetricFile, ReadBenchmark, Remark, ScenarioFile
from evaluation.importers.writing.stored import latest_versions
from evaluation.models import Benchmark, MetricVersion


def with_kept_ids(read: ReadBenchmark) -> ReadBenchmark:
    """The benchmark with the ids under which its metrics are stored, each told in `flags`; reads the database.

    Only metrics of the same polarity are taken for one another, and only those that are no longer in the file.
    """
    benchmark = Benchmark.objects.filter(slug=read.benchmark.slug).first()
    if benchmark is None:
        return read
    stored = latest_versions(benchmark)
    found: dict[str, str] = {}
    for polarity in ("positive", "negative"):
        found |= _found_again(read.benchmark.metrics, stored, polarity)
    if not found:
        return read
    metrics = tuple(replace(one, local_id=found.get(one.local_id, one.local_id)) for one in read.benchmark.metrics)
    scenarios = tuple(_moved(row, found) for row in read.benchmark.scenarios)
    told = (Remark(f"metric {kept}", "its words changed since it was read before") for kept in found.values())
    return replace(
        read,
        benchmark=replace(read.benchmark, metrics=metrics, scenarios=scenarios),
        flags=(*read.flags, *told),
    )


def _found_again(metrics: tuple[MetricFile, ...], stored: list[MetricVersion], polarity: str) -> dict[str, str]:
    stated = {metric.local_id for metric in metrics}
    known = {version.metric.local_id for version in stored}
    new = {one.local_id: one.definition for one in metrics if one.polarity == polarity and one.local_id not in known}
    gone = {
        version.metric.local_id: version.definition
        for version in stored
        if version.polarity == polarity and version.metric.local_id not in stated
    }
    return changed_words(new, gone)


def _moved(row: ScenarioFile, found: dict[str, str]) -> ScenarioFile:
    return replace(row, metric_id=found.get(row.metric_id, row.metric_id))
