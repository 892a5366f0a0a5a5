"""The bootstrap against a slow one written out in plain Python, and the sameness of its bits."""

import hashlib
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from evaluation.statistics.bootstrap import MetricWeights, cell_draws, cell_sums, metric_weights
from evaluation.statistics.pass_rates import release_results
from tests.support.verdicts import verdict_table

STRATA = {
    "b/m1": ("b", "positive"),
    "a/m2": ("a", "positive"),
    "a/m1": ("a", "positive"),
    "a/m3": ("a", "negative"),
    "a/m4": ("a", "positive"),
}
TABLE = verdict_table(
    "a/m1 + x teen yyn",
    "a/m1 + x adult yn",
    "a/m1 + z teen yyyn",
    "a/m2 + x teen nu",
    "a/m2 + z adult ny",
    "a/m4 + x teen yny",
    "a/m4 + z teen ny",
    "b/m1 + x adult nny",
    "b/m2 + x teen yn",
    "b/m1 + z teen n",
    "a/m3 - x teen ny",
    "a/m5 - x adult nnny",
)


def slow_weights(strata, resamples, seed):
    """The definition of the draws, word by word."""
    words = np.random.PCG64(seed)
    draws = []
    for _ in range(resamples):
        weight = dict.fromkeys(strata, 0)
        for stratum in sorted(set(strata.values())):
            members = sorted(metric for metric in strata if strata[metric] == stratum)
            for _ in members:
                weight[members[((int(words.random_raw()) >> 32) * len(members)) >> 32]] += 1
        draws.append(weight)
    return draws


def slow_interval(table, draws, metrics):
    """The percentile interval of one cell, by loops over draws and exact fractions."""
    judged = table[table["metric"].isin(metrics) & table["present"].notna()]
    rates = []
    for weight in draws:
        n_judged = sum(weight[row.metric] for row in judged.itertuples())
        passes = [row for row in judged.itertuples() if row.present == (row.polarity == "positive")]
        if n_judged:
            rates.append(Fraction(sum(weight[row.metric] for row in passes), n_judged))
    rates.sort()
    return [float(rates[-(-len(rates) * share // 1000) - 1]) for share in (25, 250, 750, 975)], len(rates)


def test_weights_are_those_of_the_slow_definition():
    drawn = metric_weights(STRATA, resamples=50, seed=7)

    assert drawn.metrics == ("a/m3", "a/m1", "a/m2", "a/m4", "b/m1")
    slow = slow_weights(STRATA, 50, 7)
    assert drawn.weights.T.tolist() == [[draw[metric] for metric in drawn.metrics] for draw in slow]


def test_weights_of_a_stratum_add_up_to_its_size_in_every_draw():
    drawn = metric_weights(STRATA, resamples=200, seed=0)

    assert (drawn.weights[drawn.rows(["a/m1", "a/m2", "a/m4"])].sum(axis=0) == 3).all()
    assert (drawn.weights[drawn.rows(["b/m1"])] == 1).all()


def test_weights_do_not_depend_on_how_many_words_are_drawn_at_once(monkeypatch):
    at_once = metric_weights(STRATA, resamples=40, seed=3)

    monkeypatch.setattr("evaluation.statistics.bootstrap.WORDS_AT_ONCE", 15)

    assert metric_weights(STRATA, resamples=40, seed=3).weights.tolist() == at_once.weights.tolist()


def test_draws_without_a_metric_are_missing():
    weights = MetricWeights(("a/m1", "a/m2"), np.array([[2, 1, 0], [0, 1, 2]], dtype=np.int32))

    draws = cell_draws(weights, weights.rows(["a/m1"]), np.array([[1]]), np.array([[4]]))

    np.testing.assert_array_equal(draws, [[0.25, 0.25, np.nan]])


def test_sums_too_large_to_be_exact_are_refused():
    weights = metric_weights(STRATA, resamples=2, seed=0)

    with pytest.raises(ValueError, match="too many conversations"):
        cell_sums(weights, weights.rows(["a/m1"]), np.array([[2**52]]))


def test_intervals_are_those_of_the_slow_bootstrap():
    results = release_results(TABLE, {}, profiles=["teen", "adult"], models=["x", "z"], resamples=120, seed=11)

    facts = TABLE.drop_duplicates("metric")
    strata = {row.metric: (row.benchmark, row.polarity) for row in facts.itertuples()}
    draws = slow_weights(strata, 120, 11)
    cells = results[(results.group == "overall") & (results.ci_method == "metric-cluster-bootstrap")]
    assert len(cells) >= 5
    for cell in cells.to_dict("records"):
        chosen = TABLE[TABLE["polarity"] == cell["polarity"]]
        if cell["model"] is not None:
            chosen = chosen[chosen["model"] == cell["model"]]
        if cell["profile"] != "all":
            chosen = chosen[chosen["profile"] == cell["profile"]]
        ends, n_draws = slow_interval(chosen, draws, set(chosen["metric"]))
        assert [cell[end] for end in ("ci_low", "ci50_low", "ci50_high", "ci_high")] == ends
        assert cell["n_draws"] == n_draws


def test_bits_are_the_same_again_and_for_shuffled_rows():
    def results(table):
        return release_results(table, {}, profiles=["teen", "adult"], models=["x", "z"], resamples=500, seed=1).to_json(
            double_precision=15
        )

    once = results(TABLE)

    assert results(TABLE) == once
    assert results(TABLE.sample(frac=1, random_state=5)) == once


PROBE = """
import hashlib
import numpy as np
from evaluation.statistics.bootstrap import cell_draws, metric_weights, percentile_intervals
strata = {f"b{i % 7}/m{i:03}": (f"b{i % 7}", "positive") for i in range(300)}
weights = metric_weights(strata, resamples=2000, seed=4)
rng = np.random.default_rng(0)
judged = rng.integers(0, 40, (300, 40))
passed = rng.integers(0, judged + 1)
intervals = percentile_intervals(
    cell_draws(weights, np.arange(300), passed, judged), np.full(40, 300)
)
print(hashlib.sha256(intervals.low.tobytes() + intervals.high.tobytes()).hexdigest())
"""


def test_bits_are_the_same_with_one_thread_and_with_two():
    def bits(threads):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert bits("1") == bits("2")
    assert len(bits("1")) == hashlib.sha256().digest_size * 2
