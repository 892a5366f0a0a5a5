"""What ratings at hand tell for the next plan: how far items and raters lie apart, and which answers are used."""

from collections import Counter
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Spread:
    """The standard deviations that `planning.plans_for_mean` asks for; None where the ratings cannot tell."""

    sd_items: float | None
    sd_raters: float | None
    n_items: int
    n_ratings: int


def spread(ratings: pd.DataFrame, question: str) -> Spread:
    """How far the items' true means lie apart, and raters on one item, from marks on a scale (item, question, value).

    One-way analysis of variance with random items of unequal numbers of ratings (S. R. Searle, G. Casella and C. E.
    McCulloch, Variance Components, 1992, section 3.6): s_e^2 = MS within, s_a^2 = (MS between - MS within) / n0 with
    n0 = (N - sum n_i^2 / N) / (a - 1), held at 0 or above. It takes two items and one item with two ratings.
    """
    asked = ratings[ratings["question"] == question]
    marks = asked["value"].astype(float)
    of_item = marks.groupby(asked["item"]).agg(["size", "mean"])
    n, a = len(marks), len(of_item)
    if a < 2 or n == a:
        return Spread(None, None, a, n)
    size, mean = of_item["size"].to_numpy(dtype=np.float64), of_item["mean"].to_numpy(dtype=np.float64)
    within = float(((marks - asked["item"].map(of_item["mean"])) ** 2).sum()) / (n - a)
    between = float((size * (mean - marks.mean()) ** 2).sum()) / (a - 1)
    n0 = (n - float((size**2).sum()) / n) / (a - 1)
    return Spread(sqrt(max(0.0, (between - within) / n0)), sqrt(within), a, n)


def used_shares(ratings: pd.DataFrame, question: str) -> dict[str, float]:
    """How often each answer to a question was used, as `planning.plans_for_agreement` asks; empty without answers."""
    counts = Counter(map(str, ratings.loc[ratings["question"] == question, "value"]))
    return {value: count / counts.total() for value, count in sorted(counts.items())}
