"""The draw of a choice of simulators (ImpactBench paper, section 3.4.1): the same scenarios played by each of them."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from evaluation.studies.designs import SimulatorSelection
from evaluation.studies.draws.drawn import Drawn, DrawnItem, numbered, shortage
from evaluation.studies.draws.frame import Frame, choose_metrics, strata_of
from evaluation.studies.kinds import CONVERSATION


def draw_simulations(design: SimulatorSelection, candidates: pd.DataFrame, seed: int) -> Drawn:
    """Scenarios of different metrics that all chosen simulators have played; `target` names the simulator here."""
    frame = Frame(candidates, seed=seed, needs=("target", "conversation"), profiles=design.profiles)
    n_scenarios = frame.rows.groupby("target")["scenario"].nunique()
    order = frame.shuffled(n_scenarios.index, "simulators")
    simulators = sorted(order, key=lambda name: n_scenarios[name] < design.n_scenarios)[: design.n_simulators]
    played = frame.rows[frame.rows["target"].isin(simulators)]
    n_of_scenario = played.groupby("scenario")["target"].nunique()
    by_all = played[played["scenario"].map(n_of_scenario) == len(simulators)]
    scenarios = _scenarios(frame, by_all, design.n_scenarios)
    items = [item for scenario in scenarios for item in _plays(frame, by_all[by_all["scenario"] == scenario])]
    metrics = sorted({item.metric for item in items})
    return Drawn(
        numbered(items),
        strata_of(frame, metrics, design.n_scenarios),
        (
            *shortage(design.n_simulators, len(simulators), "simulators"),
            *shortage(design.n_scenarios, len(scenarios), "scenarios played by all of them"),
        ),
    )


def _scenarios(frame: Frame, rows: pd.DataFrame, wished: int) -> list[str]:
    """Scenarios by chance, of as many metrics as there are."""
    of_metric = {str(metric): frame.shuffled(of["scenario"], "scenarios") for metric, of in rows.groupby("metric")}
    metrics = choose_metrics(frame, of_metric, wished)
    rounds = max((len(of) for of in of_metric.values()), default=0)
    found = [of_metric[metric][at] for at in range(rounds) for metric in metrics if at < len(of_metric[metric])]
    return found[:wished]


def _plays(frame: Frame, rows: pd.DataFrame) -> list[DrawnItem]:
    """One conversation of each simulator, in an order by chance."""
    of_name = {row["conversation"]: row for row in rows.to_dict("records")}
    first: dict[str, dict[Hashable, Any]] = {}
    for name in frame.shuffled(of_name, "conversations"):
        first.setdefault(of_name[name]["target"], of_name[name])
    return [frame.item(row, CONVERSATION) for row in first.values()]
