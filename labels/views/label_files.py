"""The label as files: badge in two formats, data in two formats."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from labels.addresses import public_url, query_string
from labels.badges import badge_png, badge_svg, share_png
from labels.exports import label_table
from labels.label import Label, label_document, read_label
from labels.views.labels import read_model
from labels.views.siblings import csv_answer


@require_safe
def label_svg(request: HttpRequest, model: str) -> HttpResponse:
    """The badge as SVG."""
    label, address, is_superseded = _badge(request, model)
    svg = badge_svg(label, address, is_superseded=is_superseded)
    return HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")


@require_safe
def label_png(request: HttpRequest, model: str) -> HttpResponse:
    """The badge as PNG."""
    label, address, is_superseded = _badge(request, model)
    return HttpResponse(badge_png(label, address, is_superseded=is_superseded), content_type="image/png")


@require_safe
def label_share(request: HttpRequest, model: str) -> HttpResponse:
    """The badge in the size that services show beside a shared link."""
    label, address, is_superseded = _badge(request, model)
    return HttpResponse(share_png(label, address, is_superseded=is_superseded), content_type="image/png")


@require_safe
def label_json(request: HttpRequest, model: str) -> HttpResponse:
    """The label as data, the same as the API's."""
    _, release, found = read_model(request, model)
    return JsonResponse(label_document(release, found), json_dumps_params={"ensure_ascii": False, "indent": 1})


@require_safe
def label_csv_file(request: HttpRequest, model: str) -> HttpResponseBase:
    """The same data for a spreadsheet."""
    _, release, found = read_model(request, model)
    return csv_answer(request, label_table(f"label-{found.slug}-{release.slug}", label_document(release, found)))


def _badge(request: HttpRequest, model: str) -> tuple[Label, str, bool]:
    """The label, its address with the release pinned, and whether a newer release exists."""
    state, release, found = read_model(request, model)
    label = read_label(release, found, profiles=state.profiles, profile=state.result_profile)
    path = reverse("labels:label", args=[found.slug]) + query_string({"release": release.slug})
    return label, public_url(request, path), state.newer is not None
