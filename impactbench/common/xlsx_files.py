"""The one writer of workbooks for spreadsheets: text is text, numbers are numbers, nothing is a formula or a link."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from tempfile import TemporaryFile
from typing import IO, Any

import xlsxwriter
from django.conf import settings
from django.http import StreamingHttpResponse

from impactbench.common.downloads import streamed_download

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# What a cell holds at most, and a sheet below its header; a number with more digits is not exact any more.
LONGEST_CELL = 32_767
MOST_ROWS = 1_048_575
_LARGEST_EXACT = 2**53
_CHUNK = 64 * 1024
# Rows go to a file as they come; text is never taken for a formula, a number or a link.
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


def xlsx_response(
    filename: str, header: Sequence[str], rows: Iterable[Iterable[object]], *, about: Sequence[tuple[str, str]] = ()
) -> StreamingHttpResponse:
    """The rows as a workbook to download: sheet "Data" with a header that stays in sight, and sheet "About".

    `about` are (what, words) beside the date and the licence. `rows` may be a generator; no more than a row of them is
    held in memory.
    """
    return streamed_download(_chunks(header, rows, about), filename=filename, content_type=XLSX)


def write_workbook(
    file: IO[bytes], header: Sequence[str], rows: Iterable[Iterable[object]], about: Sequence[tuple[str, str]] = ()
) -> None:
    """Write the workbook into a file that is open for writing; rows beyond the last line of a sheet are counted."""
    book = xlsxwriter.Workbook(file, _OPTIONS)
    bold = book.add_format({"bold": True})
    data, told = book.add_worksheet("Data"), book.add_worksheet("About")
    data.freeze_panes(1, 0)
    _write_row(data, 0, header, bold)
    n = 0
    for n, row in enumerate(rows, start=1):
        if n <= MOST_ROWS:
            _write_row(data, n, row)
    told.set_column(0, 0, 20)
    told.set_column(1, 1, 100)
    for line, pair in enumerate(_about(about, n)):
        _write_row(told, line, pair)
    book.close()


def _chunks(
    header: Sequence[str], rows: Iterable[Iterable[object]], about: Sequence[tuple[str, str]]
) -> Iterator[bytes]:
    with TemporaryFile() as file:
        write_workbook(file, header, rows, about)
        file.seek(0)
        while chunk := file.read(_CHUNK):
            yield chunk


def _about(about: Sequence[tuple[str, str]], n_rows: int) -> Iterator[tuple[str, object]]:
    yield "Made by", "ImpactBench"
    yield "Date", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    yield from ((what, words) for what, words in about if words)
    yield "Rows", n_rows
    if n_rows > MOST_ROWS:
        yield "Left out", f"{n_rows - MOST_ROWS:,} rows that have no room in a sheet; the CSV file has them all."
    yield "Licence", settings.SITE_LICENCE or "not stated by the operator of this site"


def _write_row(sheet: Any, line: int, row: Iterable[object], style: Any = None) -> None:
    for column, value in enumerate(row):
        match _cell(value):
            case None:
                continue
            case bool() as word:
                sheet.write_boolean(line, column, word, style)
            case float() | int() as number:
                sheet.write_number(line, column, number, style)
            case text:
                sheet.write_string(line, column, text, style)


def _cell(value: object) -> str | float | bool | None:
    """The value as a cell can hold it: what is missing or no number stays empty, what is too long is cut."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Decimal | float | int):
        return _number(value)
    text = str(value)
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


def _number(value: Decimal | float) -> str | float | None:
    number = float(value)
    if not math.isfinite(number):
        return None
    return str(value) if abs(number) >= _LARGEST_EXACT else number
