"""Two to four models side by side: as on the label, by area, by metric, between groups of people, in 20 repeats."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from labels.charts.repeats import twenty_dots
from labels.comparing import AREAS, DIFFERING, FEWEST, LABEL, METRICS, MOST, PROFILES, REPEATS, VIEWS, chosen, compare
from labels.comparing_metrics import metric_page, metric_rows, split_scenarios
from labels.comparing_profiles import compare_profiles, two_profiles
from labels.context import State, read_state
from labels.repeats import repeated
from labels.views.siblings import page_files
from labels.wording import in_words

# What a view adds to the page; `True` leaves out what does not differ.
Build = Callable[[HttpRequest, State, bool], dict[str, Any]]


@require_safe
def comparison(request: HttpRequest) -> HttpResponse:
    """The chosen models in one of the views; without two of them, how to choose."""
    state, view, only_differing = read_comparison(request)
    models = chosen(state)
    context: dict[str, Any] = {
        "state": state,
        "section": "compare",
        "models": models,
        "slugs": ",".join(model.slug for model in models),
        "view": view,
        "views": _views(state),
        "only_differing": only_differing,
        "differing": DIFFERING,
        # One select a place; empty places say "None".
        "places": [*models, *([None] * (MOST - len(models)))],
    }
    if is_comparable(state):
        context |= _BUILD[view](request, state, only_differing)
        context |= page_files(request, state, *_SUFFIXES[view])
    return render(request, "labels/compare.html", context)


def is_comparable(state: State) -> bool:
    """Whether there are two models to compare."""
    return state.release is not None and len(state.models) >= FEWEST


def _views(state: State) -> list[tuple[str, str]]:
    """The views that the chosen models and the release allow."""
    return [(slug, str(name)) for slug, name in VIEWS.items() if not _why_not(state, slug)]


def _why_not(state: State, view: str) -> str:
    """Why a view cannot be shown; empty where it can."""
    if view == PROFILES and two_profiles(state) is None:
        return _("This release has no two groups of people to compare.")
    if view == REPEATS and len(chosen(state)) != FEWEST:
        return _("The 20 repeats are for two models: choose two.")
    return ""


def read_comparison(request: HttpRequest) -> tuple[State, str, bool]:
    """The state, the view, and whether only differing rows are shown; what cannot be had is ignored with a notice."""
    state = read_state(request)
    if len(state.models) > MOST:
        left_out = in_words([model.name for model in state.models[MOST:]])
        words = {"most": MOST, "models": left_out}
        state.notices.append(_("%(most)s models fit side by side, so %(models)s stayed out.") % words)
    view, only = request.GET.get("view", "") or LABEL, request.GET.get("only", "")
    if view not in VIEWS:
        state.notices.append(_("“%(value)s” is no view of this page, so it was ignored.") % {"value": view})
        view = LABEL
    elif is_comparable(state) and (why := _why_not(state, view)):
        state.notices.append(why)
        view = LABEL
    if only not in ("", DIFFERING):
        state.notices.append(_("“%(value)s” is not known here as only, so it was ignored.") % {"value": only})
    return state, view, only == DIFFERING


def _rows(request: HttpRequest, state: State, only_differing: bool) -> dict[str, Any]:
    view = AREAS if request.GET.get("view") == AREAS else LABEL
    return {
        "comparison": compare(request, state, view=view, only_differing=only_differing),
        "split": split_scenarios(request, state),
    }


def _metrics(request: HttpRequest, state: State, only_differing: bool) -> dict[str, Any]:
    page = metric_page(request, state, only_differing=only_differing)
    return {"page": page, "metric_rows": metric_rows(request, state, page)}


def _profiles(request: HttpRequest, state: State, only_differing: bool) -> dict[str, Any]:
    both = two_profiles(state)
    assert both is not None
    blocks = compare_profiles(request, state, both, only_differing=only_differing)
    return {
        "both": both,
        "profile_blocks": blocks,
        "n_rows": sum(block.n_rows for block in blocks),
        "n_differ": sum(block.n_differ for block in blocks),
    }


def _repeats(request: HttpRequest, state: State, only_differing: bool) -> dict[str, Any]:
    assert state.release is not None
    made = compare(request, state, only_differing=only_differing)
    rows = repeated(state.release, made.models, made.blocks, profile=state.result_profile)
    dots = [(row, twenty_dots(row.kind.polarity, row.n_higher, row.n_level, row.n_lower)) for row in rows]
    return {"comparison": made, "repeats": dots}


_BUILD: dict[str, Build] = {
    LABEL: _rows, AREAS: _rows, METRICS: _metrics, PROFILES: _profiles, REPEATS: _repeats,
}  # fmt: skip
# The chart stands in the views of rows only.
_TABLES = ("csv", "xlsx", "json")
_SUFFIXES = {view: (*_TABLES, "svg") if view in (LABEL, AREAS) else _TABLES for view in VIEWS}
