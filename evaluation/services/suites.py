"""Suites: metric versions and scenarios under a name, so that later models are tested on the very same ones."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from evaluation.models import MetricVersion, Run, Scenario, Suite
from evaluation.services import locking
from evaluation.services.publishing import SLUG
from impactbench.common.errors import UnusableInput


@transaction.atomic
def make_suite(*, slug: str, runs: Sequence[str]) -> tuple[Suite, bool]:
    """The suite of everything that these runs measured, and whether it is new.

    A suite never changes: where the newest version of that name holds the same, it is returned; else the next version
    is made. Raises UnusableInput for unknown runs, imported ones, and runs without a conversation.
    """
    if not SLUG.fullmatch(slug):
        raise UnusableInput(f"{slug!r} cannot name a suite: use at most 100 letters, digits and hyphens")
    locking.wait_for(f"suite {slug}")
    found = list(Run.objects.filter(slug__in=runs))
    unknown = sorted(set(runs) - {run.slug for run in found})
    if unknown or not found:
        raise UnusableInput(f"there is no run {', '.join(unknown)}" if unknown else "name at least one run")
    imported = sorted(run.slug for run in found if run.kind == Run.Kind.IMPORTED)
    if imported:
        raise UnusableInput(f"imported results cannot be run again, so they make no suite: {', '.join(imported)}")
    scenarios = Scenario.objects.filter(conversations__run__in=found).distinct()
    versions = MetricVersion.objects.filter(base_scenarios__variants__in=scenarios).distinct()
    members = _keys(versions.values_list("pk", flat=True)), _keys(scenarios.values_list("pk", flat=True))
    if not members[1]:
        raise UnusableInput("these runs have no conversation, so there is nothing to make a suite of")
    newest = Suite.objects.filter(slug=slug).order_by("-version").first()
    if newest is not None and members == _members(newest):
        return newest, False
    suite = Suite.objects.create(slug=slug, version=newest.version + 1 if newest else 1)
    suite.metric_versions.set(members[0])
    suite.scenarios.set(members[1])
    return suite, True


def _members(suite: Suite) -> tuple[list[int], list[int]]:
    return (
        _keys(suite.metric_versions.values_list("pk", flat=True)),
        _keys(suite.scenarios.values_list("pk", flat=True)),
    )


def _keys(found: Iterable[int]) -> list[int]:
    return sorted(set(found))
