"""Every sensitivity analysis of a release, as rows of one table (ImpactBench paper, sections 3.6, 4.7 and 4.10)."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from evaluation.statistics.bootstrap import Integers
from evaluation.statistics.correlation import Correlation, spearman
from evaluation.statistics.counts import POOLED, Counts, count
from evaluation.statistics.sensitivity import (
    Share,
    benchmark_versus_rest,
    equal_benchmark,
    leave_one_benchmark_out,
    pooled,
    profile_consistency,
    rate,
)

COLUMNS = ("kind", "model", "benchmark", "polarity", "across", "profile_a", "profile_b", "value", "n", "reason")
POLARITIES = ("positive", "negative")

Row = dict[str, Any]


def release_sensitivity(
    verdicts: pd.DataFrame, counts: Counts, subareas: Mapping[str, Collection[str]]
) -> pd.DataFrame:
    """All rows; profiles are pooled unless a row names two. A value that does not exist is None with the reason.

    `verdicts` may have a column `aware`: True where a model spoke of being tested; `without-aware` needs it.
    """
    rows: list[Row] = []
    for polarity in POLARITIES:
        tables = _tables(counts, polarity, POOLED)
        if len(tables[0]):
            rows += _of_polarity(counts, polarity, tables)
            rows += _consistency(counts, polarity)
    rows += _positive_against_negative(counts, subareas)
    rows += _without_aware(verdicts, counts)
    complete = [{name: row.get(name) for name in COLUMNS} for row in rows]
    return pd.DataFrame({name: pd.Series([row[name] for row in complete], dtype=object) for name in COLUMNS})


def benchmarks_of(counts: Counts, polarity: str) -> list[str]:
    """The benchmarks that have metrics of that polarity, in order."""
    return sorted({b for b, p in zip(counts.benchmarks, counts.polarities, strict=True) if p == polarity})


def models_of(counts: Counts) -> list[str]:
    """The models of the release, in its order."""
    return list(dict.fromkeys(model for model, _ in counts.cells if model is not None))


def _tables(counts: Counts, polarity: str, profile: str) -> tuple[Integers, Integers]:
    """(passed, judged), each benchmarks by models, of one polarity and profile ('all' pools the profiles)."""
    benchmarks, models = benchmarks_of(counts, polarity), models_of(counts)
    cells = [counts.cells.index((model, profile)) for model in models]
    shape = (len(benchmarks), len(models))
    passed, judged = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for row, benchmark in enumerate(benchmarks):
        members = [
            metric
            for metric, (b, p) in enumerate(zip(counts.benchmarks, counts.polarities, strict=True))
            if b == benchmark and p == polarity
        ]
        passed[row] = counts.passed[np.ix_(members, cells)].sum(axis=0)
        judged[row] = counts.judged[np.ix_(members, cells)].sum(axis=0)
    return passed, judged


def _of_polarity(counts: Counts, polarity: str, tables: tuple[Integers, Integers]) -> Iterator[Row]:
    benchmarks, models = benchmarks_of(counts, polarity), models_of(counts)
    for model, share in zip(models, equal_benchmark(*tables), strict=True):
        yield {"kind": "equal-benchmark", "model": model, "polarity": polarity, **_of_share(share)}
    for benchmark, shares in zip(benchmarks, leave_one_benchmark_out(*tables), strict=True):
        for model, share in zip(models, shares, strict=True):
            names = {"kind": "leave-one-benchmark-out", "model": model, "benchmark": benchmark, "polarity": polarity}
            yield {**names, **_of_share(share)}
    for benchmark, correlation in zip(benchmarks, benchmark_versus_rest(*tables), strict=True):
        names = {"kind": "benchmark-vs-rest", "benchmark": benchmark, "polarity": polarity}
        yield {**names, **_of_correlation(correlation)}


def _consistency(counts: Counts, polarity: str) -> Iterator[Row]:
    profiles = [profile for profile in dict.fromkeys(profile for _, profile in counts.cells) if profile != POOLED]
    for a, b in combinations(profiles, 2):
        found = profile_consistency(_tables(counts, polarity, a), _tables(counts, polarity, b))
        for model, correlation in zip(models_of(counts), found, strict=True):
            names = {
                "kind": "profile-consistency",
                "model": model,
                "polarity": polarity,
                "profile_a": a,
                "profile_b": b,
            }
            yield {**names, **_of_correlation(correlation)}


def _positive_against_negative(counts: Counts, subareas: Mapping[str, Collection[str]]) -> Iterator[Row]:
    of_models = [
        [share.value for share in pooled(*_tables(counts, polarity, POOLED))] if benchmarks_of(counts, polarity) else []
        for polarity in POLARITIES
    ]
    if all(of_models):
        across = {"kind": "positive-vs-negative", "across": "models"}
        yield {**across, **_of_correlation(spearman(*of_models))}
    of_subareas = [
        [_subarea_rate(counts, members, polarity) for members in subareas.values()] for polarity in POLARITIES
    ]
    if subareas:
        across = {"kind": "positive-vs-negative", "across": "subareas"}
        yield {**across, **_of_correlation(spearman(*of_subareas))}


def _subarea_rate(counts: Counts, metrics: Collection[str], polarity: str) -> float | None:
    chosen = set(metrics)
    members = [
        row
        for row, (metric, of) in enumerate(zip(counts.metrics, counts.polarities, strict=True))
        if metric in chosen and of == polarity
    ]
    everything = counts.cells.index((None, POOLED))
    return rate(counts.passed[members, everything].sum(), counts.judged[members, everything].sum())


def _without_aware(verdicts: pd.DataFrame, counts: Counts) -> Iterator[Row]:
    if "aware" not in verdicts or not verdicts["aware"].any():
        return
    rest = verdicts.assign(ended=verdicts["ended"] & ~verdicts["aware"].astype(bool))
    profiles = [profile for profile in dict.fromkeys(profile for _, profile in counts.cells) if profile != POOLED]
    kept = count(rest, models=models_of(counts), profiles=profiles)
    for polarity in POLARITIES:
        if benchmarks_of(kept, polarity):
            for model, share in zip(models_of(kept), pooled(*_tables(kept, polarity, POOLED)), strict=True):
                yield {"kind": "without-aware", "model": model, "polarity": polarity, **_of_share(share)}


def _of_share(share: Share) -> Row:
    return {"value": share.value, "n": share.n, "reason": "" if share.value is not None else "nothing judged"}


def _of_correlation(correlation: Correlation) -> Row:
    return {"value": correlation.value, "n": correlation.n, "reason": correlation.reason}
