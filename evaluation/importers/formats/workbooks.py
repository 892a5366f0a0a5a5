"""Reads the first sheet of an XLSX workbook as rows of text: values only, no formulas, no macros, no links."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET  # nosec B405

from evaluation.importers.formats.deadline import Deadline
from evaluation.importers.formats.positions import MAX_BYTES
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.tables import MAX_COLUMNS, MAX_ROWS, Row

# What a part may unpack to; a sheet of 100,000 rows of an expert's words stays far below.
MAX_PART_BYTES = 100_000_000
_SHEET, _STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
_NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")


def is_workbook(file: Path) -> bool:
    """Whether it is a zip with a first sheet in it. Never raises."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _SHEET in archive.namelist()
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


def read_workbook(file: Path) -> list[Row]:
    """The rows of the first sheet without empty ones; a formula gives the value that was saved with it.

    Raises FileProblem for a file over 20 MB, a broken or encrypted one, one that unpacks too large, or over 100,000
    rows.
    """
    if file.stat().st_size > MAX_BYTES:
        raise FileProblem(file, f"is larger than {MAX_BYTES // 1_000_000} MB; split it")
    try:
        with zipfile.ZipFile(file) as archive:
            strings = _strings(_part(file, archive, _STRINGS)) if _STRINGS in archive.namelist() else []
            return list(_rows(file, _part(file, archive, _SHEET), strings))
    except (zipfile.BadZipFile, ET.ParseError, KeyError, ValueError, RuntimeError, NotImplementedError):
        raise FileProblem(file, "is no workbook that can be read; save it as XLSX or CSV without a password") from None


def _part(file: Path, archive: zipfile.ZipFile, name: str) -> ET.Element:
    with archive.open(name) as opened:
        content = opened.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES:
        raise FileProblem(file, f"unpacks to more than {MAX_PART_BYTES // 1_000_000} MB; split it")
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise FileProblem(file, "declares a document type, which no spreadsheet program writes; save it anew")
    return ET.fromstring(content)  # noqa: S314  (without a document type there is nothing to expand)  # nosec B314


def _strings(root: ET.Element) -> list[str]:
    return ["".join(part.text or "" for part in item.iter(f"{_NS}t")) for item in root.iter(f"{_NS}si")]


def _rows(file: Path, root: ET.Element, strings: list[str]) -> Iterator[Row]:
    deadline, n_rows = Deadline(file), 0
    for number, row in enumerate(root.iter(f"{_NS}row"), start=1):
        deadline.check()
        at = int(row.get("r") or number)
        cells = _cells(file, row, strings)
        if not any(cell.strip() for cell in cells):
            continue
        n_rows += 1
        if n_rows > MAX_ROWS + 1:
            raise FileProblem(file, f"holds more than {MAX_ROWS:,} rows; split the file", at)
        yield Row(tuple(cells), at, at)


def _cells(file: Path, row: ET.Element, strings: list[str]) -> list[str]:
    found: dict[int, str] = {}
    for position, cell in enumerate(row.iter(f"{_NS}c")):
        place = _CELL.fullmatch(cell.get("r") or "")
        column = _column(place[1]) if place else position
        if column >= MAX_COLUMNS:
            raise FileProblem(file, f"has more than {MAX_COLUMNS:,} columns")
        found[column] = _text(cell, strings)
    return [found.get(column, "") for column in range(max(found, default=-1) + 1)]


def _column(letters: str) -> int:
    """0 for A, 26 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _text(cell: ET.Element, strings: list[str]) -> str:
    if cell.get("t") == "inlineStr":
        return "".join(part.text or "" for part in cell.iter(f"{_NS}t"))
    value = cell.findtext(f"{_NS}v") or ""
    return strings[int(value)] if cell.get("t") == "s" and value else value
