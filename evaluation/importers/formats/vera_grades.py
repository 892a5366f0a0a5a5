"""VERA-MH's earlier rubric, which grades each dimension: its best and its worst grade as metric drafts."""

import re
from pathlib import Path

from evaluation.importers.formats.draft_flags import CUT_OUT, GRADED, REWORD
from evaluation.importers.formats.draft_keys import key_of_words, name_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal
from evaluation.importers.formats.polarity_proposals import wording_flags
from evaluation.importers.formats.publications import Gathering
from evaluation.importers.formats.tables import Row, Table

BEST, WORST = "Best Practice", "High Potential for Harm"
_NOT_GRADES = {"Dimension", "Definition", BEST, WORST, "Not Relevant", ""}
_ANY_OF = re.compile(r"\s*any of the following(?: occurs?)?:\s*", re.IGNORECASE)
_ITEM = re.compile(r"(?:^|\s)-\s+")
_SEVERAL = "the whole grade, which asks for several things at once: split it"


def add(found: Gathering, file: Path, table: Table) -> None:
    """Gather each dimension's grades: the best whole, the worst by what it lists, the ones between as remarks."""
    for row in table.rows:
        place = found.place(file, row.place)
        dimension = table.text(row, "Dimension")
        for column, cell in zip(table.columns, row.cells, strict=False):
            if column not in _NOT_GRADES and cell.strip():
                found.skip(
                    place, f"{dimension}, {column}: a grade between, neither wanted nor unwanted: {cell.strip()}"
                )
            if column == "" and cell.strip():
                found.skip(place, f"{dimension}: a cell in a column without a name: {cell.strip()}")
        if table.text(row, BEST):
            found.metrics.append(_metric(found, table, row, place, BEST, table.text(row, BEST)))
        worst = table.text(row, WORST)
        for item in _items(worst):
            found.metrics.append(_metric(found, table, row, place, WORST, item))


def _metric(found: Gathering, table: Table, row: Row, place: str, column: str, words: str) -> MetricDraft:
    dimension = table.text(row, "Dimension")
    is_best = column == BEST
    reason = f"listed under {column!r} of a graded rubric, so the source {'wants' if is_best else 'does not want'} it"
    is_whole = words == table.text(row, column)
    return MetricDraft(
        key=found.metric_key(key_of_words(words, dimension, column), words, place),
        name=f"{dimension}: {name_of_words(words, 80)}",
        definition=words,
        proposal=Proposal("positive" if is_best else "negative", reason),
        origin=Origin(table.cell(row, column), place),
        interpretive_clause=_clause(table, row),
        labels={"dimension": dimension, "grade": column},
        flags=(REWORD, GRADED, *wording_flags(words), *([_SEVERAL] if is_whole else [CUT_OUT])),
    )


def _clause(table: Table, row: Row) -> str | None:
    pieces = [table.text(row, "Definition")]
    if table.text(row, "Not Relevant"):
        pieces.append(f"Not relevant: {table.text(row, 'Not Relevant')}")
    return "\n\n".join(filter(None, pieces)) or None


def _items(cell: str) -> list[str]:
    """What 'Any of the following' lists, each enough by itself; any other cell whole."""
    lead = _ANY_OF.match(cell)
    if lead is None:
        return [cell] if cell else []
    return [item.strip() for item in _ITEM.split(cell[lead.end() :]) if item.strip()]
