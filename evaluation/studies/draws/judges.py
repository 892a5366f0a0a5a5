"""The draw of studies of judges (ImpactBench paper, section 3.5.3): a few metrics, all their profiles and targets."""

import pandas as pd

from evaluation.studies.designs import JudgeComparison, JudgeRepeatability
from evaluation.studies.draws.drawn import Drawn, DrawnItem, Stratum, numbered, shortage
from evaluation.studies.draws.frame import Frame, stratum_name
from evaluation.studies.kinds import CONVERSATION

_POLARITIES = ("positive", "negative")


def draw_for_judges(design: JudgeRepeatability | JudgeComparison, candidates: pd.DataFrame, seed: int) -> Drawn:
    """Within each benchmark, metrics of each polarity and bases of each metric by chance; all else of them is kept."""
    frame = Frame(candidates, seed=seed, needs=("target", "conversation"))
    members: dict[str, list[str]] = {}
    for metric in frame.shuffled(frame.stratum_of, "metrics"):
        members.setdefault(frame.stratum_of[metric], []).append(metric)
    benchmarks = _benchmarks(frame, design, members)
    names = [stratum_name(benchmark, polarity) for benchmark in benchmarks for polarity in _POLARITIES]
    metrics = [metric for name in names for metric in members.get(name, [])[: design.metrics_per_polarity]]
    targets = frame.shuffled(frame.rows["target"], "targets")[: design.n_targets or None]
    chosen = frame.rows[frame.rows["metric"].isin(metrics) & frame.rows["target"].isin(targets)]
    items = [item for _, rows in chosen.groupby("metric") for item in _of_metric(frame, rows, design.bases_per_metric)]
    n_wished = (design.n_benchmarks or len(benchmarks)) * 2 * design.metrics_per_polarity
    strata = tuple(
        Stratum(name, design.metrics_per_polarity, len(of), len(of[: design.metrics_per_polarity]))
        for name in sorted(names)
        for of in [members.get(name, [])]
    )
    return Drawn(
        numbered(items),
        strata,
        (
            *frame.notes(),
            *shortage(design.n_benchmarks, len(benchmarks), "benchmarks"),
            *shortage(n_wished, len(metrics), "metrics"),
            *shortage(design.n_targets, len(targets), "models"),
            *_gaps(items, targets),
        ),
    )


def _benchmarks(frame: Frame, design: JudgeRepeatability | JudgeComparison, members: dict[str, list[str]]) -> list[str]:
    """Benchmarks by chance, those that have enough metrics of both polarities first."""

    def lacks(benchmark: str) -> int:
        found = [members.get(stratum_name(benchmark, polarity), []) for polarity in _POLARITIES]
        return sum(len(of) < design.metrics_per_polarity for of in found)

    order = sorted(frame.shuffled(frame.benchmark_of.values(), "benchmarks"), key=lacks)
    return order[: design.n_benchmarks or None]


def _of_metric(frame: Frame, rows: pd.DataFrame, n_bases: int) -> list[DrawnItem]:
    bases = frame.shuffled(rows["base"], "bases")[:n_bases]
    kept = rows[rows["base"].isin(bases)].drop_duplicates(["scenario", "target"])
    return [frame.item(row, CONVERSATION) for row in kept.to_dict("records")]


def _gaps(items: list[DrawnItem], targets: list[str]) -> tuple[str, ...]:
    """A sentence when some of the scenarios kept have no conversation with some target."""
    scenarios = {item.scenario for item in items}
    missing = len(scenarios) * len(targets) - len(items)
    if not missing:
        return ()
    return (f"Conversations that the run lacks: {missing} of {len(scenarios) * len(targets)}.",)
