"""A number beside others, in Explore, tables and lists: what `labels.cells` says of it, and its place among them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from evaluation.models import Result
from labels.cells import Cell, cell
from labels.wording import NO_DATA, part_of


@dataclass(frozen=True)
class Number:
    """A result with its cell; a result exists even where nothing was judged."""

    result: Result
    cell: Cell

    @property
    def is_shown(self) -> bool:
        """Whether there is enough data for a number of 100."""
        return self.cell.has_rate

    @property
    def text(self) -> str:
        """The whole number of 100, or a dash."""
        return self.cell.text if self.is_shown else NO_DATA

    @property
    def range(self) -> str:
        """The range alone, or nothing."""
        return self.cell.range

    @property
    def counts(self) -> str:
        """Good outcomes of judged chats: '12 of 18'; a dash where nothing was judged."""
        return part_of(self.result.n_passed, self.result.n_judged) if self.result.n_judged else NO_DATA

    @property
    def is_partial(self) -> bool:
        return self.cell.is_partial

    @property
    def why(self) -> str:
        """Why there is no number, or what a reader must know of it; empty for a plain one."""
        if not self.is_shown:
            return self.cell.note
        if self.cell.is_partial:
            return _("partly tested: %(metrics)s") % {"metrics": self.cell.coverage_words}
        return _("few chats") if self.cell.is_hollow else ""

    @property
    def can_be_compared(self) -> bool:
        """Whether it may stand in a sentence about several models."""
        return self.cell.can_be_compared

    @property
    def tint(self) -> int:
        """The step of the grid's colour scale, 1 to 5; 0 without a number."""
        return min(int(self.text) // 20, 4) + 1 if self.is_shown else 0


def number(result: Result) -> Number:
    """What may be said of a result; only a headline over everything shows its number below half of the metrics."""
    is_headline = result.group == Result.Group.OVERALL
    return Number(result, cell(result, polarity=result.polarity, needs_coverage=not is_headline))
