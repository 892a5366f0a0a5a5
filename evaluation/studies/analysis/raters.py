"""How far raters agree with each other on the items that two or more of them rated."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from evaluation.statistics.agreement import NOMINAL, ORDINAL, alpha_of, coincidences
from evaluation.studies.analysis.estimates import Estimate, Floats, estimate, ratio
from evaluation.studies.analysis.groups import ALL, BENCHMARK, METRIC, POLARITY, Group, groups
from evaluation.studies.questions import Question, QuestionKind

_NO_PAIR = "no item was rated by two"


@dataclass(frozen=True)
class RaterAgreement:
    """Agreement on one question in one group; `level` says whether marks have an order or are mere categories.

    Every answer is a category, borderline and unsure among them (ImpactBench paper, section 4.9).
    """

    question: str
    by: str
    key: str
    level: str
    n_items: int
    n_ratings: int
    n_raters: int
    n_metrics: int
    pairwise: Estimate
    unanimity: Estimate
    alpha: Estimate


def rater_agreement(rows: pd.DataFrame, question: Question) -> Iterator[RaterAgreement]:
    """All groups but those of single raters; items with one rating say nothing and are not counted."""
    asked = rows[rows["question"] == question.key]
    shared = asked[asked.groupby("item")["rater"].transform("size") >= 2]
    for group in groups(shared, (ALL, METRIC, BENCHMARK, POLARITY)):
        yield _of_group(group, question)


def _of_group(group: Group, question: Question) -> RaterAgreement:
    level = ORDINAL if question.kind is QuestionKind.SCALE else NOMINAL
    items, table = _counts(group.rows)
    n, of_item = table.sum(axis=1), coincidences(table)
    # The diagonal of an item's coincidences has its equal pairs, n (n - 1) of them at 1 / (n - 1) each.
    equal = np.einsum("ucc->u", of_item) / n
    size, one = table.shape[1], np.ones(len(items))
    return RaterAgreement(
        question=question.key,
        by=group.by,
        key=group.key,
        level=level,
        n_items=len(items),
        n_ratings=int(n.sum()),
        n_raters=int(group.rows["rater"].nunique()),
        n_metrics=group.n_metrics,
        pairwise=estimate(items, [equal, one], ratio, n=len(items), reason=_NO_PAIR),
        unanimity=estimate(items, [table.max(axis=1) == n, one], ratio, n=len(items), reason=_NO_PAIR),
        alpha=estimate(
            items,
            list(of_item.reshape(len(items), size * size).T),
            partial(_alphas, size=size, level=level),
            n=len(items),
            reason="all ratings are one category",
        ),
    )


def _counts(rows: pd.DataFrame) -> tuple[pd.DataFrame, Floats]:
    """The items, and how often each value was given to each of them: (items, values), values in their order."""
    of_item, _ = pd.factorize(rows["item"])
    of_value, values = pd.factorize(rows["value"], sort=True)
    items = rows.drop_duplicates("item")
    flat = np.bincount(of_item * len(values) + of_value, minlength=len(items) * len(values))
    return items, flat.reshape(len(items), len(values)).astype(np.float64)


def _alphas(sums: Floats, *, size: int, level: str) -> Floats:
    return alpha_of(sums.T.reshape(-1, size, size), level)
