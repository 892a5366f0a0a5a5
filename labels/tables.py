"""The numbers of a page as a table, for spreadsheets and programs: one line a number, missing stays empty.

A page builds a `Table` from what it shows; `labels.views.siblings` answers with it as CSV or JSON.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.models import Release, Result
from impactbench.common.csv_files import csv_lines
from labels.label import label_notes

# Every number goes with these, in each line: a number without its range and n is none (contract.md, `results/`).
RESULT_COLUMNS = (
    "n_metrics", "n_planned", "n_conversations", "n_judged", "n_unjudged", "n_passed",
    "pass_rate", "ci_low", "ci_high", "ci_method", "n_draws", "coverage",
)  # fmt: skip


@dataclass(frozen=True)
class Table:
    """Rows as long as `columns`, None where something is missing; rates are fractions between 0 and 1, never rounded.

    `name` is the file's name without its ending. `release` and `notes` (what must be said beside the numbers) go
    into every line of the CSV and once into the JSON.
    """

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[object]]
    release: str = ""
    notes: tuple[str, ...] = ()


def release_table(
    release: Release | None, name: str, columns: Sequence[str], rows: Sequence[Sequence[object]]
) -> Table:
    """A table of a release's numbers, with the release's notes: the limits first. Without a release there are none."""
    if release is None:
        return Table(name, tuple(columns), rows)
    notes = tuple(str(note) for note in label_notes(release))
    return Table(f"{name}-{release.slug}", tuple(columns), rows, release.slug, notes)


def result_values(result: Result | None) -> list[object]:
    """The values of RESULT_COLUMNS; all None where there is no result."""
    return [getattr(result, column) if result else None for column in RESULT_COLUMNS]


def csv_text(table: Table, *, bom: bool = False) -> Iterator[str]:
    """The table as CSV, line by line; text that a spreadsheet could take for a formula is made safe."""
    header = ("release", *table.columns, "notes")
    notes = " ".join(table.notes)
    rows = ((table.release, *row, notes) for row in table.rows)
    return csv_lines(header, rows, bom=bom, quoting=csv.QUOTE_MINIMAL)


def document(table: Table) -> dict[str, Any]:
    """The table as data: `release`, `notes`, and `rows` with a value by each column's name."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {"release": table.release or None, "notes": list(table.notes), "rows": rows}
