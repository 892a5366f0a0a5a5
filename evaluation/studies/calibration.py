"""Whether a new judge, or a new prompt, agrees well enough with what people have settled."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import pandas as pd

from evaluation.statistics.intervals import wilson_interval
from evaluation.studies.analysis.estimates import WILSON, Estimate, share

SETTING = 0.7
LEAST = 30


class Answer(StrEnum):
    """Whether the judge may be used."""

    YES = "yes"
    NO = "no"
    TOO_FEW = "too few"


@dataclass(frozen=True)
class Calibration:
    """The answer with the agreement it rests on. `n_unjudged` items count as not agreed."""

    answer: Answer
    agreement: Estimate
    setting: float
    least: int
    n_unjudged: int = 0


def passes(low: float | None, n: int, *, setting: float = SETTING, least: int = LEAST) -> Answer:
    """Yes when the lower bound of the agreement reaches the setting; 'too few' for n items under `least`.

    Too few are also so few that even full agreement could not reach the setting.
    """
    full, _ = wilson_interval(n, n)
    if n < least or low is None or not full >= setting:
        return Answer.TOO_FEW
    return Answer.YES if low >= setting else Answer.NO


def calibration(
    judged: Sequence[bool | None],
    settled: Sequence[bool],
    metrics: Sequence[str],
    *,
    setting: float = SETTING,
    least: int = LEAST,
) -> Calibration:
    """The judge's verdicts beside the settled ones of the calibration set, in which nothing contested belongs.

    The interval is that of the share of equal verdicts: from draws of metrics, or Wilson's where its lower end is
    lower, since what opens a door should not rest on the kinder of two. Raises ValueError for unequal lengths.
    """
    if not len(judged) == len(settled) == len(metrics):
        raise ValueError(f"{len(judged)} verdicts, {len(settled)} settled ones and {len(metrics)} metrics")
    equal = [verdict == truth for verdict, truth in zip(judged, settled, strict=True)]
    rows = pd.DataFrame({"metric": list(metrics), "item": range(len(metrics))})
    found = share(rows, equal)
    low, high = (float(end) for end in wilson_interval(np.sum(equal), len(equal)))
    if found.low is not None and low < found.low:
        found = replace(found, low=low, high=high, method=WILSON)
    n_unjudged = sum(verdict is None for verdict in judged)
    return Calibration(passes(found.low, len(equal), setting=setting, least=least), found, setting, least, n_unjudged)
