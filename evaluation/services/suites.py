"""Suites: metric versions and scenarios under a name, so that later models are tested on the very same ones."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from evaluation.models import Benchmark, MetricVersion, Run, Scenario, Suite
from evaluation.services.publishing import SLUG
from impactbench.common import locking
from impactbench.common.errors import UnusableInput


@transaction.atomic
def make_suite(
    *, slug: str, runs: Sequence[str] = (), benchmarks: Sequence[str] = (), title: str = ""
) -> tuple[Suite, bool]:
    """The suite of everything that these runs measured and that these benchmarks hold, and whether it is new.

    Of a benchmark it takes the newest runnable version of each metric with all its scenarios. A suite never changes:
    where the newest version of that name holds the same, it is returned; else the next version is made. Raises
    UnusableInput for unknown runs and benchmarks, imported runs, and where there is nothing to take.
    """
    if not SLUG.fullmatch(slug):
        raise UnusableInput(f"{slug!r} cannot name a suite: use at most 100 letters, digits and hyphens")
    if not runs and not benchmarks:
        raise UnusableInput("name at least one run or benchmark")
    locking.wait_for(f"suite {slug}")
    held = [_of_runs(runs)] if runs else []
    held += [_of_benchmarks(benchmarks)] if benchmarks else []
    members = tuple(_keys(key for part in held for key in part[place]) for place in (0, 1))
    newest = Suite.objects.filter(slug=slug).order_by("-version").first()
    if newest is not None and members == _members(newest):
        return newest, False
    suite = Suite.objects.create(slug=slug, version=newest.version + 1 if newest else 1, title=title)
    suite.metric_versions.set(members[0])
    suite.scenarios.set(members[1])
    return suite, True


def _of_runs(runs: Sequence[str]) -> tuple[list[int], list[int]]:
    found = list(Run.objects.filter(slug__in=runs))
    unknown = sorted(set(runs) - {run.slug for run in found})
    if unknown:
        raise UnusableInput(f"there is no run {', '.join(unknown)}")
    imported = sorted(run.slug for run in found if run.kind == Run.Kind.IMPORTED)
    if imported:
        raise UnusableInput(f"imported results cannot be run again, so they make no suite: {', '.join(imported)}")
    scenarios = Scenario.objects.filter(conversations__run__in=found).distinct()
    versions = MetricVersion.objects.filter(base_scenarios__variants__in=scenarios).distinct()
    keys = _keys(versions.values_list("pk", flat=True)), _keys(scenarios.values_list("pk", flat=True))
    if not keys[1]:
        raise UnusableInput("these runs have no conversation, so there is nothing to make a suite of")
    return keys


def _of_benchmarks(benchmarks: Sequence[str]) -> tuple[list[int], list[int]]:
    """The newest runnable versions with scenarios; a metric without any cannot be run and is left out."""
    found = set(Benchmark.objects.filter(slug__in=benchmarks).values_list("slug", flat=True))
    if unknown := sorted(set(benchmarks) - found):
        raise UnusableInput(f"there is no benchmark {', '.join(unknown)}")
    runnable = MetricVersion.objects.filter(metric__benchmark__slug__in=found, is_runnable=True, retired_at=None)
    newest = runnable.order_by("metric_id", "-number").distinct("metric_id").values_list("pk", flat=True)
    scenarios = Scenario.objects.filter(base__metric_version__in=list(newest))
    keys = (
        _keys(scenarios.values_list("base__metric_version", flat=True)),
        _keys(scenarios.values_list("pk", flat=True)),
    )
    if not keys[1]:
        raise UnusableInput(f"no runnable metric of {', '.join(sorted(found))} has a scenario yet")
    return keys


def _members(suite: Suite) -> tuple[list[int], list[int]]:
    return (
        _keys(suite.metric_versions.values_list("pk", flat=True)),
        _keys(suite.scenarios.values_list("pk", flat=True)),
    )


def _keys(found: Iterable[int]) -> list[int]:
    return sorted(set(found))
