"""What raters chose: the share of each answer, of questions with one answer or with several."""

from dataclasses import dataclass

import pandas as pd

from evaluation.studies.analysis.estimates import Estimate, share
from evaluation.studies.analysis.groups import Group, groups
from evaluation.studies.questions import Question


@dataclass(frozen=True)
class Choice:
    """How often each answer to one question was chosen in one group; shares of several answers may exceed 1 in sum."""

    question: str
    by: str
    key: str
    n: int
    n_items: int
    n_metrics: int
    counts: dict[str, int]
    shares: dict[str, Estimate]


def choices(rows: pd.DataFrame, question: Question) -> list[Choice]:
    """The answers to a question in all groups."""
    asked = rows[rows["question"] == question.key]
    return [_choice(group, question) for group in groups(asked)]


def _choice(group: Group, question: Question) -> Choice:
    hits = {
        option.value: [option.value in (given if isinstance(given, list) else [given]) for given in group.rows["value"]]
        for option in question.options
    }
    return Choice(
        question=question.key,
        by=group.by,
        key=group.key,
        n=len(group.rows),
        n_items=group.n_items,
        n_metrics=group.n_metrics,
        counts={value: sum(hit) for value, hit in hits.items()},
        shares={value: share(group.rows, hit) for value, hit in hits.items()},
    )
