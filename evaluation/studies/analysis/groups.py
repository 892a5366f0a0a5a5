"""The answers of a study laid beside their items, and the groups in which they are counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

ALL, METRIC, BENCHMARK, POLARITY, RATER = GROUPINGS = ("all", "metric", "benchmark", "polarity", "rater")
_FACTS = ["item", "benchmark", "metric", "polarity", "profile", "target", "scenario", "judged_passed"]


@dataclass(frozen=True)
class Group:
    """Rows that are counted together: all of them, or those of one metric, benchmark, polarity or rater."""

    by: str
    key: str
    rows: pd.DataFrame

    @property
    def n_items(self) -> int:
        """How many items the rows are about."""
        return int(self.rows["item"].nunique())

    @property
    def n_metrics(self) -> int:
        """How many metrics they are about."""
        return int(self.rows["metric"].nunique())


def answers(ratings: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """One row an answer with the facts of its item, by item and rater, in whatever order they are given.

    Raises ValueError for a rating of an item that is not there.
    """
    strangers = sorted(set(ratings["item"]) - set(items["item"]))
    if strangers:
        raise ValueError(f"a rating names item {strangers[0]}, which the study does not have")
    ordered = ratings.sort_values(["item", "rater", "question"], ignore_index=True)
    return ordered.merge(items[_FACTS], on="item", how="left", validate="many_to_one")


def groups(rows: pd.DataFrame, by: Sequence[str] = GROUPINGS) -> Iterator[Group]:
    """All rows, then each value of each grouping in its order; nothing of no rows."""
    for grouping in by:
        if rows.empty:
            continue
        if grouping == ALL:
            yield Group(ALL, "", rows)
            continue
        for key, part in rows.groupby(grouping, sort=True):
            yield Group(grouping, str(key), part)
