"""Joins the criteria of a benchmark that say the same, so that one behaviour is one metric with all its scenarios."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from evaluation.importers.formats.draft_keys import same_words
from evaluation.importers.formats.draft_types import MetricDraft, ScenarioDraft

MOST_PLACES = 20
MOST_EXAMPLES = 3
ALSO_AT = "also at"
OCCURRENCES = "occurrences"


def join_equal(
    metrics: Iterable[MetricDraft], scenarios: Iterable[ScenarioDraft]
) -> tuple[tuple[MetricDraft, ...], tuple[ScenarioDraft, ...]]:
    """The drafts with equal criteria joined under the first one's key, and the scenarios that now point to it.

    Equal are the same words (`draft_keys.same_words`) with the same proposed polarity. The first keeps its words and
    its place; the places of the others are kept in the label 'also at', how many there are in 'occurrences'. Citations
    and flags are joined, examples up to three; weights that differ are flagged and the first one stays.
    """
    groups: dict[tuple[str, str | None], list[MetricDraft]] = {}
    for metric in metrics:
        groups.setdefault((same_words(metric.definition), metric.proposal.polarity), []).append(metric)
    kept_key = {metric.key: group[0].key for group in groups.values() for metric in group}
    return tuple(map(_joined, groups.values())), tuple(_pointing(scenario, kept_key) for scenario in scenarios)


def _joined(group: list[MetricDraft]) -> MetricDraft:
    first, *others = group
    if not others:
        return first
    labels = dict(first.labels)
    for metric in others:
        labels = {**metric.labels, **labels}
    return replace(
        first,
        examples_present=_once(group, "examples_present")[:MOST_EXAMPLES],
        examples_absent=_once(group, "examples_absent")[:MOST_EXAMPLES],
        subareas=_once(group, "subareas"),
        citations=_once(group, "citations"),
        labels={**labels, OCCURRENCES: str(len(group)), ALSO_AT: _places(others)},
        flags=_flags(group),
    )


def _once(group: Iterable[MetricDraft], field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for metric in group for text in getattr(metric, field)))


def _places(others: list[MetricDraft]) -> str:
    places = [metric.origin.place for metric in others[:MOST_PLACES]]
    if len(others) > MOST_PLACES:
        places.append(f"{len(others) - MOST_PLACES} more")
    return "; ".join(places)


def _flags(group: list[MetricDraft]) -> tuple[str, ...]:
    flags = _once(group, "flags")
    weights = list(dict.fromkeys(metric.weight for metric in group))
    if len(weights) > 1:
        stated = ", ".join("none" if weight is None else f"{weight:g}" for weight in weights)
        flags = (*flags, f"its weights differ in the source ({stated}); the first one is kept")
    return flags


def _pointing(scenario: ScenarioDraft, kept_key: Mapping[str, str]) -> ScenarioDraft:
    keys = tuple(dict.fromkeys(kept_key.get(key, key) for key in scenario.metric_keys))
    return scenario if keys == scenario.metric_keys else replace(scenario, metric_keys=keys)
