"""The tables behind a page: one line a number, whatever program opens them."""

import csv
import io
import json

from django.http import HttpResponse
from django.test import RequestFactory

from labels.tables import RESULT_COLUMNS, Table, csv_text, document, result_values
from labels.views.siblings import csv_answer, json_answer, sibling, svg_answer

TABLE = Table(
    "explore-2026-07",
    ("model", "pass_rate"),
    [["terra", 1 / 3], ["=cmd()", None]],
    release="2026-07",
    notes=("A stress test.", "Not a finished product."),
)


def test_csv_carries_release_and_notes_in_every_line_and_no_formula() -> None:
    lines = list(csv.reader(io.StringIO("".join(csv_text(TABLE)))))

    assert lines == [
        ["release", "model", "pass_rate", "notes"],
        ["2026-07", "terra", "0.3333333333333333", "A stress test. Not a finished product."],
        ["2026-07", "'=cmd()", "", "A stress test. Not a finished product."],
    ]


def test_document_keeps_missing_as_null_and_rates_unrounded() -> None:
    assert document(TABLE) == {
        "release": "2026-07",
        "notes": ["A stress test.", "Not a finished product."],
        "rows": [{"model": "terra", "pass_rate": 1 / 3}, {"model": "=cmd()", "pass_rate": None}],
    }


def test_result_that_is_missing_has_only_missing_values() -> None:
    assert result_values(None) == [None] * len(RESULT_COLUMNS)


def test_answers_name_their_file_and_kind(rf: RequestFactory) -> None:
    as_csv = csv_answer(rf.get("/explore.csv", {"bom": "1"}), TABLE)
    as_svg = svg_answer("<svg/>", "explore")

    assert as_csv.headers["Content-Disposition"] == 'attachment; filename="explore-2026-07.csv"'
    assert isinstance(as_csv, HttpResponse)
    assert as_csv.content.startswith("\ufeffrelease,".encode())
    assert json.loads(json_answer(TABLE).content) == document(TABLE)
    assert as_svg.headers["Content-Type"] == "image/svg+xml; charset=utf-8"


def test_sibling_keeps_the_query_in_its_one_order_and_drops_what_no_page_knows(rf: RequestFactory) -> None:
    request = rf.get("/explore/social/?profile=teen&m=b&m=a&evil=1&view=table&p=both")

    assert sibling(request, "csv") == "/explore/social.csv?m=b,a&profile=teen&view=table"
