"""oEmbed: an address of a label in, what to put on another page out."""

from urllib.parse import SplitResult, parse_qs, urlsplit

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from labels.addresses import public_url
from labels.context import releases_newest_first
from labels.embedding import embedding
from labels.embedding import oembed as answer

EMBEDDED_VIEWS = ("labels:label", "labels:label-embed", "labels:label-svg", "labels:label-png")


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """The oEmbed answer; 404 for an address that is no label's, 400 for a size that is none, 501 for XML."""
    if request.GET.get("format", "json") != "json":
        return _problem(_("Only JSON is answered here: leave “format” out."), 501)
    try:
        room = (_pixels(request, "maxwidth"), _pixels(request, "maxheight"))
    except ValueError:
        return _problem(_("“maxwidth” and “maxheight” are whole numbers of pixels, 1 or more."), 400)
    asked = _address(request.GET.get("url", ""))
    model, query = _model(request, asked.netloc, asked.path), parse_qs(asked.query)
    release, profile = (query.get(name, [""])[0] for name in ("release", "profile"))
    releases = releases_newest_first()
    shown = releases.filter(slug=release).first() if release else releases.filter(status="published").first()
    name = shown.targets.filter(slug=model).values_list("name", flat=True).first() if shown and model else None
    if name is None:
        return _problem(_("“url” has to be the address of a label on this site."), 404)
    known_profile = profile if shown and shown.profiles.filter(slug=profile).exists() else ""
    found = embedding(request, model, name, release=release, profile=known_profile)
    response = JsonResponse(answer(request, found, room=room))
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _address(text: str) -> SplitResult:
    """The parts of an address; empty ones where it is none, such as one with half a bracket."""
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("")


def _model(request: HttpRequest, host: str, path: str) -> str:
    """The slug that an address of a label names; nothing for other sites and other pages."""
    if host != urlsplit(public_url(request, "/")).netloc:
        return ""
    try:
        match = resolve(path)
    except Resolver404:
        return ""
    return str(match.kwargs["model"]) if match.view_name in EMBEDDED_VIEWS else ""


def _pixels(request: HttpRequest, name: str) -> int | None:
    """The number of pixels asked for; None without one. Raises ValueError where it is no such number."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) > 0):
        raise ValueError(text)
    return int(text)


def _problem(message: str, status: int) -> HttpResponse:
    return JsonResponse({"error": message}, status=status)
