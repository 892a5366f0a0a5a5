"""What raters marked on scales: mean, standard deviation, and the share of the upper marks."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evaluation.studies.analysis.estimates import Estimate, estimate, ratio, share
from evaluation.studies.analysis.groups import Group, groups
from evaluation.studies.questions import Question

# On a scale of 1 to 4 the upper marks are 3 and 4 (ImpactBench paper, sections 3.3.3 to 3.5.4).
_FOUR, _UPPER = 4, 3


@dataclass(frozen=True)
class Scale:
    """The marks of one question in one group. `upper` is the share of 3 and 4; None on scales of other lengths."""

    question: str
    by: str
    key: str
    n: int
    n_items: int
    n_metrics: int
    mean: Estimate
    sd: float | None
    upper: Estimate | None
    counts: dict[str, int]


def scales(rows: pd.DataFrame, question: Question) -> list[Scale]:
    """The marks of a question in all groups; the SD is that of a sample (n - 1), None of fewer than two marks."""
    asked = rows[rows["question"] == question.key]
    return [_scale(group, question) for group in groups(asked)]


def _scale(group: Group, question: Question) -> Scale:
    marks = group.rows["value"].to_numpy(dtype=np.float64)
    counted = Counter(str(int(mark)) for mark in marks)
    return Scale(
        question=question.key,
        by=group.by,
        key=group.key,
        n=len(marks),
        n_items=group.n_items,
        n_metrics=group.n_metrics,
        mean=estimate(group.rows, [marks, np.ones(len(marks))], ratio, n=len(marks)),
        sd=float(marks.std(ddof=1)) if len(marks) > 1 else None,
        upper=share(group.rows, marks >= _UPPER) if len(question.options) == _FOUR else None,
        counts={option.value: counted[option.value] for option in question.options},
    )
