"""Which picture stands above a table of the report, and what it says in words beside each line."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from evaluation.statistics.report.tables import ENOUGH_COVERAGE, POLARITY_NAMES, ReportTable, Row, counted
from evaluation.statistics.report.writing import NO_RANGE, NOTHING, signed
from labels import bands
from labels.charts import differences, dots
from labels.charts.differences import Difference
from labels.wording import KINDS, hundred

POLARITY_OF = {name: polarity for polarity, name in POLARITY_NAMES.items()}
# More lines than this are a table, not a picture.
MOST_LINES = 60
STRIP = "The pale strip goes from the lowest to the highest model."


@dataclass(frozen=True)
class Line:
    """One line of a picture: what it is of, the picture, the number, its range and what it rests on, in words."""

    name: str
    picture: SafeString
    value: str
    range: str
    rests_on: str


@dataclass(frozen=True)
class Block:
    """Lines under one scale; `kind` is the polarity they are of, empty for both; `note` says how to read a mark."""

    kind: str
    scale: SafeString
    lines: list[Line]
    unit: str
    note: str = ""


@dataclass
class Rate:
    """A pass rate of a table, as `labels.charts.dots` draws it; `counts` instead of it where data are few."""

    polarity: str
    n_judged: int
    pass_rate: float | None
    ci_low: float | None
    ci_high: float | None
    ci50_low: float | None = None
    ci50_high: float | None = None
    counts: str = ""


def picture(table: ReportTable) -> list[Block]:
    """The blocks of a table's picture; none where a table says it better."""
    draw = PICTURES.get(table.slug)
    blocks = draw(table) if draw else []
    return [block for block in blocks if block.lines and len(block.lines) <= MOST_LINES]


def _headline(table: ReportTable) -> list[Block]:
    return _rates(table, "profile")


def _places(table: ReportTable) -> list[Block]:
    return _rates(table, "place")


def _rates(table: ReportTable, name: str) -> list[Block]:
    """One block a polarity: number, interval, and the models' range as a strip where the table has one."""
    blocks = []
    for polarity in KINDS:
        rows = [row for row in table.rows if POLARITY_OF[row["polarity"]] == polarity]
        lines = []
        for row in rows:
            rate = _rate(row, polarity)
            span = (None, None) if rate.counts else (row.get("lowest"), row.get("highest"))
            drawn = dots.ranged_interval(rate, *span)
            lines.append(Line(row[name], drawn, *_words(rate), _rests_on(row)))
        note = STRIP if any(row.get("lowest") is not None for row in rows) else ""
        blocks.append(Block(polarity, dots.scale(), lines, "in 100", note))
    return blocks


def _both_kinds(table: ReportTable, name: str) -> list[Block]:
    """One block a polarity from a table that has both in one row."""
    blocks = []
    for polarity in KINDS:
        prefix = f"{polarity}_"
        rates = [(row, _rate(row, polarity, prefix)) for row in table.rows if row[f"{prefix}judged"]]
        lines = [Line(row[name], dots.dot_interval(rate), *_words(rate), _rests_on(row, prefix)) for row, rate in rates]
        blocks.append(Block(polarity, dots.scale(), lines, "in 100"))
    return blocks


def _areas(table: ReportTable) -> list[Block]:
    return _both_kinds(table, "place")


def _models(table: ReportTable) -> list[Block]:
    return _both_kinds(table, "model")


def _gaps(table: ReportTable) -> list[Block]:
    lines = [
        Line(
            row["model"],
            dots.linked_intervals(_rate(row, "positive", "positive_"), _rate(row, "negative", "negative_")),
            signed(row["gap"] * 100),
            _points_range(row["interval"]),
            counted(row["metrics"], "metric"),
        )
        for row in table.rows
    ]
    return [Block("", dots.scale(), lines, "gap in points")]


