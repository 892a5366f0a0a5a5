"""What a study by machine found: `analyse_machine`."""

from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from evaluation.statistics.panel_agreement import Agreement
from evaluation.statistics.repeatability import Repeatability, repeatability
from evaluation.studies.analysis.estimates import RESAMPLES, SEED
from evaluation.studies.designs import (
    Design,
    JudgeComparison,
    JudgeRepeatability,
    RepeatSimulations,
    SimulatorAblation,
    as_data,
)
from evaluation.studies.machine.ablation import ConditionResult, ablation
from evaluation.studies.machine.conditions import conditions_of
from evaluation.studies.machine.judges import OrderChange, TargetDifference, judge_comparison
from evaluation.studies.machine.pairs import Difference
from evaluation.studies.machine.repeats import VerdictChange, verdict_changes

JUDGMENT_COLUMNS = (
    "condition",
    "benchmark",
    "metric",
    "polarity",
    "profile",
    "scenario",
    "target",
    "repeat",
    "conversation",
    "judge",
    "present",
    "passed",
)
COVERAGE_COLUMNS = ("condition", "metric", "polarity", "scenario", "target", "repeat", "anchor", "covered")


@dataclass(frozen=True)
class MachineAnalysis:
    """All numbers of a study by machine; what its kind does not have is empty. Nothing here is rounded."""

    kind: str
    design: dict[str, object]
    n_conversations: int
    n_judgments: int
    n_unjudged: int
    repeatability: tuple[Repeatability, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    rates: tuple[TargetDifference, ...] = ()
    orders: tuple[OrderChange, ...] = ()
    conditions: tuple[ConditionResult, ...] = ()
    differences: tuple[Difference, ...] = ()
    changes: tuple[VerdictChange, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The same as JSON can hold it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def analyse_machine(
    kind: str, design: Design, judgments: pd.DataFrame, coverage: pd.DataFrame | None = None
) -> MachineAnalysis:
    """What the conditions of a study by machine show; the same tables always give the same analysis.

    `judgments` has a row a judgment with JUDGMENT_COLUMNS (present and passed None where unjudged), `coverage` a row
    for each anchor of an audited conversation with COVERAGE_COLUMNS. Raises ValueError for a kind by people.
    """
    judged = judgments["present"].notna()
    return MachineAnalysis(
        kind=kind,
        design=as_data(design),
        n_conversations=int(judgments["conversation"].nunique()),
        n_judgments=int(judged.sum()),
        n_unjudged=int((~judged).sum()),
        **_results(kind, design, judgments, coverage),
    )


def _results(
    kind: str, design: Design, judgments: pd.DataFrame, coverage: pd.DataFrame | None
) -> dict[str, tuple[Any, ...]]:
    if isinstance(design, JudgeRepeatability):
        return {"repeatability": tuple(repeatability(judgments, resamples=RESAMPLES, seed=SEED))}
    if isinstance(design, JudgeComparison):
        agreement, rates, orders = judge_comparison(judgments, design.judges)
        return {"agreement": tuple(agreement), "rates": tuple(rates), "orders": tuple(orders)}
    if isinstance(design, SimulatorAblation):
        audited = pd.DataFrame(columns=list(COVERAGE_COLUMNS), dtype=object) if coverage is None else coverage
        names = [condition.slug for condition in conditions_of(design)]
        conditions, differences = ablation(judgments, audited, names)
        return {"conditions": tuple(conditions), "differences": tuple(differences)}
    if isinstance(design, RepeatSimulations):
        return {"changes": tuple(verdict_changes(judgments))}
    raise ValueError(f"a {kind} is done by people; evaluation.studies.analysis.analyse has it")
