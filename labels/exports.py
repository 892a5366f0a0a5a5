"""The label as a table for spreadsheets."""

import csv
import io
from collections.abc import Iterator
from typing import Any

# A spreadsheet would run a cell that begins so as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = (
    "release", "model", "part", "row", "title", "polarity", "profile", "band",
    "n_metrics", "n_planned", "n_conversations", "n_judged", "n_unjudged", "n_passed",
    "pass_rate", "ci_low", "ci_high", "ci_method", "n_draws", "coverage", "notes",
)  # fmt: skip


def label_csv(document: dict[str, Any]) -> str:
    """`labels.label.label_document` as CSV, one line a number; missing is empty, and the notes stand in every line."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for line in _lines(document):
        writer.writerow([_safe(line.get(column)) for column in COLUMNS])
    return text.getvalue()


def _lines(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    shared = {"release": document["release"], "notes": " ".join(document["notes"])}
    for item in document["headlines"]:
        yield {**item, **shared, "part": "headline"}
    for row in document["rows"]:
        for item in row["cells"]:
            yield {**item, **shared, "part": "row", "row": row["slug"], "title": row["title"]}


def _safe(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return "" if value is None else value
