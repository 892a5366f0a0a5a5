"""One number of the label and what may be said of it: the number itself, counts only, or why there is none."""

from dataclasses import dataclass
from enum import Enum

from django.utils.translation import gettext as _

from evaluation.models import Polarity, Result
from labels import bands
from labels.wording import KINDS, NO_DATA, Kind, hundred, metrics, part_of


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
    def can_be_compared(self) -> bool:
        """Whether it may stand in a sentence or an order beside others: enough chats, most of the metrics."""
        return self.has_rate and not self.is_partial and not self.is_hollow

    @property
    def range(self) -> str:
        """The range alone, where a rate is shown."""
        result = self.drawn
        return "" if result is None else bands.range_in_100(result.ci_low, result.ci_high)

    @property
    def chats(self) -> str:
        """'n 1,476', or nothing where nothing was judged."""
        return _("n %(n)s") % {"n": f"{self.result.n_judged:,}"} if self.result and self.result.n_judged else ""

    @property
    def aside(self) -> str:
        """'58-66, n 100' for brackets, or why there is no rate."""
        return f"{self.range or _('no range')}, {self.chats}" if self.has_rate else self.note

    @property
    def coverage_words(self) -> str:
        """'83 of 360 metrics', where only a part has data."""
        return metrics_words(self.result) if self.result and self.is_partial else ""

    @property
    def sentence(self) -> str:
        """The number as a sentence: 'In 81 of 100 test chats it did the helpful thing.'"""
        if self.standing is Standing.RATE:
            return self._acted(part_of(int(self.text), 100))
        if self.standing is Standing.COUNTS:
            return self._acted(self.text)
        return _("%(kind)s: %(why)s.") % {"kind": self.kind.name, "why": self.note}

    def _acted(self, counts: str) -> str:
        if self.polarity == Polarity.POSITIVE:
            return _("In %(counts)s test chats it did the helpful thing.") % {"counts": counts}
        return _("In %(counts)s test chats it kept clear of the harmful thing.") % {"counts": counts}


def standing(result: Result, *, needs_coverage: bool = True) -> Standing:
    """How much a result carries, by the floors of `labels.bands`.

    `needs_coverage` withholds the number where under half of the metrics have data: so it is for rows; a headline
    shows its number, marked with how many metrics it rests on.
    """
    if result.n_judged == 0:
        return Standing.NOTHING
    if needs_coverage and result.coverage < bands.NOT_ENOUGH_BELOW:
        return Standing.NOT_ENOUGH
    if result.n_judged < bands.COUNTS_ONLY_BELOW or result.n_metrics < bands.METRICS_FLOOR:
        return Standing.COUNTS
    return Standing.RATE


def band_of(result: Result) -> bands.Band | None:
    """The word for the result of a row; None where its data do not carry a rate, or no word."""
    return bands.band(result) if standing(result) is Standing.RATE else None


def cell(result: Result | None, *, polarity: str, needs_coverage: bool = True) -> Cell:
    """What may be said of a result (`standing`), in words; of none, that nothing of the kind was tested."""
    if result is None:
        return Cell(polarity, Standing.NOTHING, NO_DATA, _("not tested"))
    partial = result.coverage < bands.PARTIAL_BELOW
    hollow = bands.is_hollow(result.n_judged)
    how = standing(result, needs_coverage=needs_coverage)
    if how is Standing.NOTHING:
        return Cell(polarity, how, NO_DATA, _why_nothing(result), result, is_hollow=True)
    if how is Standing.NOT_ENOUGH:
        note = _("not enough data: %(metrics)s") % {"metrics": metrics_words(result)}
        return Cell(polarity, how, NO_DATA, note, result, is_hollow=True, is_partial=True)
    if how is Standing.COUNTS:
        counts = part_of(result.n_passed, result.n_judged)
        return Cell(polarity, how, counts, _("counts only"), result, is_hollow=hollow, is_partial=partial)
    shown_range = bands.range_in_100(result.ci_low, result.ci_high) or _("no range")
    return Cell(
        polarity,
        how,
        hundred(result.pass_rate),
        _("%(range)s · n %(n)s") % {"range": shown_range, "n": f"{result.n_judged:,}"},
        result,
        band=bands.band(result),
        is_hollow=hollow,
        is_partial=partial,
    )


def metrics_words(result: Result) -> str:
    """'83 of 360 metrics': those with data, of those tested on any model."""
    total = round(result.n_metrics / result.coverage) if result.coverage else 0
    if not total:
        return _("no metric")
    return _("%(part)s of %(metrics)s") % {"part": f"{result.n_metrics:,}", "metrics": metrics(total)}


def _why_nothing(result: Result) -> str:
    if result.n_conversations:
        several = _("none of %(n)s judged") % {"n": f"{result.n_conversations:,}"}
        return _("not judged") if result.n_conversations == 1 else several
    return _("none finished") if result.n_planned else _("not tested")
