"""The draw of an external expert review (ImpactBench paper, section 4.9): of each metric, scenarios times targets."""

from collections.abc import Sequence
from math import ceil

import pandas as pd

from evaluation.studies.designs import ExpertReview
from evaluation.studies.draws.drawn import Drawn, DrawnItem, numbered, shortage, with_raters_of_metrics
from evaluation.studies.draws.frame import Frame, allocate, choose_metrics, strata_of
from evaluation.studies.kinds import CONVERSATION, METRIC


def draw_expert_review(design: ExpertReview, candidates: pd.DataFrame, seed: int) -> Drawn:
    """Each metric's form, then its conversations: the same targets in the whole study, one profile of a base.

    Metrics whose conversations are all there come first; others fill up what is left of the wish.
    """
    frame = Frame(candidates, seed=seed, needs=("target", "conversation"), profiles=design.profiles)
    targets = _targets(frame, design)
    wished = design.scenarios_per_metric * design.targets_per_scenario
    of_metric = {
        str(metric): _conversations(frame, rows, design.scenarios_per_metric)
        for metric, rows in frame.rows[frame.rows["target"].isin(targets)].groupby("metric")
    }
    metrics = _metrics(frame, design, {metric: len(items) >= wished for metric, items in of_metric.items()})
    items = [
        item
        for metric in metrics
        for item in (DrawnItem(0, METRIC, metric, stratum=frame.stratum_of[metric]), *of_metric[metric])
    ]
    overlap = dict(zip(frame.shuffled(metrics, "overlap"), design.overlap, strict=False))
    n_benchmarks = len({frame.benchmark_of[metric] for metric in metrics})
    return Drawn(
        numbered(with_raters_of_metrics(items, overlap)),
        strata_of(frame, metrics, design.n_metrics),
        (
            *frame.notes(),
            *shortage(design.n_metrics, len(metrics), "metrics"),
            *shortage(design.n_benchmarks, n_benchmarks, "benchmarks"),
            *shortage(design.targets_per_scenario, len(targets), "models"),
            *(
                f"{metric} has {len(of_metric[metric])} of {wished} conversations."
                for metric in sorted(metrics)
                if len(of_metric[metric]) < wished
            ),
        ),
    )


def _targets(frame: Frame, design: ExpertReview) -> list[str]:
    """The targets of the study by chance, those that have enough metrics before those that have not."""
    n_metrics = frame.rows.groupby("target")["metric"].nunique()
    enough = min(design.n_metrics, len(frame.stratum_of))
    order = sorted(frame.shuffled(n_metrics.index, "targets"), key=lambda target: n_metrics[target] < enough)
    return order[: design.targets_per_scenario]


def _metrics(frame: Frame, design: ExpertReview, is_whole: dict[str, bool]) -> list[str]:
    whole = [metric for metric, complete in is_whole.items() if complete]
    parts = [metric for metric, complete in is_whole.items() if not complete]
    chosen = (
        _of_benchmarks(frame, design, whole) if design.n_benchmarks else choose_metrics(frame, whole, design.n_metrics)
    )
    return [*chosen, *frame.shuffled(parts, "metrics")[: design.n_metrics - len(chosen)]]


def _of_benchmarks(frame: Frame, design: ExpertReview, metrics: Sequence[str]) -> list[str]:
    """Benchmarks by chance, those with enough metrics first; at least one metric of each."""
    members: dict[str, list[str]] = {}
    for metric in frame.shuffled(metrics, "metrics"):
        members.setdefault(frame.benchmark_of[metric], []).append(metric)
    enough = ceil(design.n_metrics / design.n_benchmarks)
    order = sorted(frame.shuffled(members, "benchmarks"), key=lambda benchmark: len(members[benchmark]) < enough)
    chosen = order[: design.n_benchmarks]
    shares = allocate(design.n_metrics, {name: len(members[name]) for name in chosen}, seed=frame.seed, least=1)
    return frame.shuffled([metric for name in chosen for metric in members[name][: shares[name]]], "metrics")


def _conversations(frame: Frame, rows: pd.DataFrame, n_scenarios: int) -> list[DrawnItem]:
    """Of one metric: for each of `n_scenarios` bases the scenario with most of the targets, a conversation of each."""
    of_scenario = {
        str(scenario): part.drop_duplicates("target") for scenario, part in _by_chance(frame, rows).groupby("scenario")
    }
    base = {scenario: part["base"].iloc[0] for scenario, part in of_scenario.items()}
    best: dict[str, str] = {}
    order = sorted(frame.shuffled(of_scenario, "scenarios"), key=lambda scenario: -len(of_scenario[scenario]))
    for scenario in order:
        best.setdefault(base[scenario], scenario)
    found = [row for scenario in list(best.values())[:n_scenarios] for row in of_scenario[scenario].to_dict("records")]
    return [frame.item(row, CONVERSATION) for row in found]


def _by_chance(frame: Frame, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of conversations in an order by chance, so that an item's number tells nothing of its model."""
    place = {name: at for at, name in enumerate(frame.shuffled(rows["conversation"], "conversations"))}
    return rows.drop_duplicates("conversation").sort_values(
        "conversation", key=lambda names: names.map(place), ignore_index=True
    )
