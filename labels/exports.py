"""The label as a table for spreadsheets."""

import csv
from collections.abc import Iterator
from typing import Any

from impactbench.common.csv_files import csv_lines

COLUMNS = (
    "release", "model", "part", "row", "title", "polarity", "profile", "band",
    "n_metrics", "n_planned", "n_conversations", "n_judged", "n_unjudged", "n_passed",
    "pass_rate", "ci_low", "ci_high", "ci_method", "n_draws", "coverage", "notes",
)  # fmt: skip


def label_csv(document: dict[str, Any]) -> str:
    """`labels.label.label_document` as CSV, one line a number; missing is empty, and the notes stand in every line."""
    rows = ([line.get(column) for column in COLUMNS] for line in _lines(document))
    return "".join(csv_lines(COLUMNS, rows, quoting=csv.QUOTE_MINIMAL))


def _lines(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    shared = {"release": document["release"], "notes": " ".join(document["notes"])}
    for item in document["headlines"]:
        yield {**item, **shared, "part": "headline"}
    for row in document["rows"]:
        for item in row["cells"]:
            yield {**item, **shared, "part": "row", "row": row["slug"], "title": row["title"]}
