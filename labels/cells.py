"""One number of the label and what may be said of it: the number itself, counts only, or why there is none."""

from dataclasses import dataclass
from enum import Enum

from evaluation.models import Result
from labels import bands
from labels.wording import KINDS, NO_DATA, Kind, count, hundred


class Standing(Enum):
    """How much a cell's data carry."""

    NOTHING = "nothing"
    NOT_ENOUGH = "not enough"
    COUNTS = "counts"
    RATE = "rate"


@dataclass(frozen=True)
class Cell:
    """A result as a page shows it; `result` is None where nothing of the kind was tested.

    `text` is the number ('87', '5 of 6', a dash), `note` the range with n, or why there is none.
    """

    polarity: str
    standing: Standing
    text: str
    note: str
    result: Result | None = None
    band: bands.Band | None = None
    is_hollow: bool = False
    is_partial: bool = False

    @property
    def kind(self) -> Kind:
        return KINDS[self.polarity]

    @property
    def drawn(self) -> Result | None:
        """The result where it may be drawn as dot and interval."""
        return self.result if self.standing is Standing.RATE else None

    @property
    def has_rate(self) -> bool:
        return self.standing is Standing.RATE

    @property
    def range(self) -> str:
        """The range alone, where a rate is shown."""
        result = self.drawn
        return "" if result is None else bands.range_in_100(result.ci_low, result.ci_high)

    @property
    def chats(self) -> str:
        """'n 1,476', or nothing where nothing was judged."""
        return f"n {self.result.n_judged:,}" if self.result and self.result.n_judged else ""

    @property
    def coverage_words(self) -> str:
        """'83 of 360 metrics', where only a part has data."""
        return metrics_words(self.result) if self.result and self.is_partial else ""

    @property
    def sentence(self) -> str:
        """The number as a sentence: 'In 81 of 100 test chats it did the helpful thing.'"""
        act = self.kind.act
        if self.standing is Standing.RATE:
            return f"In {self.text} of 100 test chats it {act}."
        if self.standing is Standing.COUNTS:
            return f"In {self.text} test chats it {act}."
        return f"{self.kind.name}: {self.note}."


def cell(result: Result | None, *, polarity: str, needs_coverage: bool = True) -> Cell:
    """What may be said of a result, by the floors of `labels.bands`.

    `needs_coverage` withholds the number where under half of the metrics have data: so it is for rows; a headline
    shows its number, marked with how many metrics it rests on.
    """
    if result is None:
        return Cell(polarity, Standing.NOTHING, NO_DATA, "not tested")
    partial = result.coverage < bands.PARTIAL_BELOW
    hollow = bands.is_hollow(result.n_judged)
    if result.n_judged == 0:
        return Cell(polarity, Standing.NOTHING, NO_DATA, _why_nothing(result), result, is_hollow=True)
    if needs_coverage and result.coverage < bands.NOT_ENOUGH_BELOW:
        note = f"not enough data: {metrics_words(result)}"
        return Cell(polarity, Standing.NOT_ENOUGH, NO_DATA, note, result, is_hollow=True, is_partial=True)
    if result.n_judged < bands.COUNTS_ONLY_BELOW or result.n_metrics < bands.METRICS_FLOOR:
        counts = f"{result.n_passed:,} of {result.n_judged:,}"
        return Cell(polarity, Standing.COUNTS, counts, "counts only", result, is_hollow=hollow, is_partial=partial)
    shown_range = bands.range_in_100(result.ci_low, result.ci_high)
    return Cell(
        polarity,
        Standing.RATE,
        hundred(result.pass_rate),
        f"{shown_range or 'no range'} · n {result.n_judged:,}",
        result,
        band=bands.band(result),
        is_hollow=hollow,
        is_partial=partial,
    )


def metrics_words(result: Result) -> str:
    """'83 of 360 metrics': those with data, of those tested on any model."""
    total = round(result.n_metrics / result.coverage) if result.coverage else 0
    return f"{result.n_metrics:,} of {count(total, 'metric')}" if total else "no metric"


def _why_nothing(result: Result) -> str:
    if result.n_conversations:
        return "not judged" if result.n_conversations == 1 else f"none of {result.n_conversations:,} judged"
    return "none finished" if result.n_planned else "not tested"
