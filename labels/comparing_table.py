"""A comparison as a table for spreadsheets and programs: one line for each number and each pair."""

from collections.abc import Iterator

from django.http import HttpRequest

from evaluation.models import LanguageModel
from labels.comparing import AREAS, LABEL, METRICS, PROFILES, ComparedRow, chosen, compare
from labels.comparing_metrics import counted_metrics
from labels.comparing_profiles import Between, ProfileRow, compare_profiles, two_profiles
from labels.context import State
from labels.differences import Difference
from labels.tables import RESULT_COLUMNS, Table, release_table, result_values

NAMES = ("row", "group", "key", "polarity", "profile", "model", "beside")
OF_PAIR = ("said", "why", "difference", "difference_low", "difference_high", "shared_metrics")
COLUMNS = (*NAMES, *RESULT_COLUMNS, *OF_PAIR)
METRIC_COLUMNS = ("metric", "polarity", "profile", "model", "n_passed", "n_judged")
_NO_RESULT: list[object] = [None] * len(RESULT_COLUMNS)
_NO_PAIR: list[object] = [None] * len(OF_PAIR)


def compared_table(request: HttpRequest, state: State, *, view: str, only_differing: bool) -> Table:
    """The numbers of the view: a line for each model of a row, then one for each pair (`beside` names the second)."""
    if state.release is None:
        return Table("compare", COLUMNS, [])
    if len(chosen(state)) < 2:
        return release_table(state.release, "compare", COLUMNS, [])
    if view == METRICS:
        return release_table(state.release, "compare-metrics", METRIC_COLUMNS, list(_metrics(state, only_differing)))
    if view == PROFILES:
        return release_table(
            state.release, "compare-profiles", COLUMNS, list(_profiles(request, state, only_differing))
        )
    made = compare(request, state, view=AREAS if view == AREAS else LABEL, only_differing=only_differing)
    rows = [line for block in made.blocks for row in (block.everything, *block.shown) for line in _lines(row, state)]
    return release_table(state.release, f"compare-{AREAS}" if view == AREAS else "compare", COLUMNS, rows)


def _lines(row: ComparedRow, state: State) -> Iterator[list[object]]:
    place = row.place
    names = [place.title.given or place.title.name, place.group, place.key, place.polarity, state.result_profile]
    for side in row.sides:
        yield [*names, side.model.slug, None, *result_values(side.cell.result), *_NO_PAIR]
    for pair in row.pairs:
        yield [*names, pair.a.slug, pair.b.slug, *_NO_RESULT, *_of(pair.difference)]


def _of(difference: Difference) -> list[object]:
    return [
        difference.said.value, difference.why or None,
        difference.value, difference.low, difference.high, difference.n_metrics or None,
    ]  # fmt: skip


def _profiles(request: HttpRequest, state: State, only_differing: bool) -> Iterator[list[object]]:
    both = two_profiles(state)
    assert both is not None
    for block in compare_profiles(request, state, both, only_differing=only_differing):
        for row in (block.everything, *block.rows):
            for one in row.models:
                yield from _between(row, one, block.kind.polarity, [profile.slug for profile in both])


def _between(row: ProfileRow, one: Between, polarity: str, profiles: list[str]) -> Iterator[list[object]]:
    results = [cell.result for cell in one.cells]
    place = next(([result.group, result.key] for result in results if result), [None, None])
    names: list[object] = [row.title.given or row.title.name, *place, polarity]
    for profile, result in zip(profiles, results, strict=True):
        yield [*names, profile, one.model.slug, None, *result_values(result), *_NO_PAIR]
    yield [*names, " - ".join(profiles), one.model.slug, one.model.slug, *_NO_RESULT, *_of(one.difference)]


def _metrics(state: State, only_differing: bool) -> Iterator[list[object]]:
    models: list[LanguageModel] = chosen(state)
    for one in counted_metrics(state, only_differing=only_differing):
        for model, counted in zip(models, one.counts, strict=True):
            facts = [one.version.metric.slug, one.version.polarity, state.result_profile, model.slug]
            yield [*facts, *(counted or (None, None))]
