"""Which simulated user seems most real, with each rater's own severity taken out (ImpactBench paper, section 3.4.1)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evaluation.studies.analysis.estimates import SCENARIOS, Estimate, estimate_over, ratio


@dataclass(frozen=True)
class SimulatorScore:
    """One simulator: the mean of its standardized marks and that of its marks as given, from `n` marks in all."""

    simulator: str
    n: int
    n_raters: int
    n_scenarios: int
    z: Estimate
    mean: Estimate


def simulator_scores(rows: pd.DataFrame, question: str) -> list[SimulatorScore]:
    """By name. A rater's mark x becomes (x - m) / s, m and s (of a sample) those of all marks of the rater.

    Raters who gave one mark throughout tell no simulators apart, and are left out of z. Intervals draw scenarios.
    """
    asked = rows[rows["question"] == question]
    marks = asked["value"].astype(float)
    by_rater = marks.groupby(asked["rater"])
    spread = by_rater.transform("std").replace(0.0, np.nan)
    scored = asked.assign(mark=marks, z=(marks - by_rater.transform("mean")) / spread)
    return [_score(str(name), of) for name, of in scored.groupby("target", sort=True)]


def _score(simulator: str, rows: pd.DataFrame) -> SimulatorScore:
    told = rows[rows["z"].notna()]
    return SimulatorScore(
        simulator=simulator,
        n=len(rows),
        n_raters=int(rows["rater"].nunique()),
        n_scenarios=int(rows["scenario"].nunique()),
        z=_mean(told, "z", "every rater gave one mark throughout"),
        mean=_mean(rows, "mark", ""),
    )


def _mean(rows: pd.DataFrame, column: str, reason: str) -> Estimate:
    values = rows[column].to_numpy(dtype=np.float64)
    return estimate_over(rows, [values, np.ones(len(values))], ratio, SCENARIOS, n=len(values), reason=reason)
