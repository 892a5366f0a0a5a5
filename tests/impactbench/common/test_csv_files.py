"""CSV: what people wrote stays text, numbers stay numbers, nothing is held in memory."""

import csv
import io
from collections.abc import Iterator
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impactbench.common.csv_files import FORMULA_STARTS, csv_lines, csv_response, safe_cell


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_text_like_a_formula_is_marked_as_text(start: str) -> None:
    assert safe_cell(f"{start}SUM(A1)") == f"'{start}SUM(A1)"


@pytest.mark.parametrize("value", ["", "plain", "a=b", 3, -3, -0.5, Decimal("-1.50"), True])
def test_numbers_and_harmless_text_stay(value: object) -> None:
    assert safe_cell(value) == value


def test_file_has_safe_headers_and_quoted_text() -> None:
    lines = list(csv_lines(["name", "=evil"], [["a;=1+1", -2], [None, 'say "no"']], bom=True))

    assert lines == ['\ufeff"name","\'=evil"\r\n', '"a;=1+1",-2\r\n', '"","say ""no"""\r\n']


def test_rows_are_read_only_as_they_are_sent() -> None:
    read = []

    def rows() -> Iterator[list[int]]:
        for number in range(3):
            read.append(number)
            yield [number]

    lines = csv_lines(["n"], rows())

    assert (next(lines), read) == ('"n"\r\n', [])
    assert (next(lines), read) == ("0\r\n", [0])


def test_response_is_a_download_with_a_safe_name() -> None:
    response = csv_response('naïve "list".csv', ["n"], [[1]])

    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"] == "attachment; filename*=utf-8''na%C3%AFve%20%22list%22.csv"
    assert b"".join(response) == b'"n"\r\n1\r\n'


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2)))
def test_no_cell_of_any_text_is_a_formula(rows: list[list[str]]) -> None:
    text = "".join(csv_lines(["a", "b"], rows))

    read = list(csv.reader(io.StringIO(text, newline="")))
    assert len(read) == len(rows) + 1
    assert not [cell for row in read for cell in row if cell.startswith(FORMULA_STARTS)]
