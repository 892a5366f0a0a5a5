"""Verdicts of a release counted into whole numbers by metric and cell, a cell being a model and a profile."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaluation.statistics.verdicts import NOT_JUDGED

Integers = NDArray[np.int64]

POOLED = "all"


@dataclass(frozen=True)
class Counts:
    """Counts of shape (metrics, cells). Metrics are those of known polarity, sorted by slug.

    A cell is (model, profile); model None pools the models and profile 'all' pools the profiles.
    """

    metrics: tuple[str, ...]
    benchmarks: tuple[str, ...]
    polarities: tuple[str, ...]
    cells: tuple[tuple[str | None, str], ...]
    planned: Integers
    ended: Integers
    judged: Integers
    passed: Integers
    unjudged: dict[str, Integers]


def count(verdicts: pd.DataFrame, *, models: Sequence[str], profiles: Sequence[str]) -> Counts:
    """Count `verdicts` (columns as in `pass_rates.release_results`), leaving out metrics of unknown polarity."""
    known = verdicts[verdicts["polarity"].notna()]
    facts = known.drop_duplicates("metric").sort_values("metric")
    _refuse_contradictions(known, models=models, profiles=profiles)

    index = (
        pd.Index(facts["metric"]).get_indexer(pd.Index(known["metric"])),
        pd.Index(models).get_indexer(pd.Index(known["model"])),
        pd.Index(profiles).get_indexer(pd.Index(known["profile"])),
    )
    shape = (len(facts), len(models), len(profiles))
    flat = np.ravel_multi_index(index, shape)

    def tally(chosen: NDArray[np.bool_]) -> Integers:
        return _with_pools(np.bincount(flat[chosen], minlength=int(np.prod(shape))).reshape(shape))

    ended = known["ended"].to_numpy(dtype=bool)
    present = known["present"].astype("boolean")
    judged = ended & present.notna().to_numpy()
    positive = (known["polarity"] == "positive").to_numpy()
    passed = judged & (present.fillna(False).to_numpy(dtype=bool) == positive)
    reasons = known["reason"].fillna("").astype(str).replace("", NOT_JUDGED).to_numpy(dtype=object)
    unjudged = ended & ~judged
    return Counts(
        metrics=tuple(facts["metric"]),
        benchmarks=tuple(facts["benchmark"]),
        polarities=tuple(facts["polarity"]),
        cells=tuple((model, profile) for model in (None, *models) for profile in (POOLED, *profiles)),
        planned=tally(np.ones(len(known), dtype=bool)),
        ended=tally(ended),
        judged=tally(judged),
        passed=tally(passed),
        unjudged={reason: tally(unjudged & (reasons == reason)) for reason in sorted(set(reasons[unjudged]))},
    )


def sum_up(table: pd.DataFrame, *, models: Sequence[str], profiles: Sequence[str]) -> Counts:
    """The counts of a table that has, by metric, model and profile, how many conversations passed of those judged.

    Its columns are metric, benchmark, polarity, model, profile, passed, judged; nothing is unjudged here.
    """
    facts = table.drop_duplicates("metric").sort_values("metric")
    index = (
        pd.Index(facts["metric"]).get_indexer(pd.Index(table["metric"])),
        pd.Index(models).get_indexer(pd.Index(table["model"])),
        pd.Index(profiles).get_indexer(pd.Index(table["profile"])),
    )
    shape = (len(facts), len(models), len(profiles))

    def total(column: str) -> Integers:
        found = np.zeros(shape, dtype=np.int64)
        np.add.at(found, index, table[column].to_numpy(dtype=np.int64))
        return _with_pools(found)

    judged = total("judged")
    return Counts(
        metrics=tuple(facts["metric"]),
        benchmarks=tuple(facts["benchmark"]),
        polarities=tuple(facts["polarity"]),
        cells=tuple((model, profile) for model in (None, *models) for profile in (POOLED, *profiles)),
        planned=judged,
        ended=judged,
        judged=judged,
        passed=total("passed"),
        unjudged={},
    )


def _with_pools(counts: Integers) -> Integers:
    """Put the sum over models and the sum over profiles first, and flatten (model, profile) into cells."""
    counts = np.concatenate([counts.sum(axis=1, keepdims=True), counts], axis=1)
    counts = np.concatenate([counts.sum(axis=2, keepdims=True), counts], axis=2)
    return counts.reshape(counts.shape[0], counts.shape[1] * counts.shape[2])


def _refuse_contradictions(known: pd.DataFrame, *, models: Sequence[str], profiles: Sequence[str]) -> None:
    if POOLED in profiles:
        raise ValueError(f"no profile may be called {POOLED!r}: it stands for all profiles together")
    for column, listed in (("model", models), ("profile", profiles)):
        strangers = sorted(set(known[column]) - set(listed))
        if strangers:
            raise ValueError(f"verdicts name the {column} {strangers[0]!r}, which the release does not list")
    wrong = sorted(set(known["polarity"]) - {"positive", "negative"})
    if wrong:
        raise ValueError(f"polarity must be 'positive' or 'negative', not {wrong[0]!r}")
    facts = known[["metric", "benchmark", "polarity"]].drop_duplicates()
    twice = facts.loc[facts["metric"].duplicated(), "metric"]
    if len(twice):
        raise ValueError(f"metric {twice.iloc[0]!r} stands in two benchmarks or with two polarities")
    if known["conversation"].duplicated().any():
        raise ValueError("a conversation stands in the verdicts twice")
