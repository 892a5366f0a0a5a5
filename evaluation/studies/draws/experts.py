"""The draw of an external expert review (ImpactBench paper, section 4.9): of each metric, scenarios times targets."""

from collections import Counter
from collections.abc import Sequence
from math import ceil

import pandas as pd

from evaluation.studies.designs import ExpertReview
from evaluation.studies.draws.drawn import Drawn, DrawnItem, Stratum, numbered, shortage, with_raters_of_metrics
from evaluation.studies.draws.frame import Frame, allocate, choose_metrics, strata_of
from evaluation.studies.kinds import CONVERSATION, METRIC


def draw_expert_review(design: ExpertReview, candidates: pd.DataFrame, seed: int) -> Drawn:
    """Each metric's form, then its conversations: the same targets in the whole study, one profile of a base.

    Metrics whose conversations are all there come first; others fill up what is left of the wish.
    """
    frame = Frame(candidates, seed=seed, needs=("target", "conversation"), profiles=design.profiles)
    targets = _targets(frame, design)
    rows = frame.rows[frame.rows["target"].isin(targets)]
    whole = _whole_metrics(rows, design)
    chosen, wishes = _of_benchmarks(frame, design, whole) if design.n_benchmarks else _of_any(frame, design, whole)
    parts = choose_metrics(frame, set(rows["metric"]) - set(whole), design.n_metrics - len(chosen))
    metrics = [*chosen, *parts]
    of_metric = {
        str(metric): _conversations(frame, part, design.scenarios_per_metric)
        for metric, part in rows[rows["metric"].isin(metrics)].groupby("metric")
    }
    items = [
        item
        for metric in metrics
        for item in (DrawnItem(0, METRIC, metric, stratum=frame.stratum_of[metric]), *of_metric[metric])
    ]
    overlap = dict(zip(frame.shuffled(metrics, "overlap"), design.overlap, strict=False))
    strata = _strata(frame, design, wishes, metrics)
    return Drawn(
        numbered(with_raters_of_metrics(items, overlap)), strata, _short(frame, design, metrics, of_metric, targets)
    )


def _targets(frame: Frame, design: ExpertReview) -> list[str]:
    """The targets of the study by chance, those that have enough metrics before those that have not."""
    n_metrics = frame.rows.groupby("target")["metric"].nunique()
    enough = min(design.n_metrics, len(frame.stratum_of))
    order = sorted(frame.shuffled(n_metrics.index, "targets"), key=lambda target: n_metrics[target] < enough)
    return order[: design.targets_per_scenario]


def _whole_metrics(rows: pd.DataFrame, design: ExpertReview) -> list[str]:
    """The metrics that have enough bases, each with a scenario that all targets have met."""
    n_targets = rows.groupby(["metric", "base", "scenario"])["target"].nunique()
    met_by_all = n_targets[n_targets == design.targets_per_scenario].reset_index()
    n_bases = met_by_all.groupby("metric")["base"].nunique()
    return [str(metric) for metric in n_bases[n_bases >= design.scenarios_per_metric].index]


def _strata(frame: Frame, design: ExpertReview, wishes: dict[str, int], metrics: Sequence[str]) -> tuple[Stratum, ...]:
    """What was drawn of each benchmark, or of each benchmark and polarity, those that fill up counted in."""
    if not design.n_benchmarks:
        return strata_of(frame, metrics, design.n_metrics)
    available = Counter(frame.benchmark_of.values())
    drawn = Counter(frame.benchmark_of[metric] for metric in metrics)
    return tuple(Stratum(name, wishes.get(name, 0), available[name], drawn[name]) for name in sorted({*wishes, *drawn}))


def _of_any(frame: Frame, design: ExpertReview, metrics: Sequence[str]) -> tuple[list[str], dict[str, int]]:
    return choose_metrics(frame, metrics, design.n_metrics), {}


def _of_benchmarks(frame: Frame, design: ExpertReview, metrics: Sequence[str]) -> tuple[list[str], dict[str, int]]:
    """Metrics of benchmarks drawn by chance, those with enough metrics first; at least one metric of each."""
    members: dict[str, list[str]] = {}
    for metric in frame.shuffled(metrics, "metrics"):
        members.setdefault(frame.benchmark_of[metric], []).append(metric)
    enough = ceil(design.n_metrics / design.n_benchmarks)
    order = sorted(frame.shuffled(members, "benchmarks"), key=lambda benchmark: len(members[benchmark]) < enough)
    sizes = {benchmark: len(members[benchmark]) for benchmark in order[: design.n_benchmarks]}
    shares = allocate(design.n_metrics, sizes, seed=frame.seed, least=1)
    chosen = frame.shuffled([metric for name in sizes for metric in members[name][: shares[name]]], "metrics")
    return chosen, shares


def _conversations(frame: Frame, rows: pd.DataFrame, n_scenarios: int) -> list[DrawnItem]:
    """Of one metric: for each of `n_scenarios` bases the scenario with most of the targets, a conversation of each."""
    of_scenario = {
        str(scenario): part.drop_duplicates("target") for scenario, part in _by_chance(frame, rows).groupby("scenario")
    }
    best: dict[str, str] = {}
    order = sorted(frame.shuffled(of_scenario, "scenarios"), key=lambda scenario: -len(of_scenario[scenario]))
    for scenario in order:
        best.setdefault(of_scenario[scenario]["base"].iloc[0], scenario)
    chosen = list(best.values())[:n_scenarios]
    return [frame.item(row, CONVERSATION) for name in chosen for row in of_scenario[name].to_dict("records")]


def _by_chance(frame: Frame, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of conversations in an order by chance, so that an item's number tells nothing of its model."""
    place = {name: at for at, name in enumerate(frame.shuffled(rows["conversation"], "conversations"))}
    return rows.drop_duplicates("conversation").sort_values(
        "conversation", key=lambda names: names.map(place), ignore_index=True
    )


def _short(
    frame: Frame,
    design: ExpertReview,
    metrics: Sequence[str],
    of_metric: dict[str, list[DrawnItem]],
    targets: Sequence[str],
) -> tuple[str, ...]:
    wished = design.scenarios_per_metric * design.targets_per_scenario
    n_benchmarks = len({frame.benchmark_of[metric] for metric in metrics})
    return (
        *frame.notes(),
        *shortage(design.n_metrics, len(metrics), "metrics"),
        *shortage(design.n_benchmarks, n_benchmarks, "benchmarks"),
        *shortage(design.targets_per_scenario, len(targets), "models"),
        *(
            f"Conversations of {metric}: {len(of_metric[metric])} of {wished}."
            for metric in sorted(metrics)
            if len(of_metric[metric]) < wished
        ),
    )
