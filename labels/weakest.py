"""The weakest spot of a label: the row that lies clearly below the headline of its kind, found by a fixed rule."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from labels import bands
from labels.cells import Cell

if TYPE_CHECKING:
    from labels.label import Row


def weakest_spot_rule() -> tuple[str, ...]:
    """The rule as paragraphs for readers."""
    return (
        _(
            "The weakest spot is the row with the lowest upper end of its range, and only if that end lies below the "
            "lower end of the headline. It is looked for in each kind apart, against that kind's own headline, in the "
            "group of people that is shown. So there is at most one for each kind, and often there is none."
        ),
        _(
            "Only rows that may be compared take part: they show a rate with its range, they rest on at least %(few)s "
            "chats, and at least %(partly)s in 100 of their metrics have data. A model that was tested on a part of "
            "the metrics has no weakest spot. If two rows share the lowest upper end, the one that stands first is "
            "named."
        )
        % bands.floors(),
    )


def weakest_spot(rows: Iterable["Row"], headline: Cell) -> "Row | None":
    """The row of that rule among the rows of one kind; `headline` is that kind's own."""
    whole = headline.result
    if whole is None or whole.ci_low is None or not headline.can_be_compared:
        return None
    below = [
        (row.pooled.result.ci_high, place, row)
        for place, row in enumerate(rows)
        if row.pooled.can_be_compared
        and row.pooled.result is not None
        and row.pooled.result.ci_high is not None
        and row.pooled.result.ci_high < whole.ci_low
    ]
    return min(below, key=lambda found: found[:2])[2] if below else None
