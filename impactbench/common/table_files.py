"""A table that somebody sees, as a file in each kind that people and programs use: CSV, workbook and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from django.http import HttpResponseBase, StreamingHttpResponse
from django.urls import URLPattern, path

from impactbench.common.csv_files import csv_response
from impactbench.common.downloads import streamed_download
from impactbench.common.xlsx_files import xlsx_response

KINDS = ("csv", "xlsx", "json")


def table_paths(route: str, view: Callable[..., HttpResponseBase], name: str) -> list[URLPattern]:
    """`route.csv`, `route.xlsx` and `route.json`, named `name-csv` and so on; the view is told its `kind`."""
    return [path(f"{route}.{kind}", view, {"kind": kind}, name=f"{name}-{kind}") for kind in KINDS]


def table_response(
    kind: str,
    name: str,
    header: Sequence[str],
    rows: Iterable[Iterable[object]],
    *,
    about: Sequence[tuple[str, str]] = (),
) -> StreamingHttpResponse:
    """The rows as a download of one of `KINDS`, written while it is sent; `name` has no ending.

    `rows` may be a generator. CSV carries the mark of UTF-8; lists in cells of CSV and workbooks are JSON text. JSON is
    `{"rows": [{column: value}]}`.
    """
    if kind == "json":
        return streamed_download(_json(header, rows), filename=f"{name}.json", content_type="application/json")
    cells = ([_cell(value) for value in row] for row in rows)
    if kind == "xlsx":
        return xlsx_response(f"{name}.xlsx", header, cells, about=about)
    return csv_response(f"{name}.csv", header, cells, bom=True)


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _json(header: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    before = '{"rows": [\n'
    for row in rows:
        item: dict[str, Any] = dict(zip(header, row, strict=True))
        yield before + json.dumps(item, ensure_ascii=False, default=str)
        before = ",\n"
    yield "\n]}\n" if before == ",\n" else f"{before}]}}\n"
