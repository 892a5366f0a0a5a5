"""The numbers of an Explore page, in the view that the address asks for, as a table for its CSV and JSON."""

from collections.abc import Iterable

from django.http import HttpRequest

from evaluation.models import LanguageModel, Result
from labels import exploring
from labels.differences import Place as Standing
from labels.explore_place import Position, read_results, read_subarea_results
from labels.queries import Place
from labels.tables import RESULT_COLUMNS, Table, release_table, result_values

COLUMNS = (
    "group", "key", "place", "model", "model_name", "polarity", "profile",
    *RESULT_COLUMNS,
    "ci50_low", "ci50_high", "tie_group", "rank_low", "rank_high", "outside_order",
)  # fmt: skip
# Views whose numbers are those of the subareas.
BY_SUBAREA = ("grid", "wheel")


def explore_table(request: HttpRequest, position: Position) -> Table:
    """What the page shows: the shown models and all together, of the place, or of its subareas in grid and wheel.

    Rates are fractions. Places in an order (`tie_group`, `rank_low`, `rank_high`) exist for the place itself only;
    `outside_order` says why a model has none.
    """
    models = {model.pk: model for model in exploring.shown_models(position.state)}
    if request.GET.get("view") in BY_SUBAREA:
        places = [part for area in position.shown_tree for part in area.parts]
        results, standings = read_subarea_results(position), {}
    else:
        places, results = [position.place], read_results(position)
        standings = exploring.standings(position.state, results, group=position.group, key=position.place.slug)
    rows = list(_rows(position, places, results, models, standings))
    return release_table(position.release, position.file_name, COLUMNS, rows)


def _rows(
    position: Position,
    places: list[Place],
    results: Iterable[Result],
    models: dict[int, LanguageModel],
    standings: dict[tuple[str, int], Standing],
) -> Iterable[list[object]]:
    """By place, kind and model's name; all models together last."""
    found = {(result.key, result.polarity, result.model_id): result for result in results}
    for place in places:
        for polarity in position.state.polarities:
            for pk, model in [*models.items(), (None, None)]:
                result = found.get((place.slug, polarity, pk))
                if result is not None:
                    yield _row(place, result, model, standings.get((polarity, pk)) if pk else None)


def _row(place: Place, result: Result, model: LanguageModel | None, standing: Standing | None) -> list[object]:
    places = (standing.tie_group, standing.rank_low, standing.rank_high) if standing else (None, None, None)
    return [
        result.group, result.key, place.name,
        model.slug if model else None, model.name if model else None,
        result.polarity, result.profile,
        *result_values(result),
        result.ci50_low, result.ci50_high,
        *places,
        standing.why or None if standing else None,
    ]  # fmt: skip
