"""Reads CSV and TSV with the place of every row; which of the two ways of quoting holds is for the format to say."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.importers.formats.deadline import Deadline
from evaluation.importers.formats.positions import read_text
from evaluation.importers.formats.problems import FileProblem

MAX_ROWS = 100_000
MAX_COLUMNS = 1_000


@dataclass(frozen=True)
class Row:
    """One row: its cells as they stand there, its number as a spreadsheet shows it, and the line where it begins."""

    cells: tuple[str, ...]
    number: int
    line: int

    @property
    def place(self) -> str:
        return f"row {self.number}"


@dataclass(frozen=True)
class Table:
    """Rows under named columns; names are without blanks around them, '' stands for a column without a name."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def cell(self, row: Row, column: str) -> str:
        """The cell as it stands there; '' where the row ends before it or there is no such column."""
        at = self.columns.index(column) if column in self.columns else len(row.cells)
        return row.cells[at] if at < len(row.cells) else ""

    def text(self, row: Row, column: str) -> str:
        """The cell without blanks around it."""
        return self.cell(row, column).strip()


def read_csv(file: Path, delimiter: str = ",") -> list[Row]:
    """The rows of a CSV file without those that are empty: cells may hold line breaks and doubled quotes.

    Raises FileProblem for an open quote, a cell over 131,072 characters, or more than 100,000 rows.
    """
    return _quoted(file, delimiter)


def read_quoted_tsv(file: Path) -> list[Row]:
    """Like `read_csv`, parted by tabs: LegalBench writes its tables so."""
    return _quoted(file, "\t")


def read_literal_tsv(file: Path) -> list[Row]:
    """The rows of a TSV file in which a quote is a character like any other and a line is a row; raises FileProblem."""
    lines = read_text(file).replace("\r\n", "\n").split("\n")
    return _gathered(file, ((line.split("\t"), number) for number, line in enumerate(lines, start=1)))


def as_table(file: Path, rows: Sequence[Row]) -> Table:
    """The first row as names of the columns; raises FileProblem for a name that stands twice or a row that is wider."""
    if not rows:
        raise FileProblem(file, "has no rows")
    columns = tuple(" ".join(cell.split()) for cell in rows[0].cells)
    if len(columns) > MAX_COLUMNS:
        raise FileProblem(file, f"has more than {MAX_COLUMNS:,} columns", rows[0].line)
    for column, n in Counter(filter(None, columns)).items():
        if n > 1:
            raise FileProblem(file, f"the column {column!r} stands here twice", rows[0].line)
    for row in rows[1:]:
        if any(cell.strip() for cell in row.cells[len(columns) :]):
            wider = f"{row.place} has {len(row.cells)} cells, but there are {len(columns)} columns"
            raise FileProblem(file, f"{wider}: a quote or a tab may be missing", row.line)
    return Table(columns, tuple(rows[1:]))


def _quoted(file: Path, delimiter: str) -> list[Row]:
    # newline="" leaves line breaks within cells as they are.
    reader = csv.reader(io.StringIO(read_text(file), newline=""), delimiter=delimiter, strict=True)
    return _gathered(file, _with_lines(file, reader))


def _with_lines(file: Path, reader: Any) -> Iterator[tuple[list[str], int]]:
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FileProblem(file, f"is not a valid table ({error}): a quote may be missing", line) from None
        yield cells, line


def _gathered(file: Path, found: Iterator[tuple[list[str], int]]) -> list[Row]:
    deadline = Deadline(file)
    rows: list[Row] = []
    for number, (cells, line) in enumerate(found, start=1):
        deadline.check(line)
        if not any(cell.strip() for cell in cells):
            continue
        if len(rows) > MAX_ROWS:
            raise FileProblem(file, f"holds more than {MAX_ROWS:,} rows; split the file", line)
        rows.append(Row(tuple(cells), number, line))
    return rows
