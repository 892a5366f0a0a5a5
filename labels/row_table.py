"""One row of a label as a table for spreadsheets and programs: the row itself, then a line for each of its metrics."""

from collections.abc import Iterator

from evaluation.models import LanguageModel, Release
from labels.row_page import RowBlock, RowPage
from labels.tables import RESULT_COLUMNS, Table, release_table, result_values

COLUMNS = ("model", "row", "polarity", "metric", "name", "profile", *RESULT_COLUMNS)


def row_table(release: Release, model: LanguageModel, slug: str, page: RowPage) -> Table:
    """The numbers of the row page; `metric` is empty on the lines of the row as a whole."""
    rows = [
        [model.slug, slug, block.kind.polarity, *line] for block in page.blocks for line in _lines(block)
    ]  # fmt: skip
    return release_table(release, f"{model.slug}-{slug}", COLUMNS, rows)


def _lines(block: RowBlock) -> Iterator[list[object]]:
    row = block.row
    for whole in dict.fromkeys([row.pooled.result, *(cell.result for _name, cell in row.cells)]):
        if whole is not None:
            yield [None, row.title.name, whole.profile, *result_values(whole)]
    for metric in block.metrics:
        for result in metric.results:
            yield [metric.version.metric.slug, metric.name, result.profile, *result_values(result)]
