"""The other forms of a page: the same address with `.csv`, `.json` or `.svg` and the identical query.

A view that shows numbers has a sibling view for each form, at the page's address without its last slash:

    path("explore/<slug:area>.csv", explore.area_csv)
    def area_csv(request, area): return csv_answer(request, _table(...))

and its page gets the links by `**page_files(request, state, "csv", "json", "svg")` in the context and
`{% include "components/_files.html" %}` in the template.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import content_disposition_header

from labels.addresses import public_url, query_string
from labels.context import State
from labels.tables import Table, csv_text, document


def page_files(request: HttpRequest, state: State, *suffixes: str) -> dict[str, object]:
    """What `components/_files.html` shows: the page's siblings, and its address with the release pinned."""
    return {
        "files": [(suffix.upper(), sibling(request, suffix)) for suffix in suffixes],
        "pinned_address": pinned_address(request, state),
    }


def sibling(request: HttpRequest, suffix: str) -> str:
    """The address of this page's other form, with the same query."""
    return f"{request.path.rstrip('/')}.{suffix}" + query_string(_query(request))


def pinned_address(request: HttpRequest, state: State) -> str:
    """The full address of this page that shows the same release for ever."""
    release = state.release.slug if state.release else ""
    return public_url(request, request.path + query_string({**_query(request), "release": release}))


def csv_answer(request: HttpRequest, table: Table) -> HttpResponse:
    """The table as a CSV download; `?bom=1` for spreadsheets that guess at UTF-8."""
    text = "".join(csv_text(table, bom=request.GET.get("bom") == "1"))
    return _download(text, f"{table.name}.csv", "text/csv; charset=utf-8")


def json_answer(table: Table) -> HttpResponse:
    """The table as JSON."""
    return JsonResponse(document(table), json_dumps_params={"ensure_ascii": False, "indent": 1})


def svg_answer(svg: str, name: str) -> HttpResponse:
    """A chart as a document of its own, shown by a browser."""
    response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    response.headers["Content-Disposition"] = content_disposition_header(False, f"{name}.svg") or "inline"
    return response


def _download(text: str, name: str, content_type: str) -> HttpResponse:
    response = HttpResponse(text, content_type=content_type)
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def _query(request: HttpRequest) -> dict[str, str]:
    """The page's parameters; the models of `m` may be repeated, as check boxes send them."""
    values = {name: request.GET.get(name, "") for name in request.GET}
    if "m" in values:
        values["m"] = ",".join(part for part in request.GET.getlist("m") if part)
    return values
