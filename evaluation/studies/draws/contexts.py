"""The draw of what is simulated again (ImpactBench paper, section 3.4.3): scenarios of a few metrics, with targets."""

import pandas as pd

from evaluation.studies.designs import RepeatSimulations, SimulatorAblation
from evaluation.studies.draws.drawn import Drawn, numbered, shortage
from evaluation.studies.draws.frame import Frame, allocate, choose_metrics, strata_of
from evaluation.studies.kinds import CONTEXT


def draw_contexts(design: SimulatorAblation | RepeatSimulations, candidates: pd.DataFrame, seed: int) -> Drawn:
    """Every scenario drawn with every target drawn; metrics that have enough scenarios come first.

    A context needs no conversation: where the candidates name one, the first of them is kept beside it.
    """
    frame = Frame(candidates, seed=seed, needs=("target",))
    targets = frame.shuffled(frame.rows["target"], "targets")[: design.n_targets]
    rows = frame.rows[frame.rows["target"].isin(targets)].drop_duplicates(["scenario", "target"])
    of_metric = {str(metric): frame.shuffled(of["scenario"], "scenarios") for metric, of in rows.groupby("metric")}
    each = -(-design.n_scenarios // design.n_metrics)
    enough = [metric for metric, of in of_metric.items() if len(of) >= each]
    metrics = choose_metrics(frame, enough, design.n_metrics)
    others = frame.shuffled(set(of_metric) - set(metrics), "metrics")
    metrics += sorted(others, key=lambda metric: -len(of_metric[metric]))[: design.n_metrics - len(metrics)]
    shares = _even_shares(design.n_scenarios, {metric: len(of_metric[metric]) for metric in metrics}, seed)
    scenarios = {scenario for metric in metrics for scenario in of_metric[metric][: shares[metric]]}
    kept = rows[rows["scenario"].isin(scenarios)]
    items = [frame.item(row, CONTEXT) for row in kept.to_dict("records")]
    return Drawn(
        numbered(items),
        strata_of(frame, metrics, design.n_metrics),
        (
            *frame.notes(),
            *shortage(design.n_metrics, len(metrics), "metrics"),
            *shortage(design.n_scenarios, len(scenarios), "scenarios"),
            *shortage(design.n_targets, len(targets), "models"),
        ),
    )


def _even_shares(wished: int, available: dict[str, int], seed: int) -> dict[str, int]:
    """How many scenarios each metric gives: one after the other, until the wish or the scenarios end."""
    shares = dict.fromkeys(available, 0)
    while sum(shares.values()) < min(wished, sum(available.values())):
        open_for_more = {metric: 1 for metric in available if shares[metric] < available[metric]}
        for metric, more in allocate(wished - sum(shares.values()), open_for_more, seed=seed).items():
            shares[metric] += more
    return shares
