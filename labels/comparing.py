"""Several labels side by side: the same rows, each model's number and range, no order and no winner."""

from dataclasses import dataclass

from evaluation.models import LanguageModel
from labels.cells import Cell
from labels.context import State
from labels.label import Label, compose_label, row_definitions, several_results
from labels.row_titles import RowTitle
from labels.wording import Kind

FEWEST, MOST = 2, 4


@dataclass(frozen=True)
class ComparedRow:
    """One row; `slug` is empty for all metrics of the kind together."""

    slug: str
    title: RowTitle
    cells: list[tuple[LanguageModel, Cell]]


@dataclass(frozen=True)
class ComparedBlock:
    """One kind: all its metrics together, then row by row."""

    kind: Kind
    everything: list[tuple[LanguageModel, Cell]]
    rows: list[ComparedRow]


@dataclass(frozen=True)
class Comparison:
    """The labels of the chosen models."""

    labels: list[Label]
    blocks: list[ComparedBlock]

    @property
    def partial(self) -> list[Label]:
        """Those tested on part of the metrics only."""
        return [label for label in self.labels if label.is_partial]


def compare(state: State) -> Comparison | None:
    """The chosen models side by side; None where fewer than two are chosen."""
    if state.release is None or len(state.models) < FEWEST:
        return None
    models = state.models[:MOST]
    results = several_results(state.release, models)
    keys = {key for of_model in results.values() for key in of_model}
    definitions = row_definitions(state.release, keys)
    labels = [
        compose_label(
            state.release,
            model,
            results[model.pk],
            definitions,
            profiles=state.profiles,
            profile=state.result_profile,
        )
        for model in models
    ]
    return Comparison(labels, [_block(labels, position) for position in range(len(labels[0].blocks))])


def _block(labels: list[Label], position: int) -> ComparedBlock:
    first = labels[0].blocks[position]
    rows = [
        ComparedRow(
            row.slug,
            row.title,
            [(label.model, label.blocks[position].rows[number].pooled) for label in labels],
        )
        for number, row in enumerate(first.rows)
    ]
    return ComparedBlock(first.kind, [(label.model, label.headlines[position].cell) for label in labels], rows)
