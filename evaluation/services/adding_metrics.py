"""Adds reviewed metrics: runnable at once, shown to nobody before they are published."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import MetricFile, ScenarioFile, Source
from evaluation.importers.writing import versions
from evaluation.importers.writing.profiles import ensured_profiles
from evaluation.importers.writing.storable import refuse_unstorable
from evaluation.importers.writing.stored import stored_subareas
from evaluation.models import Benchmark, Metric, MetricVersion
from impactbench.common import locking
from impactbench.common.errors import DomainError


@dataclass(frozen=True, slots=True)
class NewMetric:
    """A metric as it was reviewed: `metric_id` of `stated` names it, or the metric that gets a new version."""

    stated: MetricFile
    rows: Sequence[ScenarioFile]
    contributor: str = ""
    licence: str = ""
    content_notices: Sequence[str] = ()
    n_reviewers: int | None = None


@dataclass(frozen=True, slots=True)
class NewBenchmark:
    """A benchmark that is made with its first metrics."""

    slug: str
    name: str
    description: str = ""
    licence: str = ""
    sources: Sequence[Source] = field(default=())


def wait_for_turn() -> None:
    """Wait until nobody else adds or imports metrics, until the caller's transaction ends."""
    locking.wait_for(locking.IMPORTS)


def ensured_benchmark(new: NewBenchmark) -> Benchmark:
    """The benchmark, made unless one of that id and name is there by now. Raises DomainError for another name."""
    found = Benchmark.objects.filter(slug=new.slug).first()
    if found is None:
        sources = [vars(source) for source in new.sources]
        found = Benchmark(
            slug=new.slug, name=new.name, description=new.description, licence=new.licence, sources=sources
        )
        _refuse_unstorable(found, new.slug)
        found.save()
    elif found.name.casefold() != new.name.casefold():
        raise DomainError(f"By now there is a benchmark {new.slug}, “{found.name}”. Choose it, or give another id.")
    return found


@transaction.atomic
def add_metrics(
    benchmark: Benchmark, metrics: Sequence[NewMetric], *, improves: Sequence[Metric] = (), source: str
) -> list[MetricVersion]:
    """The new versions, runnable, waiting for a second editor, status draft; nothing that was there before changes.

    The first of them become the next versions of the metrics in `improves`, one each; every other one is a metric of
    its own. `source` names where they come from in messages. Raises DomainError for an id that is taken or text that
    cannot be stored.
    """
    wait_for_turn()
    try:
        return [
            _added(benchmark, metric, improved, Path(source))
            for metric, improved in zip_longest(metrics, improves[: len(metrics)])
        ]
    except FileProblem as problem:
        raise DomainError(f"{source} cannot be stored: {problem.message}.") from None


def _added(benchmark: Benchmark, new: NewMetric, improved: Metric | None, file: Path) -> MetricVersion:
    local_id = new.stated.local_id
    if improved is None and benchmark.metrics.filter(local_id=local_id).exists():
        raise DomainError(f"The benchmark {benchmark.slug} has a metric {local_id} by now. Give another id.")
    metric = improved or versions.new_metric(benchmark, local_id, file)
    newest = metric.versions.order_by("-number").values_list("number", flat=True).first() or 0
    profiles = ensured_profiles(
        ((row.profile_slug, row.profile_name, row.profile_attributes) for row in new.rows), file
    )
    version = versions.new_version(
        metric, newest + 1, new.stated, new.rows, profiles, file,
        is_runnable=True, awaits_second_editor=True, contributor=new.contributor, licence=new.licence,
        content_notices=list(new.content_notices), n_reviewers=new.n_reviewers, approved_at=timezone.now(),
    )  # fmt: skip
    before = stored_subareas(benchmark).get(metric.local_id, ())
    versions.place(metric, before, new.stated.subareas)
    return version


def _refuse_unstorable(benchmark: Benchmark, source: str) -> None:
    try:
        refuse_unstorable([benchmark], Path(source))
    except FileProblem as problem:
        raise DomainError(f"The benchmark cannot be stored: {problem.message}.") from None
