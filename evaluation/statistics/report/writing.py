"""The cells of a report's tables as text for readers, and as plain values for files."""

from collections.abc import Iterator
from typing import Any

from evaluation.statistics.pass_rates import WILSON
from evaluation.statistics.report.tables import Column, ReportTable, Row, method_key

NOTHING = "–"
MINUS = "\u2212"
NO_RANGE = "no range"
WILSON_NOTE = (
    "Wilson: fewer than 2 metrics, or the draws are alike or too few; this range takes the conversations of one metric "
    "as independent, so it is too narrow where they are alike."
)
NO_RANGE_NOTE = "No range: fewer than 2 metrics on one side, or the draws are alike or too few."
# A column of these kinds stands right-aligned.
NUMBER_KINDS = frozenset(
    {"count", "rate", "points", "size", "interval", "interval-points", "interval-number", "number", "small"}
)


def cell_text(column: Column, row: Row) -> str:
    """One cell for readers; a missing number is a dash, a missing interval says so."""
    value = row.get(column.key)
    if column.kind.startswith("interval"):
        if value is None:
            return NO_RANGE if _estimate_of(column, row) is not None else NOTHING
        return _interval_text(column, value, row.get(method_key(column.key)))
    if value is None:
        return "not known" if column.kind == "yes" else NOTHING
    if column.kind == "rate":
        return f"{value * 100:.1f} %"
    if column.kind == "points":
        return signed(value * 100)
    return {
        "count": lambda: f"{value:,}",
        "size": lambda: f"{value * 100:.1f}",
        "number": lambda: _minus(f"{value:.2f}"),
        "small": lambda: "under 0.001" if value < 0.001 else f"{value:.3f}",
        "yes": lambda: "yes" if value else "no",
    }.get(column.kind, lambda: str(value))()


def signed(points: float) -> str:
    """A difference in percentage points: '+2.1', '-0.4' with a true minus sign, '0.0'."""
    text = f"{points:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else _minus(text)


def table_notes(table: ReportTable) -> list[str]:
    """The notes of a table with those that its intervals need."""
    notes = list(table.notes)
    intervals = [column for column in table.columns if column.kind in ("interval", "interval-points")]
    if any(row.get(method_key(column.key)) == WILSON for row in table.rows for column in intervals):
        notes.append(WILSON_NOTE)
    if any(cell_text(column, row) == NO_RANGE for row in table.rows for column in intervals):
        notes.append(NO_RANGE_NOTE)
    return notes


def header(table: ReportTable) -> list[str]:
    """The names of `values`: an interval is two columns and, where the table knows it, its method."""
    return [name for column in _written(table) for name, _ in _parts(table, column)]


def values(table: ReportTable) -> Iterator[list[object]]:
    """The rows as plain values, rates and limits as fractions, never rounded; missing is None."""
    for row in table.rows:
        yield [value(row) for column in _written(table) for _, value in _parts(table, column)]


def document(table: ReportTable) -> dict[str, Any]:
    """The table as one JSON object; intervals are pairs."""
    return {
        "slug": table.slug,
        "title": table.title,
        "sentence": table.sentence,
        "notes": table_notes(table),
        "columns": [{"key": c.key, "heading": c.heading, "kind": c.kind} for c in table.columns],
        "rows": [_plain(row) for row in table.rows],
    }


def _written(table: ReportTable) -> list[Column]:
    """The columns of files: readers' columns, and the slug where rows have one."""
    has_slug = any("slug" in row for row in table.rows)
    return [*table.columns, Column("slug", "slug")] if has_slug else list(table.columns)


def _parts(table: ReportTable, column: Column) -> list[tuple[str, Any]]:
    key = column.key
    if not column.kind.startswith("interval"):
        return [(key, lambda row: row.get(key))]
    parts: list[tuple[str, Any]] = [
        (f"{key}_low", lambda row: (row.get(key) or (None, None))[0]),
        (f"{key}_high", lambda row: (row.get(key) or (None, None))[1]),
    ]
    method = method_key(key)
    if any(method in row for row in table.rows):
        parts.append((f"{key}_method", lambda row: row.get(method)))
    return parts


def _interval_text(column: Column, value: tuple[float, float], method: str | None) -> str:
    low, high = value
    if column.kind == "interval-number":
        return _minus(f"{low:.2f} to {high:.2f}")
    is_difference = column.kind == "interval-points"
    text = f"{signed(low * 100)} to {signed(high * 100)}" if is_difference else f"{low * 100:.1f} to {high * 100:.1f}"
    return f"{text} (Wilson)" if method == WILSON else text


def _estimate_of(column: Column, row: Row) -> Any:
    """The number that an interval belongs to."""
    prefix = column.key.removesuffix("interval")
    names = (f"{prefix}rate", prefix.rstrip("_"), "difference", "gap")
    return next((row[name] for name in names if name in row), None)


def _plain(row: Row) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}


def _minus(text: str) -> str:
    return text.replace("-", MINUS)
