"""The files of a release, sent from disk."""

from http import HTTPStatus

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from impactbench.common.file_parts import NotSatisfiable, Part, PartOfFile, asked_part
from labels.errors import PageNotFound
from labels.snapshots.kept import KeptFile, kept_files
from labels.views.reports import known_release

UNCHANGING = "public, max-age=31536000, immutable"


@require_safe
def release_file(request: HttpRequest, release: str, name: str) -> HttpResponseBase:
    """One file as a download; it may be kept for good where the address has its checksum."""
    shown = known_release(release)
    files = kept_files(shown) or []
    file = next((one for one in files if one.name == name), None)
    if file is None:
        links = [(one.name, one.path) for one in files] or [(shown.title, reverse("labels:release", args=[release]))]
        message = _("%(title)s has no file named “%(name)s”.") % {"title": shown.title, "name": name}
        raise PageNotFound(message, links, _("It has these") if files else "")
    etag = quote_etag(file.sha256)
    response = get_conditional_response(request, etag=etag) or _download(request, file, etag)
    response.headers["ETag"] = etag
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["Cache-Control"] = UNCHANGING if request.GET.get("sha256") == file.sha256 else "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    # Programs in a browser read Parquet part by part.
    response.headers["Access-Control-Expose-Headers"] = "Accept-Ranges, Content-Range, ETag"
    return response


def _download(request: HttpRequest, file: KeptFile, etag: str) -> HttpResponseBase:
    """The file, the part of it that was asked for, or nothing but its headers."""
    try:
        part = asked_part(request, size=file.bytes, etag=etag)
    except NotSatisfiable:
        told = {"Content-Range": f"bytes */{file.bytes}"}
        return HttpResponse(status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers=told)
    content = _opened(file, part or Part(0, file.bytes, file.bytes))
    response = FileResponse(content, as_attachment=True, filename=file.name, content_type=file.media_type)
    response.headers["X-Content-Type-Options"] = "nosniff"
    if part is not None:
        response.status_code = HTTPStatus.PARTIAL_CONTENT
        response.headers["Content-Range"] = str(part)
    if request.method == "HEAD":
        content.close()
        return HttpResponse(headers=dict(response.headers))
    return response


def _opened(file: KeptFile, part: Part) -> PartOfFile:
    try:
        return PartOfFile(file.place, part)
    except FileNotFoundError:
        # A newer snapshot took its place at this moment.
        raise PageNotFound(_("This file is being made again. Come back in a minute.")) from None
