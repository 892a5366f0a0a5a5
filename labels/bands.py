"""What may be said of a pass rate: frequency words, and how much data each statement needs.

Every floor and every boundary of the public pages stands here, once; docs and methodology read them from here.
"""

from dataclasses import dataclass
from typing import Protocol

from django.utils.translation import gettext

from labels.wording import _, hundred

# Lower bound in 100, word: they say how often something was seen, not how good that is.
BANDS = ((80, _("Nearly always")), (60, _("Often")), (40, _("About half")), (20, _("Sometimes")), (0, _("Rarely")))

# Fewer judged conversations than this: the counts only, no rate.
COUNTS_ONLY_BELOW = 6
# Fewer than this: a rate with its range, a hollow mark, no word.
HOLLOW_BELOW = 30
# A group of fewer metrics than this shows counts only (a single metric's own page shows its conversations).
METRICS_FLOOR = 3
# Two sides that share fewer metrics are not told apart: even where all of 5 metrics lean to one side, chance alone does
# that more often than 1 time in 20 (2 / 2**5 = 6 %; of 6 metrics 3 %).
SHARED_METRICS_FLOOR = 6
# Share of the metrics that have data: below the first the number is marked, below the second it is not shown.
PARTIAL_BELOW = 0.8
NOT_ENOUGH_BELOW = 0.5
# Rows on the card; the rest stands on the label's page.
ROWS_ON_CARD = 16


class Rate(Protocol):
    """What a number on a page is made of: an evaluation.models.Result, or anything with the same fields."""

    polarity: str
    n_judged: int
    pass_rate: float | None
    ci_low: float | None
    ci_high: float | None
    ci50_low: float | None
    ci50_high: float | None


@dataclass(frozen=True)
class Band:
    """The word for a rate, and the other words its range reaches into, nearest first, lower ones before higher."""

    word: str
    could_be: tuple[str, ...] = ()

    def __str__(self) -> str:
        """'Often', or 'Often (could be About half)': for data, where a page says `in_tests` and `aside`."""
        return f"{self.word} (could be {' or '.join(self.could_be)})" if self.could_be else self.word

    @property
    def in_tests(self) -> str:
        """'Often in tests': on a page the word never stands alone, for it tells of these tests only."""
        return gettext("%(word)s in tests") % {"word": self.word}

    @property
    def aside(self) -> str:
        """The part in brackets, in running lower case: '(could be about half)', or nothing."""
        could_be = gettext(" or ").join(word.lower() for word in self.could_be)
        return gettext("(could be %(words)s)") % {"words": could_be} if self.could_be else ""


def word(rate: float) -> str:
    """The frequency word of a rate between 0 and 1, by the whole number of 100 that pages show."""
    return str(BANDS[_place(rate)][1])


def _place(rate: float) -> int:
    """The place of the rate's word in BANDS, whose first is the highest."""
    shown = int(hundred(rate))
    return next(place for place, (floor, _name) in enumerate(BANDS) if shown >= floor)


def band(rate: Rate) -> Band | None:
    """The band of a rate with its crossings; None where the data do not carry a word."""
    if rate.pass_rate is None or rate.n_judged < HOLLOW_BELOW:
        return None
    here = _place(rate.pass_rate)
    lowest = here if rate.ci_low is None else max(here, _place(rate.ci_low))
    highest = here if rate.ci_high is None else min(here, _place(rate.ci_high))
    crossed = [*BANDS[here + 1 : lowest + 1], *reversed(BANDS[highest:here])]
    return Band(str(BANDS[here][1]), tuple(str(name) for _floor, name in crossed))


def spans() -> list[tuple[str, str]]:
    """The bands as a table for readers: ('80 to 100', 'Nearly always'), highest first."""
    tops = [100, *(floor - 1 for floor, _name in BANDS)]
    return [
        (gettext("%(floor)s to %(top)s") % {"floor": floor, "top": top}, str(name))
        for (floor, name), top in zip(BANDS, tops, strict=False)
    ]


def floors() -> dict[str, int]:
    """The floors by the names that sentences have for them: chats, metrics, and shares of the metrics in 100."""
    return {
        "counts": COUNTS_ONLY_BELOW,
        "few": HOLLOW_BELOW,
        "group": METRICS_FLOOR,
        "shared": SHARED_METRICS_FLOOR,
        "partly": round(PARTIAL_BELOW * 100),
        "hidden": round(NOT_ENOUGH_BELOW * 100),
    }


def is_hollow(n_judged: int) -> bool:
    """Whether the mark is drawn hollow: read the range, not the number."""
    return n_judged < HOLLOW_BELOW


def range_in_100(low: float | None, high: float | None) -> str:
    """'58-66' with a dash between numbers, or nothing where there is no range."""
    return "" if low is None or high is None else f"{hundred(low)}–{hundred(high)}"
