"""The labels: all of them, one, one of its rows, and the small one for other people's pages."""

from difflib import get_close_matches

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from evaluation.models import LanguageModel, Release
from labels import bands, glance
from labels.addresses import other_page, public_url, query_string
from labels.card import card
from labels.context import State, read_state
from labels.errors import PageNotFound
from labels.row_page import read_row_page

WEIGHTS = {"open": True, "closed": False}


@require_safe
def labels(request: HttpRequest) -> HttpResponse:
    """All labels of the release, filtered and ordered as the address says."""
    state = read_state(request)
    if state.release is None:
        return render(request, "labels/labels.html", {"state": state, "section": "labels"})
    shown = [model for model in state.targets if _is_wanted(request, model)]
    sort = _sort(request, state)
    items = glance.glances(state.release, shown, profile=state.result_profile)
    inside, outside = glance.ordered(items, sort)
    context = {
        "state": state,
        "section": "labels",
        "items": inside,
        "outside": outside,
        "n_shown": len(shown),
        "sorts": glance.SORTS,
        "sort": sort,
        "providers": sorted({model.provider for model in state.targets if model.provider}),
        "provider": request.GET.get("provider", ""),
        "weights": request.GET.get("weights", ""),
        "knows_weights": any(model.open_weights is not None for model in state.targets),
    }
    return render(request, "labels/labels.html", context)


@require_safe
def label(request: HttpRequest, model: str) -> HttpResponse:
    """One model's label, every row with its profiles, and where to go from there."""
    state, _, found = read_model(request, model)
    context = {
        "state": state,
        "section": "labels",
        "model": found,
        "card": card(request, state, found),
        "crumbs": [("Labels", other_page(request, reverse("labels:labels"))), (found.name, "")],
        "floors": {name: getattr(bands, name) for name in ("METRICS_FLOOR", "COUNTS_ONLY_BELOW", "HOLLOW_BELOW")},
        "bands": bands.spans(),
        **_addresses(request, found),
    }
    return render(request, "labels/label.html", context)


@require_safe
def label_row(request: HttpRequest, model: str, row: str) -> HttpResponse:
    """One row of a label: its metrics, and the lowest, middle and highest of them with a chat each."""
    state, release, found = read_model(request, model)
    page = read_row_page(state, release, found, row)
    context = {
        "state": state,
        "section": "labels",
        "model": found,
        "page": page,
        "crumbs": [
            ("Labels", other_page(request, reverse("labels:labels"))),
            (found.name, other_page(request, reverse("labels:label", args=[found.slug]))),
            (page.name, ""),
        ],
    }
    return render(request, "labels/label_row.html", context)


@xframe_options_exempt
@require_safe
def label_embed(request: HttpRequest, model: str) -> HttpResponse:
    """The small label for other people's pages: may be framed by anyone, carries no script and no cookie."""
    state, _, found = read_model(request, model)
    return render(request, "labels/embed.html", {"state": state, "card": card(request, state, found)})


def read_model(request: HttpRequest, slug: str) -> tuple[State, Release, LanguageModel]:
    """The page's state, its release and the model of the address; raises PageNotFound with names that come near."""
    state = read_state(request)
    found = next((target for target in state.targets if target.slug == slug), None)
    if found is not None and state.release is not None:
        return state, state.release, found
    elsewhere = Release.objects.filter(targets__slug=slug).values_list("title", "slug")
    if elsewhere:
        links = [
            (title, reverse("labels:label", args=[slug]) + query_string({"release": release}))
            for title, release in elsewhere
        ]
        raise PageNotFound("This model has no label in this release.", links, "It has one in")
    near = set(get_close_matches(slug, [target.slug for target in state.targets], n=5, cutoff=0.5))
    links = [
        (target.name, other_page(request, reverse("labels:label", args=[target.slug])))
        for target in state.targets
        if target.slug in near
    ]
    raise PageNotFound(f"There is no label of a model named “{slug}”.", links)


def _sort(request: HttpRequest, state: State) -> str:
    """The order asked for; an unknown one is ignored with a notice."""
    sort = request.GET.get("sort", "") or "name"
    if sort in glance.SORTS:
        return sort
    state.notices.append(f"“{sort}” is no order of labels, so they are listed by name.")
    return "name"


def _addresses(request: HttpRequest, model: LanguageModel) -> dict[str, str]:
    """Where the label's other forms stand: paths for links, full addresses for what is copied elsewhere."""
    paths = {
        kind: reverse(f"labels:label-{kind}", args=[model.slug]) for kind in ("svg", "png", "json", "csv", "embed")
    }
    return {
        **{f"{kind}_path": path for kind, path in paths.items()},
        "embed_address": public_url(request, paths["embed"]),
        "png_address": public_url(request, paths["png"]),
        "canonical": public_url(request, reverse("labels:label", args=[model.slug])),
    }


def _is_wanted(request: HttpRequest, model: LanguageModel) -> bool:
    provider, weights = request.GET.get("provider", ""), request.GET.get("weights", "")
    return (not provider or model.provider == provider) and (
        weights not in WEIGHTS or model.open_weights is WEIGHTS[weights]
    )
