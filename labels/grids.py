"""The grid of Explore: models by subareas, one grid a kind, never one scale for both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from evaluation.models import LanguageModel, Result
from labels.numbers import Number, number
from labels.queries import Place
from labels.wording import KINDS, Kind

# Step of the scale, the numbers it stands for.
SHADES = ((1, "0–19"), (2, "20–39"), (3, "40–59"), (4, "60–79"), (5, "80–100"))


@dataclass(frozen=True)
class Column:
    """One subarea of a grid: where it leads, and how many chats stand behind its numbers."""

    place: Place
    href: str
    chats: str


@dataclass(frozen=True)
class Grid:
    """Models by places for one kind; each row has one number or None for each of `columns`."""

    kind: Kind
    # Name of an area, how many of its subareas follow.
    groups: list[tuple[str, int]]
    columns: list[Column]
    rows: list[tuple[LanguageModel, list[Number | None]]]


def grids(
    polarities: Iterable[str],
    models: Sequence[LanguageModel],
    tree: Sequence[tuple[Place, Sequence[tuple[Place, str]]]],
    results: Iterable[Result],
) -> list[Grid]:
    """One grid a kind: `models` by the subareas of `tree`, each subarea with its address."""
    found = {(result.polarity, result.model_id, result.key): result for result in results}
    made = []
    for polarity in polarities:
        areas = [(area, [part for part in parts if part[0].n.get(polarity)]) for area, parts in tree]
        areas = [(area, parts) for area, parts in areas if parts]
        places = [part for _area, parts in areas for part in parts]
        rows = [(model, [_cell(found.get((polarity, model.pk, one.slug))) for one, _ in places]) for model in models]
        columns = [
            Column(one, href, _chats(cells[at] for _model, cells in rows)) for at, (one, href) in enumerate(places)
        ]
        if columns:
            made.append(Grid(KINDS[polarity], [(area.name, len(parts)) for area, parts in areas], columns, rows))
    return made


def _cell(result: Result | None) -> Number | None:
    return None if result is None else number(result)


def _chats(cells: Iterable[Number | None]) -> str:
    """How many judged chats stand behind the numbers of a column: 'n 84', or 'n up to 84' where they differ."""
    counts = {cell.result.n_judged for cell in cells if cell is not None}
    if not counts:
        return ""
    most = {"n": f"{max(counts):,}"}
    return _("n %(n)s") % most if len(counts) == 1 else _("n up to %(n)s") % most
