"""Base scenarios hold one pair of goals: variants that state others become a base of their own."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import TypeVar

from evaluation.importers.formats.result_types import ResultScenario
from evaluation.importers.formats.types import ScenarioFile

Row = TypeVar("Row", ScenarioFile, ResultScenario)


def with_one_goal_each(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """The rows, renumbered so that all variants of a base share their goals, and those that were moved.

    The first row of a base decides; rows that differ move together to the next free number of their metric. The
    same rows always give the same numbers (ImpactBench paper, section 3.3.1: goals are the same for all profiles).
    """
    taken: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        taken[_metric(row)].add(row.base_number)
    first: dict[tuple[str, int], tuple[str | None, str | None]] = {}
    moved_to: dict[tuple[str, int, tuple[str | None, str | None]], int] = {}
    numbered: list[Row] = []
    moved: list[Row] = []
    for row in rows:
        metric, goals = _metric(row), (row.goal, row.latent_adversarial_goal)
        if first.setdefault((metric, row.base_number), goals) == goals:
            numbered.append(row)
            continue
        key = (metric, row.base_number, goals)
        if key not in moved_to:
            moved_to[key] = next(number for number in count(1) if number not in taken[metric])
            taken[metric].add(moved_to[key])
        numbered.append(replace(row, base_number=moved_to[key]))
        moved.append(numbered[-1])
    return numbered, moved


def _metric(row: ScenarioFile | ResultScenario) -> str:
    return row.metric_id if isinstance(row, ScenarioFile) else row.metric
