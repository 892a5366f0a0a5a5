"""My concerns: the models under a reader's own weights, all of it in the address."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from labels import queries
from labels.addresses import same_page
from labels.concerns import FIELD, WEIGHTS, Concern, choices, of_form, read_weights, weights_text
from labels.context import State, read_state
from labels.ordering import by_name
from labels.tables import Table, release_table
from labels.views.siblings import csv_answer, json_answer, page_files
from labels.weighing import Beside, WeighedBlock, weigh

COLUMNS = (
    "model", "polarity", "profile", "weights", "n_metrics", "n_judged", "weighted_rate", "ci_low", "ci_high",
    "ci_method", "n_draws", "place_low", "place_high", "higher_than", "lower_than", "not_told_from", "missing",
)  # fmt: skip


@require_safe
def concerns(request: HttpRequest) -> HttpResponse:
    """The form and, once something counts, both numbers of each model; the form's own fields become `weights`."""
    if (text := of_form({name: request.GET.get(name, "") for name in request.GET})) is not None:
        return HttpResponseRedirect(request.path + same_page(request, weights=text))
    state = read_state(request)
    tree, chosen, blocks = _read(request, state)
    context: dict[str, Any] = {
        "state": state,
        "section": "concerns",
        "choices": choices(tree, chosen),
        "concerns": chosen,
        "levels": WEIGHTS.items(),
        "field": FIELD,
        "blocks": blocks,
        "n_models": len(state.models or state.targets),
    }
    if blocks:
        context |= page_files(request, state, "csv", "xlsx", "json")
    return render(request, "labels/concerns.html", context)


@require_safe
def concerns_csv(request: HttpRequest) -> HttpResponseBase:
    """The same numbers as CSV."""
    return csv_answer(request, _table(request))


@require_safe
def concerns_json(request: HttpRequest) -> HttpResponse:
    """The same numbers as JSON."""
    return json_answer(_table(request))


def _read(request: HttpRequest, state: State) -> tuple[list[queries.Place], list[Concern], list[WeighedBlock]]:
    if state.release is None:
        return [], [], []
    tree = queries.places(state.release)
    text = request.GET.get("weights", "")
    chosen = read_weights(text, tree, state.notices)
    if text and not chosen:
        state.notices.append(_("Nothing counts yet: give at least one area a weight above 0."))
    if not chosen:
        return tree, [], []
    models = by_name(state.models or state.targets)
    return tree, chosen, weigh(state.release, models, chosen, profile=state.result_profile)


def _table(request: HttpRequest) -> Table:
    state = read_state(request)
    _tree, chosen, blocks = _read(request, state)
    weights = weights_text({concern.place.slug: concern.weight for concern in chosen})
    n_draws = state.release.resamples if state.release else 0
    rows = [
        [
            row.model.slug, row.polarity, state.result_profile, weights, row.n_metrics, row.n_judged,
            row.pass_rate, row.ci_low, row.ci_high,
            "none" if row.ci_low is None else "metric-cluster-bootstrap", n_draws,
            row.weighted.rank_low, row.weighted.rank_high, *_beside(row.beside), row.why or None,
        ]
        for block in blocks
        for row in block.rows
    ]  # fmt: skip
    return release_table(state.release, "concerns", COLUMNS, rows)


def _beside(beside: Beside | None) -> tuple[int | None, ...]:
    return (None, None, None) if beside is None else (beside.n_higher, beside.n_lower, beside.n_level)
