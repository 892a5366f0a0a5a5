"""What a table of the report is, and the numbers that stand in its cells."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import mean, median, pstdev
from typing import Any

import pandas as pd

Row = dict[str, Any]

# Where a group's coverage is lower, a model is shown but takes no part in an order.
ENOUGH_COVERAGE = 0.8


@dataclass(frozen=True)
class Column:
    """A column: its key in the rows, its heading, and how its cells are written.

    `kind`: 'text', 'count', 'rate' (0..1), 'points' (a difference of rates), 'size' (one without a sign), 'number' (a
    coefficient), 'small' (a p value), 'yes' (True, False or None = not known), or a pair or None: 'interval' (of a
    rate), 'interval-points' (of a difference), 'interval-number' (of a coefficient).
    """

    key: str
    heading: str
    kind: str = "text"


@dataclass(frozen=True)
class ReportTable:
    """One table with the sentence that says what its numbers are pooled over; `notes` say what is missing and why."""

    slug: str
    title: str
    sentence: str
    columns: tuple[Column, ...]
    rows: list[Row]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Names:
    """What a reader calls the things that the tables know by slug."""

    models: Mapping[str, str]
    benchmarks: Mapping[str, str]
    areas: Mapping[str, str]
    subareas: Mapping[str, str]
    metrics: Mapping[str, str]
    profiles: Mapping[str, str]


@dataclass(frozen=True)
class Numbers:
    """The tables of a release as `statistics.release_numbers` makes them, with missing values as None."""

    results: pd.DataFrame
    comparisons: pd.DataFrame
    sensitivity: pd.DataFrame
    names: Names

    def results_of(self, group: str, *, profile: str = "all") -> list[Row]:
        """The results of one group in one profile, as plain rows."""
        chosen = self.results[(self.results["group"] == group) & (self.results["profile"] == profile)]
        return plain(chosen)

    def comparisons_of(self, kind: str, group: str) -> list[Row]:
        """The comparisons of one kind and group, as plain rows."""
        table = self.comparisons
        return plain(table[(table["kind"] == kind) & (table["group"] == group)]) if len(table) else []

    def sensitivity_of(self, kind: str) -> list[Row]:
        """The sensitivity analyses of one kind, as plain rows."""
        table = self.sensitivity
        return plain(table[table["kind"] == kind]) if len(table) else []

    def profiles(self) -> list[str]:
        """The profiles of the release, in order."""
        return [profile for profile in dict.fromkeys(self.results["profile"]) if profile != "all"]


POLARITIES = ("positive", "negative")
POLARITY_NAMES = {"positive": "Good behaviours shown", "negative": "Bad behaviours avoided"}


def plain(table: pd.DataFrame) -> list[Row]:
    """The rows of a table with None for whatever is missing."""
    values = table.astype(object)
    return [
        {str(key): value for key, value in row.items()} for row in values.where(values.notna(), None).to_dict("records")
    ]


def interval(row: Row) -> tuple[float, float] | None:
    """The 95 % interval of a row, None without one."""
    low, high = row.get("ci_low"), row.get("ci_high")
    return None if low is None or high is None else (float(low), float(high))


def rate_columns(prefix: str = "", heading: str = "") -> tuple[Column, ...]:
    """The columns that every pass rate comes with: rate, interval, judged conversations, metrics.

    The key of an interval's column ends in `interval`; beside it the rows hold its method under `method_key`.
    """
    lead = f"{heading}: " if heading else ""
    return (
        Column(f"{prefix}rate", f"{lead}pass rate", "rate"),
        Column(f"{prefix}interval", f"{lead}95 % interval", "interval"),
        Column(f"{prefix}judged", f"{lead}conversations judged", "count"),
        Column(f"{prefix}metrics", f"{lead}metrics", "count"),
    )


def method_key(column: str) -> str:
    """The key under which a row holds how the interval of this column was made."""
    return column.removesuffix("interval") + "method"


def rate_cells(row: Row | None, prefix: str = "") -> Row:
    """The cells of `rate_columns`, all None without a row."""
    if row is None:
        return {f"{prefix}{name}": None for name in ("rate", "interval", "method", "judged", "metrics")}
    return {
        f"{prefix}rate": row["pass_rate"],
        f"{prefix}interval": interval(row),
        f"{prefix}method": row["ci_method"],
        f"{prefix}judged": row["n_judged"],
        f"{prefix}metrics": row["n_metrics"],
    }


def is_covered(row: Row) -> bool:
    """Whether a cell has enough of its group's metrics to stand in an order."""
    return row["pass_rate"] is not None and row["coverage"] >= ENOUGH_COVERAGE


def covered_models(numbers: Numbers) -> dict[str, set[str]]:
    """Polarity -> the models with enough of all its metrics to be put in an order."""
    found: dict[str, set[str]] = {polarity: set() for polarity in POLARITIES}
    for row in numbers.results_of("overall"):
        if row["model"] is not None and is_covered(row):
            found[row["polarity"]].add(row["model"])
    return found


def left_out_note(numbers: Numbers) -> str:
    """Which models stand in no order because too few of their metrics were judged; empty where none."""
    found = sorted(
        {
            numbers.names.models.get(row["model"], row["model"])
            for row in numbers.results_of("overall")
            if row["model"] is not None and not is_covered(row)
        }
    )
    return f"Under 80 % of the metrics, so in no order here: {', '.join(found)}." if found else ""


def by_key(rows: Iterable[Row], *names: str) -> dict[Any, Row]:
    """The rows by the values of these columns (one value alone where one is named)."""
    key: Callable[[Row], Any] = (
        (lambda row: row[names[0]]) if len(names) == 1 else (lambda row: tuple(row[n] for n in names))
    )
    return {key(row): row for row in rows}


def summary_cells(values: Iterable[float | None]) -> Row:
    """Count, minimum, median and maximum of the values that exist."""
    known = [value for value in values if value is not None]
    if not known:
        return {"n": 0, "minimum": None, "median": None, "maximum": None}
    return {"n": len(known), "minimum": min(known), "median": median(known), "maximum": max(known)}


def spread_cells(values: Iterable[float | None]) -> Row:
    """Mean of the values that exist; of two and more also standard deviation (n in the denominator) and extremes."""
    known = [value for value in values if value is not None]
    cells: Row = {"mean": mean(known) if known else None, "sd": None, "lowest": None, "highest": None}
    if len(known) >= 2:
        cells |= {"sd": pstdev(known), "lowest": min(known), "highest": max(known)}
    return cells


def counted(n: int, noun: str) -> str:
    """'1 metric', '1,240 conversations'."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
