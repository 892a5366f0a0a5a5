"""The strength of a label: the row clearly above the model's own headline of its kind, the weakest spot's mirror."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from labels.cells import Cell
from labels.label import Row


def strength_rule() -> str:
    """The rule as a sentence for readers."""
    return _(
        "A strength is found by the same rule the other way round: the row with the highest lower end of its range, "
        "and only if that end lies above the upper end of the headline of its kind."
    )


def strength(rows: Iterable[Row], headline: Cell) -> Row | None:
    """The row of that rule among the rows of one kind; `headline` is that kind's own. Ties: the first row."""
    whole = headline.result
    if whole is None or whole.ci_high is None or not headline.can_be_compared:
        return None
    above = [
        (-row.pooled.result.ci_low, place, row)
        for place, row in enumerate(rows)
        if row.pooled.can_be_compared
        and row.pooled.result is not None
        and row.pooled.result.ci_low is not None
        and row.pooled.result.ci_low > whole.ci_high
    ]
    return min(above, key=lambda found: found[:2])[2] if above else None
