"""A table as a file of each kind."""

import json

import pytest
from django.urls import URLPattern

from impactbench.common.table_files import KINDS, table_paths, table_response
from impactbench.common.xlsx_files import XLSX

HEADER = ("name", "n", "flags")
ROWS = [("=1+1", 2, ["a", "ä"]), ("“x”", None, [])]


def test_json_has_each_row_with_its_columns_and_values_as_they_are() -> None:
    response = table_response("json", "some table", HEADER, iter(ROWS))
    empty = table_response("json", "none", HEADER, [])

    assert json.loads(b"".join(response)) == {"rows": [dict(zip(HEADER, row, strict=True)) for row in ROWS]}
    assert json.loads(b"".join(empty)) == {"rows": []}
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Content-Disposition"] == 'attachment; filename="some table.json"'


def test_csv_is_safe_for_spreadsheets_and_holds_lists_as_json() -> None:
    text = b"".join(table_response("csv", "table", HEADER, ROWS)).decode()

    assert text == '\ufeff"name","n","flags"\r\n"\'=1+1",2,"[""a"", ""ä""]"\r\n"“x”","","[]"\r\n'


def test_workbook_is_one() -> None:
    response = table_response("xlsx", "table", HEADER, ROWS)

    assert (response.headers["Content-Type"], b"".join(response)[:2]) == (XLSX, b"PK")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_address_and_name(kind: str) -> None:
    paths: list[URLPattern] = table_paths("things/<int:pk>/list", table_response, "things")

    [found] = [one for one in paths if one.name == f"things-{kind}"]
    assert (str(found.pattern), found.default_args) == (f"things/<int:pk>/list.{kind}", {"kind": kind})
