"""Holds a finished round against the last release, once, and has people told of what got worse."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evaluation.models import Area, Release, Run, ScheduledRound, Subarea
from evaluation.selectors.metric_counts import metric_counts
from evaluation.selectors.release_verdicts import verdicts_that_count
from evaluation.services.schedule_letters import tell_of_worse
from evaluation.statistics.release_change import WORSE, Change, changes
from impactbench.common.audit import record


def compare_finished(now: datetime | None = None) -> int:
    """Compare every round that has finished and was not compared; how many. Safe to run twice, and beside others."""
    finished = ScheduledRound.objects.filter(run__state=Run.State.FINISHED, compared_at=None)
    return sum(_compare(pk, now or timezone.now()) for pk in finished.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def _compare(key: int, now: datetime) -> bool:
    held = ScheduledRound.objects.select_for_update(skip_locked=True, of=("self",))
    made = held.select_related("run", "schedule__run").filter(pk=key, compared_at=None).first()
    if made is None or made.run is None:
        return False
    release = last_release_of(made.run)
    worse = worse_since(release, made.run, now) if release else []
    made.compared_at, made.compared_with, made.n_worse = now, release, len(worse) if release else None
    made.save(update_fields=["compared_at", "compared_with", "n_worse"])
    if release is not None and worse:
        models = dict(made.run.targets.values_list("slug", "name"))
        tell_of_worse(
            made, release, worse, places=_places(release), models=models, made_otherwise=_otherwise(release, made.run)
        )
        details = {"release": release.slug, "worse": len(worse)}
        record(actor=None, action="run-got-worse", target=made.run, details=details)
    return True


def last_release_of(run: Run) -> Release | None:
    """The newest published release with one of the run's models and one of its metrics in the same wording."""
    published = Release.objects.filter(
        status=Release.Status.PUBLISHED, targets__in=run.targets.all(), metric_versions__in=run.metric_versions.all()
    )
    return published.order_by("-published_at", "-pk").first()


def worse_since(release: Release, run: Run, now: datetime) -> list[Change]:
    """The changes from the release to the run that are flagged as worse, of single models, largest first.

    The rule is that of changes between two releases: at least REGRESSION_POINTS, with an interval without 0.
    """
    groups = {group: release.groups.get(group, {}) for group in ("area", "subarea")}
    found = changes(
        metric_counts([release]),
        counts_of_run(run, now),
        groups,
        resamples=release.resamples,
        seed=release.seed,
        threshold=settings.REGRESSION_POINTS / 100,
    )
    worse = [change for change in found if change.flag == WORSE and change.model is not None]
    return sorted(worse, key=lambda change: change.change)


def counts_of_run(run: Run, now: datetime) -> pd.DataFrame:
    """What a release of this run alone would count: a row for each metric of known polarity, model and profile."""
    verdicts = verdicts_that_count([run], judge=None, judged_until=now)
    judged = verdicts[verdicts["passed"].notna()]
    keys = ["benchmark", "metric", "metric_version_id", "polarity", "model", "profile"]
    counted = judged.assign(passed=judged["passed"].astype(int)).groupby(keys)["passed"].agg(["sum", "count"])
    names = {"metric_version_id": "version", "sum": "passed", "count": "judged"}
    return counted.reset_index().rename(columns=names)


def _places(release: Release) -> dict[tuple[str, str], str]:
    areas = Area.objects.filter(taxonomy=release.taxonomy_id).values_list("slug", "name")
    subareas = Subarea.objects.filter(taxonomy=release.taxonomy_id).values_list("slug", "name")
    return {("area", slug): name for slug, name in areas} | {("subarea", slug): name for slug, name in subareas}


def _otherwise(release: Release, run: Run) -> list[str]:
    """What a change may come from beside the models."""
    judges = set(run.judges.values_list("pk", flat=True))
    found = [] if release.judge_id is None or {release.judge_id} == judges else ["the judge"]
    if release.user_simulator_id != run.user_simulator_id:
        found.append("the simulated user")
    before, now = release.prompt_hashes or {}, run.prompt_hashes or {}
    return found + (["the instructions to models"] if before != now else [])
