"""The one writer of CSV: what people wrote stays text, in whatever program the file is opened."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from django.http import StreamingHttpResponse

from impactbench.common.downloads import streamed_download

BOM = "\ufeff"
# A spreadsheet would run a cell that begins so as a formula; the wide forms count in East Asian ones.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\x00", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def safe_cell(value: object) -> object:
    """Text that a spreadsheet cannot take for a formula; numbers as they are, None as nothing."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return "" if value is None else value


def csv_lines(
    header: Sequence[str],
    rows: Iterable[Iterable[object]],
    *,
    bom: bool = False,
    quoting: Literal[0, 1, 2, 3] = csv.QUOTE_NONNUMERIC,
) -> Iterator[str]:
    """The lines of a CSV file, the header first, one at a time; `bom` for programs that guess at UTF-8.

    Text is quoted: where a semicolon separates cells, one inside a text would start a cell that nobody made safe.
    """
    line = io.StringIO()
    writer = csv.writer(line, quoting=quoting)
    line.write(BOM if bom else "")
    yield _written(line, writer, header)
    for row in rows:
        yield _written(line, writer, row)


def csv_response(
    filename: str, header: Sequence[str], rows: Iterable[Iterable[object]], *, bom: bool = False
) -> StreamingHttpResponse:
    """The rows as a download that is written while it is sent; `rows` may be a generator."""
    lines = csv_lines(header, rows, bom=bom)
    return streamed_download(lines, filename=filename, content_type="text/csv; charset=utf-8")


def _written(line: io.StringIO, writer: Any, row: Iterable[object]) -> str:
    writer.writerow([safe_cell(value) for value in row])
    text = line.getvalue()
    line.seek(0)
    line.truncate()
    return text