def _profiles(table: ReportTable) -> list[Block]:
    """One block a polarity and pair of profiles."""
    blocks = []
    for a, b in dict.fromkeys((row["a"], row["b"]) for row in table.rows):
        for polarity, title in POLARITY_NAMES.items():
            rows = [row for row in table.rows if (row["a"], row["b"], row["polarity"]) == (a, b, title)]
            blocks.append(_differences(rows, polarity, f"{a} minus {b}, in points"))
    return blocks


def _differences(rows: list[Row], polarity: str, unit: str) -> Block:
    found = [_difference(row, polarity) for row in rows]
    reach = differences.reach_of(found)
    lines = [
        Line(
            row["place"],
            differences.difference(one, reach=reach),
            signed(one.value * 100),
            _points_range(row["interval"]),
            counted(row["metrics"], "metric"),
        )
        for row, one in zip(rows, found, strict=True)
    ]
    return Block(polarity, differences.difference_scale(reach), lines, unit)


def _difference(row: Row, polarity: str) -> Difference:
    low, high = row["interval"] or (None, None)
    return Difference(row["difference"], low, high, KINDS[polarity].slug)


def _correlations(table: ReportTable) -> list[Block]:
    return _coefficients(table, "place", "models")


def _consistency(table: ReportTable) -> list[Block]:
    return _coefficients(table, "model", "benchmarks") if len({row["profiles"] for row in table.rows}) == 1 else []


def _coefficients(table: ReportTable, name: str, over: str) -> list[Block]:
    blocks = []
    for polarity, title in POLARITY_NAMES.items():
        rows = [row for row in table.rows if row["polarity"] == title and row["value"] is not None]
        lines = [
            Line(
                row[name],
                differences.difference(Difference(row["value"], kind=KINDS[polarity].slug), reach=100),
                f"{row['value']:.2f}".replace("-", "\u2212"),
                "",
                f"over {counted(row[over], over.removesuffix('s'))}",
            )
            for row in rows
        ]
        blocks.append(Block(polarity, differences.difference_scale(100, coefficients=True), lines, "correlation"))
    return blocks


PICTURES: dict[str, Callable[[ReportTable], list[Block]]] = {
    "headline": _headline,
    "areas": _areas,
    "subareas": _places,
    "benchmarks": _places,
    "polarity-gap": _gaps,
    "models": _models,
    "profiles": _profiles,
    "correlations": _correlations,
    "consistency": _consistency,
}


def _rate(row: Row, polarity: str, prefix: str = "") -> Rate:
    low, high = row[f"{prefix}interval"] or (None, None)
    rate, judged = row[f"{prefix}rate"], row[f"{prefix}judged"] or 0
    if rate is not None and (judged < bands.COUNTS_ONLY_BELOW or row[f"{prefix}metrics"] < bands.METRICS_FLOOR):
        return Rate(polarity, judged, None, None, None, counts=f"{round(rate * judged):,} of {judged:,}")
    return Rate(polarity, judged, rate, low, high)


def _rests_on(row: Row, prefix: str = "") -> str:
    """'n 336 · 56 metrics', and how much of all metrics that is where it is not enough for an order."""
    words = f"n {row[f'{prefix}judged']:,} · {counted(row[f'{prefix}metrics'], 'metric')}"
    coverage = row.get(f"{prefix}coverage")
    return words if coverage is None or coverage >= ENOUGH_COVERAGE else f"{words}, {hundred(coverage)} % of them"


def _words(rate: Rate) -> tuple[str, str]:
    if rate.counts:
        return rate.counts, "counts only"
    if rate.pass_rate is None:
        return NOTHING, "not judged"
    return hundred(rate.pass_rate), bands.range_in_100(rate.ci_low, rate.ci_high) or NO_RANGE


def _points_range(interval: tuple[float, float] | None) -> str:
    return f"{signed(interval[0] * 100)} to {signed(interval[1] * 100)}" if interval else NO_RANGE
