"""The label as a table for spreadsheets."""

from collections.abc import Iterator
from typing import Any

from labels.tables import RESULT_COLUMNS, Table

COLUMNS = ("model", "part", "row", "title", "polarity", "profile", "band", *RESULT_COLUMNS)


def label_table(name: str, document: dict[str, Any]) -> Table:
    """`labels.label.label_document` as a table, one line a number."""
    rows = [[line.get(column) for column in COLUMNS] for line in _lines(document)]
    return Table(name, COLUMNS, rows, document["release"], tuple(document["notes"]))


def _lines(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for item in document["headlines"]:
        yield {**item, "part": "headline"}
    for row in document["rows"]:
        for item in row["cells"]:
            yield {**item, "part": "row", "row": row["slug"], "title": row["title"]}
