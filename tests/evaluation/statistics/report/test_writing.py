"""Cells as text, and tables as files."""

from typing import Any

import pytest

from evaluation.statistics.report.tables import Column, ReportTable, rate_columns
from evaluation.statistics.report.writing import (
    NO_RANGE_NOTE,
    WILSON_NOTE,
    cell_text,
    document,
    header,
    table_notes,
    values,
)

ROWS: list[dict[str, Any]] = [
    {"place": "Law", "rate": 0.755, "interval": (0.682, 0.824), "method": "metric-cluster-bootstrap",
     "judged": 1240, "metrics": 58, "gap": -0.054, "gap_interval": None, "slug": "a/m1"},
    {"place": "Art", "rate": None, "interval": None, "method": "none",
     "judged": 0, "metrics": 0, "gap": None, "gap_interval": None, "slug": "a/m2"},
]  # fmt: skip
COLUMNS = (
    Column("place", "Part"),
    *rate_columns(),
    Column("gap", "Gap", "points"),
    Column("gap_interval", "Gap, 95 % interval", "interval-points"),
)
TABLE = ReportTable("places", "Places", "Pooled.", COLUMNS, ROWS)


def test_cells_of_a_row_and_of_a_row_without_data():
    assert [cell_text(column, ROWS[0]) for column in COLUMNS] == [
        "Law", "75.5 %", "68.2 to 82.4", "1,240", "58", "\u22125.4", "no range",
    ]  # fmt: skip
    assert [cell_text(column, ROWS[1]) for column in COLUMNS] == ["Art", "–", "–", "0", "0", "–", "–"]


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("yes", None, "not known"), ("yes", False, "no"), ("points", 0.0001, "0.0"), ("points", -0.0001, "0.0"),
        ("points", 0.021, "+2.1"), ("size", 0.176, "17.6"), ("number", -0.571, "\u22120.57"),
        ("small", 0.00001, "under 0.001"),
        ("interval-points", (-0.013, 0.017), "\u22121.3 to +1.7"),
        ("interval-number", (-0.1, 0.5), "\u22120.10 to 0.50"),
    ],
)  # fmt: skip
def test_cell_of_each_kind(kind, value, text):
    assert cell_text(Column("x", "X", kind), {"x": value}) == text


def test_wilson_is_named_where_it_stands():
    row = {**ROWS[0], "method": "wilson"}
    table = ReportTable("places", "Places", "Pooled.", COLUMNS[:5], [row])

    assert cell_text(COLUMNS[2], row) == "68.2 to 82.4 (Wilson)"
    assert table_notes(table) == [WILSON_NOTE]
    assert table_notes(TABLE) == [NO_RANGE_NOTE]


def test_file_holds_fractions_limits_methods_and_slugs():
    assert header(TABLE) == [
        "place", "rate", "interval_low", "interval_high", "interval_method", "judged", "metrics",
        "gap", "gap_interval_low", "gap_interval_high", "slug",
    ]  # fmt: skip
    assert list(values(TABLE)) == [
        ["Law", 0.755, 0.682, 0.824, "metric-cluster-bootstrap", 1240, 58, -0.054, None, None, "a/m1"],
        ["Art", None, None, None, "none", 0, 0, None, None, None, "a/m2"],
    ]


def test_document_holds_pairs_and_columns():
    found = document(TABLE)

    assert found["rows"][0]["interval"] == [0.682, 0.824]
    assert [column["key"] for column in found["columns"]] == [column.key for column in COLUMNS]
