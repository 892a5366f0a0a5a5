"""The other forms of a page: the same address with `.csv`, `.xlsx`, `.json` or `.svg` and the identical query.

A view that shows numbers has a sibling view for each form, at the page's address without its last slash:

    path("explore/<slug:area>.csv", explore.area_csv)
    def area_csv(request, area): return csv_answer(request, _table(...))

and its page gets the links by `**page_files(request, state, "csv", "json", "svg")` in the context and
`{% include "components/_files.html" %}` in the template.
"""

from collections.abc import Iterable, Sequence

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from impactbench.common.csv_files import csv_response
from impactbench.common.xlsx_files import xlsx_response
from labels.addresses import public_url, query_string
from labels.context import State
from labels.tables import Table, csv_text, document

XLSX_ENDING = ".xlsx"


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


def csv_answer(request: HttpRequest, table: Table) -> HttpResponseBase:
    """The table as a CSV download; `?bom=1` for spreadsheets that guess at UTF-8.

    Where the address ends in `.xlsx` it is a workbook with the same columns and lines.
    """
    if request.path.endswith(XLSX_ENDING):
        return _workbook(request, table)
    text = "".join(csv_text(table, bom=request.GET.get("bom") == "1"))
    return _download(text, f"{table.name}.csv", "text/csv; charset=utf-8")


def rows_answer(
    request: HttpRequest,
    name: str,
    columns: Sequence[str],
    rows: Iterable[Iterable[object]],
    about: Sequence[tuple[str, str]] = (),
) -> HttpResponseBase:
    """Rows that may be many, sent as they are read: as CSV, or as a workbook where the address ends in `.xlsx`."""
    if request.path.endswith(XLSX_ENDING):
        return xlsx_response(f"{name}.xlsx", columns, rows, about=about)
    return csv_response(f"{name}.csv", columns, rows, bom=request.GET.get("bom") == "1")


def _workbook(request: HttpRequest, table: Table) -> HttpResponseBase:
    """What goes into every line of a CSV stands once, in the sheet "About"."""
    about = [
        (_("Release"), table.release),
        (_("Address, with what was chosen"), public_url(request, request.path + query_string(_query(request)))),
        (_("Read first"), " ".join(table.notes)),
    ]
    return xlsx_response(f"{table.name}.xlsx", table.columns, table.rows, about=about)


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
