"""The gallery as a table for spreadsheets and programs: two lines a model, one for each kind."""

from collections.abc import Iterable

from evaluation.models import Release
from labels.glance import Glance
from labels.tables import RESULT_COLUMNS, Table, release_table, result_values

COLUMNS = ("model", "name", "provider", "open_weights", "polarity", "profile", *RESULT_COLUMNS)


def glance_table(release: Release, items: Iterable[Glance]) -> Table:
    """The shown labels in their order; a kind without data has a line with empty numbers."""
    rows = [
        [
            item.model.slug,
            item.model.name,
            item.model.provider or None,
            item.model.open_weights,
            cell.polarity,
            cell.result.profile if cell.result else None,
            *result_values(cell.result),
        ]
        for item in items
        for cell in item.cells
    ]
    return release_table(release, "labels", COLUMNS, rows)
