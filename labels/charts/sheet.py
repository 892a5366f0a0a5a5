"""The dots of a page as one picture that stands alone: templates/labels/explore.svg draws it."""

from collections.abc import Sequence
from dataclasses import dataclass

from labels.charts.dots import DOTS, SCALE, data_attributes
from labels.exploring import Block
from labels.numbers import Number
from labels.wording import Kind

WIDTH = 900
# Where the scale begins and ends; left of it stand the names, right of it the numbers.
LEFT, RIGHT = 240, 560
LONGEST_NAME = 26
ROW, HEAD, GROUP_GAP, BLOCK_GAP = 26, 64, 26, 18


@dataclass(frozen=True)
class Line:
    """One model: its words and, where it has a number, where the marks stand."""

    y: float
    name: str
    short_name: str
    text: str
    note: str
    data: str = ""
    x: float | None = None
    wide: tuple[float, float] | None = None
    core: tuple[float, float] | None = None
    is_hollow: bool = False


@dataclass(frozen=True)
class Bracket:
    """Models that stand together: the words below them and, for a tie, from where to where the bracket goes."""

    words: str
    y: float
    top: float
    bottom: float
    is_tie: bool


@dataclass(frozen=True)
class Panel:
    """One kind: its heading, the numbers of the scale with their places, and all its models."""

    kind: Kind
    dot: str
    top: float
    ticks: list[tuple[int, float]]
    lines: list[Line]
    brackets: list[Bracket]


def panels(blocks: Sequence[Block], top: float) -> tuple[list[Panel], float]:
    """The kinds one below the other from `top`, and where they end."""
    made = []
    for block in blocks:
        panel, top = _panel(block, top)
        made.append(panel)
        top += BLOCK_GAP
    return made, top


def _panel(block: Block, top: float) -> tuple[Panel, float]:
    y = top + HEAD
    lines: list[Line] = []
    brackets: list[Bracket] = []
    for group in block.groups:
        first = y
        for row in group.rows:
            lines.append(_line(row.model.name, row.number, y + ROW / 2))
            y += ROW
        if group.words:
            brackets.append(Bracket(group.words, y + 16, first + 4, y - 4, group.is_tie))
            y += GROUP_GAP
    ticks = [(number, _at(number / 100)) for number in SCALE]
    return Panel(block.kind, DOTS[block.kind.polarity], top, ticks, lines, brackets), y


def _line(name: str, number: Number, y: float) -> Line:
    result = number.result
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    if not number.is_shown or result.pass_rate is None:
        return Line(y, name, short, number.counts, number.why)
    note = f"{number.range} · n {result.n_judged:,}" + (f" · {number.why}" if number.why else "")
    return Line(
        y,
        name,
        short,
        number.text,
        note,
        data_attributes(result),
        _at(result.pass_rate),
        _span(result.ci_low, result.ci_high),
        _span(result.ci50_low, result.ci50_high),
        number.cell.is_hollow,
    )


def _span(low: float | None, high: float | None) -> tuple[float, float] | None:
    """Where a bar begins and how wide it is."""
    return None if low is None or high is None else (_at(low), round(_at(high) - _at(low), 1))


def _at(rate: float) -> float:
    return round(LEFT + rate * (RIGHT - LEFT), 1)
