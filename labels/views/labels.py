"""The labels: all of them, one, one of its rows, and the small one for other people's pages."""

from difflib import get_close_matches

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from evaluation.models import LanguageModel, Release
from labels import bands, glance
from labels.addresses import other_page, public_url, query_string
from labels.card import card
from labels.context import State, read_state
from labels.embedding import embedding
from labels.errors import PageNotFound
from labels.glance_table import glance_table
from labels.label import about_metrics
from labels.row_page import RowPage, read_row_page
from labels.row_table import row_table
from labels.tables import Table
from labels.views.siblings import csv_answer, json_answer, page_files, pinned_address
from labels.weakest import weakest_spot_rule

WEIGHTS = {"open": True, "closed": False}


@require_safe
def labels(request: HttpRequest) -> HttpResponse:
    """All labels of the release, filtered and ordered as the address says."""
    state = read_state(request)
    if state.release is None:
        return render(request, "labels/labels.html", {"state": state, "section": "labels"})
    sort = _sort(request, state)
    inside, outside = _gallery(request, state, state.release, sort)
    context = {
        "state": state,
        "section": "labels",
        "items": inside,
        "outside": outside,
        "n_shown": len(inside) + len(outside),
        "sorts": glance.SORTS,
        "sort": sort,
        "providers": sorted({model.provider for model in state.targets if model.provider}),
        "provider": request.GET.get("provider", ""),
        "weights": request.GET.get("weights", ""),
        "knows_weights": any(model.open_weights is not None for model in state.targets),
        **page_files(request, state, "csv", "xlsx", "json"),
    }
    return render(request, "labels/labels.html", context)


@require_safe
def labels_csv(request: HttpRequest) -> HttpResponseBase:
    """The gallery's numbers as CSV, filtered and ordered alike."""
    return csv_answer(request, _gallery_table(request))


@require_safe
def labels_json(request: HttpRequest) -> HttpResponse:
    """The gallery's numbers as JSON."""
    return json_answer(_gallery_table(request))


@require_safe
def label(request: HttpRequest, model: str) -> HttpResponse:
    """One model's label, every row with its profiles, and where to go from there."""
    state, release, found = read_model(request, model)
    context = {
        "state": state,
        "section": "labels",
        "model": found,
        "card": card(request, state, found),
        "crumbs": [(_("Labels"), other_page(request, reverse("labels:labels"))), (found.name, "")],
        "bands": bands.spans(),
        "about_metrics": about_metrics(release),
        "weakest_rule": weakest_spot_rule(),
        "is_print": request.GET.get("print") == "1",
        "embedding": embedding(
            request,
            found.slug,
            found.name,
            release=state.pinned_slug,
            profile="" if state.profile == "both" else state.profile,
        ),
        **_addresses(request, state, found),
    }
    return render(request, "labels/label.html", context)


@require_safe
def label_row(request: HttpRequest, model: str, row: str) -> HttpResponse:
    """One row of a label: its metrics, and its worst, typical and best conversation."""
    state, _release, found, page = _read_row(request, model, row)
    context = {
        "state": state,
        "section": "labels",
        "model": found,
        "page": page,
        "crumbs": [
            (_("Labels"), other_page(request, reverse("labels:labels"))),
            (found.name, other_page(request, reverse("labels:label", args=[found.slug]))),
            (page.name, ""),
        ],
        **page_files(request, state, "csv", "xlsx", "json"),
    }
    return render(request, "labels/label_row.html", context)


@require_safe
def label_row_csv(request: HttpRequest, model: str, row: str) -> HttpResponseBase:
    """The metrics of one row as CSV."""
    _state, release, found, page = _read_row(request, model, row)
    return csv_answer(request, row_table(release, found, row, page))


@require_safe
def label_row_json(request: HttpRequest, model: str, row: str) -> HttpResponse:
    """The metrics of one row as JSON."""
    _state, release, found, page = _read_row(request, model, row)
    return json_answer(row_table(release, found, row, page))


@xframe_options_exempt
@require_safe
def label_embed(request: HttpRequest, model: str) -> HttpResponse:
    """The small label for other people's pages: may be framed by anyone, carries no script and no cookie."""
    state, _release, found = read_model(request, model)
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
        raise PageNotFound(_("This model has no label in this release."), links, _("It has one in"))
    near = set(get_close_matches(slug.casefold(), [target.slug for target in state.targets], n=5, cutoff=0.5))
    links = [
        (target.name, other_page(request, reverse("labels:label", args=[target.slug])))
        for target in state.targets
        if target.slug in near
    ]
    raise PageNotFound(_("There is no label of a model named “%(slug)s”.") % {"slug": slug}, links)


def _read_row(request: HttpRequest, model: str, row: str) -> tuple[State, Release, LanguageModel, RowPage]:
    state, release, found = read_model(request, model)
    return state, release, found, read_row_page(state, release, found, row)


def _gallery(
    request: HttpRequest, state: State, release: Release, sort: str
) -> tuple[list[glance.Glance], list[glance.Glance]]:
    """The wanted labels: those in order, and those outside an order by number."""
    shown = [model for model in state.targets if _is_wanted(request, model)]
    return glance.ordered(glance.glances(release, shown, profile=state.result_profile), sort)


def _gallery_table(request: HttpRequest) -> Table:
    state = read_state(request)
    if state.release is None:
        raise PageNotFound(_("Nothing has been published yet."))
    inside, outside = _gallery(request, state, state.release, _sort(request, state))
    return glance_table(state.release, [*inside, *outside])


def _sort(request: HttpRequest, state: State) -> str:
    """The order asked for; an unknown one is ignored with a notice."""
    sort = request.GET.get("sort", "") or "name"
    if sort in glance.SORTS:
        return sort
    state.notices.append(_("“%(sort)s” is no order of labels, so they are listed by name.") % {"sort": sort})
    return "name"


def _addresses(request: HttpRequest, state: State, model: LanguageModel) -> dict[str, object]:
    """Where the label's other forms stand, and the full address of its picture for link previews."""
    forms = {"svg": _("SVG badge"), "png": _("PNG badge"), "csv": "CSV", "json": "JSON"}
    files = [(name, reverse(f"labels:label-{kind}", args=[model.slug])) for kind, name in forms.items()]
    picture = reverse("labels:label-share", args=[model.slug]) + query_string({"release": state.pinned_slug})
    return {
        "files": [(name, other_page(request, path)) for name, path in files],
        "pinned_address": pinned_address(request, state),
        "share_address": public_url(request, picture),
    }


def _is_wanted(request: HttpRequest, model: LanguageModel) -> bool:
    provider, weights = request.GET.get("provider", ""), request.GET.get("weights", "")
    return (not provider or model.provider == provider) and (
        weights not in WEIGHTS or model.open_weights is WEIGHTS[weights]
    )
