"""Workbooks: what people wrote stays text, numbers stay numbers, and a sheet says what they are."""

import io
import re
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from evaluation.importers.formats.workbooks import read_workbook
from impactbench.common.csv_files import FORMULA_STARTS
from impactbench.common.xlsx_files import LONGEST_CELL, XLSX, write_workbook, xlsx_response


def sheet(rows: Any, *, number: int = 1, about: Any = ()) -> str:
    """The XML of a sheet of a workbook of these rows."""
    file = io.BytesIO()
    write_workbook(file, ["a", "b"], rows, about)
    return zipfile.ZipFile(file).read(f"xl/worksheets/sheet{number}.xml").decode()


@pytest.mark.parametrize("start", [*FORMULA_STARTS, "http://", "mailto:", "internal:", "{=", "0"])
def test_text_is_never_a_formula_a_link_or_a_number(start: str) -> None:
    xml = sheet([[f"{start}1+1", "x"]])

    assert ("<f>" in xml, "hyperlink" in xml, "<v>" in xml) == (False, False, False)
    assert xml.count('t="inlineStr"') == 4


def test_numbers_are_numbers_and_what_is_missing_is_empty() -> None:
    xml = sheet([[0.25, -3], [Decimal("1.5"), True], [None, float("nan")], [2**60, float("inf")]])

    assert re.findall(r'<c r="(\w+)"(?: t="(\w+)")?>(?:<v>|<is><t>)([^<]+)', xml.split('<row r="2"')[1]) == [
        *(("A2", "", "0.25"), ("B2", "", "-3"), ("A3", "", "1.5"), ("B3", "b", "1")),
        ("A5", "inlineStr", "1152921504606846976"),
    ]


def test_header_stays_in_sight_and_about_says_what_it_is(settings: Any) -> None:
    settings.SITE_LICENCE = "CC-BY-4.0"

    assert 'state="frozen"' in sheet([])
    told = re.findall(r"<t[^>]*>([^<]*)</t>", sheet([[1, 2]], number=2, about=[("Release", "=1+1"), ("Notes", "")]))
    assert told[:3] == ["Made by", "ImpactBench", "Date"]
    assert told[4:] == ["Release", "=1+1", "Rows", "Licence", "CC-BY-4.0"]


def test_a_text_that_is_too_long_for_a_cell_is_cut() -> None:
    [text] = re.findall(r"<t>(x+…?)</t>", sheet([["x" * 40_000]]))

    assert (len(text), text[-1]) == (LONGEST_CELL, "…")


def test_our_own_reader_reads_it(tmp_path: Path) -> None:
    with (tmp_path / "x.xlsx").open("wb") as file:
        write_workbook(file, ["metric", "n"], [["Ünïcode <&>", 3]])

    rows = [row.cells for row in read_workbook(tmp_path / "x.xlsx")]
    assert rows == [("metric", "n"), ("Ünïcode <&>", "3")]


def test_response_is_a_download_whose_rows_are_read_as_it_is_sent() -> None:
    read = []

    def rows() -> Iterator[list[int]]:
        read.append(1)
        yield [1]

    response = xlsx_response("naïve.xlsx", ["n"], rows())

    assert read == []
    assert b"".join(response)[:2] == b"PK"
    assert (read, response.headers["Content-Type"]) == ([1], XLSX)
    assert response.headers["Content-Disposition"] == "attachment; filename*=utf-8''na%C3%AFve.xlsx"
