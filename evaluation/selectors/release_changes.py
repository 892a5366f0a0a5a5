"""Two releases side by side: what is new, gone or worded otherwise, and how the rest of the results changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from django.conf import settings
from django.db.models import Q

from evaluation.models import Area, LanguageModel, Release, Run, Subarea, Verdict
from evaluation.selectors import kept
from evaluation.selectors.metric_counts import metric_counts
from evaluation.services.run_likeness import SETTINGS
from evaluation.statistics.release_change import Change, change_table, changes
from evaluation.statistics.report.tables import ReportTable

Groups = dict[str, dict[str, list[str]]]
UNKNOWN = "not published"
SEVERAL = "several"
# What tells how a release was made: (to select, to prefetch).
RELATED = ("taxonomy", "judge__language_model", "user_simulator"), ("runs", "profiles")


@dataclass(frozen=True)
class Difference:
    """One thing that was made otherwise: its name, and what it was before and is now."""

    what: str
    before: str
    now: str


@dataclass(frozen=True)
class ReleaseChange:
    """What changed from one release to another; lists hold (slug, name)."""

    metrics_added: list[tuple[str, str]]
    metrics_gone: list[tuple[str, str]]
    metrics_reworded: list[tuple[str, str]]
    n_metrics_same: int
    models_added: list[tuple[str, str]]
    models_gone: list[tuple[str, str]]
    n_models_same: int
    n_scenarios_same: int
    n_scenarios_other: int
    made_otherwise: list[Difference]
    not_known: list[str]
    table: ReportTable


def release_change(older: Release, newer: Release) -> ReleaseChange:
    """From `older` to `newer`: what was measured and how, and the change over what both measured alike."""
    old, new = (_versions(release) for release in (older, newer))
    old_models, new_models = (dict(release.targets.values_list("slug", "name")) for release in (older, newer))
    same = {metric for metric in old.keys() & new.keys() if old[metric][0] == new[metric][0]}
    how = _how(older, newer)
    old_scenarios, new_scenarios = (_scenarios(release, same) for release in (older, newer))
    return ReleaseChange(
        metrics_added=_named(new.keys() - old.keys(), new),
        metrics_gone=_named(old.keys() - new.keys(), old),
        metrics_reworded=_named((old.keys() & new.keys()) - same, new),
        n_metrics_same=len(same),
        models_added=sorted((slug, new_models[slug]) for slug in new_models.keys() - old_models.keys()),
        models_gone=sorted((slug, old_models[slug]) for slug in old_models.keys() - new_models.keys()),
        n_models_same=len(old_models.keys() & new_models.keys()),
        n_scenarios_same=len(old_scenarios & new_scenarios),
        n_scenarios_other=len(old_scenarios ^ new_scenarios),
        made_otherwise=[one for one in how if one.before != one.now],
        not_known=[one.what for one in how if UNKNOWN in (one.before, one.now)],
        table=_table(older, newer, old_models),
    )


def overall_changes(pairs: Sequence[tuple[Release, Release]]) -> list[list[Change]]:
    """For each pair of an older and a newer release the changes over everything, of each model and of all.

    The same numbers as in `release_change`'s table, from the frozen counts. Computed once, in as many queries for all.
    """
    names = [kept.name_of("overall-changes", pair, settings.REGRESSION_POINTS) for pair in pairs]

    def compute(missing: list[int]) -> list[list[Change]]:
        wanted = [pairs[place] for place in missing]
        table = metric_counts([one for pair in wanted for one in pair])
        return [
            _changes(table[table["release"] == older.pk], table[table["release"] == newer.pk], {}, newer)
            for older, newer in wanted
        ]

    return kept.once_each(names, compute)


def _changes(old: pd.DataFrame, new: pd.DataFrame, groups: Groups, newer: Release) -> list[Change]:
    return changes(
        old, new, groups, resamples=newer.resamples, seed=newer.seed, threshold=settings.REGRESSION_POINTS / 100
    )


def made_otherwise(older: Release, newer: Release) -> list[Difference]:
    """What was made otherwise in `newer`, and what nobody published of one of them ('not published').

    Asks nothing of releases that have their `RELATED` with them.
    """
    return [one for one in _how(older, newer) if one.before != one.now or UNKNOWN in (one.before, one.now)]


def _versions(release: Release) -> dict[str, tuple[int, str]]:
    """Metric slug -> (primary key of its version, name)."""
    values = release.metric_versions.values_list("metric__slug", "pk", "name")
    return {slug: (pk, name) for slug, pk, name in values}


def _named(slugs: Iterable[str], versions: dict[str, tuple[int, str]]) -> list[tuple[str, str]]:
    return sorted((slug, versions[slug][1]) for slug in slugs)


def _scenarios(release: Release, metrics: set[str]) -> set[int]:
    verdicts = Verdict.objects.filter(release=release, metric_version__metric__slug__in=metrics).order_by()
    return set(verdicts.values_list("conversation__scenario_id", flat=True).distinct())


def _how(older: Release, newer: Release) -> list[Difference]:
    """Everything of how the two were made, alike or not."""
    before, now = (_made(release) for release in (older, newer))
    return [Difference(what, before.get(what, UNKNOWN), now.get(what, UNKNOWN)) for what in {**before, **now}]


def _made(release: Release) -> dict[str, str]:
    runs = list(release.runs.all())
    return {
        "Judge": _judge(release),
        "Simulated user": _model(release.user_simulator),
        "Areas": f"{release.taxonomy.title} (version {release.taxonomy.version})",
        "Who was asking": ", ".join(profile.name for profile in release.profiles.all()),
        "Most turns": _same(run.turns for run in runs),
        "Conversations per scenario and model": _setting(runs, "samples"),
        **{title.capitalize(): _setting(runs, key) for key, title in SETTINGS.items()},
        "Software": release.code_version or UNKNOWN,
        **{f"Instructions: {name}": value[:12] for name, value in sorted((release.prompt_hashes or {}).items())},
    }


def _judge(release: Release) -> str:
    if release.judge is None:
        return UNKNOWN if release.is_imported else SEVERAL
    return _model(release.judge.language_model)


def _model(model: LanguageModel | None) -> str:
    return UNKNOWN if model is None else f"{model.name} ({model.version})" if model.version else model.name


def _setting(runs: list[Run], key: str) -> str:
    return _same(run.spec.get(key) for run in runs)


def _same(values: Iterable[Any]) -> str:
    found = {UNKNOWN if value is None else str(value) for value in values}
    return found.pop() if len(found) == 1 else SEVERAL


def _table(older: Release, newer: Release, models: dict[str, str]) -> ReportTable:
    groups = {group: newer.groups.get(group, {}) for group in ("area", "subarea")}
    points = settings.REGRESSION_POINTS
    found = _changes(metric_counts([older]), metric_counts([newer]), groups, newer)
    of_taxonomy = Q(taxonomy=newer.taxonomy_id)
    places = {("area", slug): name for slug, name in Area.objects.filter(of_taxonomy).values_list("slug", "name")}
    places |= {
        ("subarea", slug): name for slug, name in Subarea.objects.filter(of_taxonomy).values_list("slug", "name")
    }
    return change_table(found, models=models, places=places, points=points)
