"""The draw of a scenario review (ImpactBench paper, section 3.3.3): some scenarios of many metrics."""

import pandas as pd

from evaluation.studies.designs import ScenarioReview
from evaluation.studies.draws.drawn import Drawn, DrawnItem, numbered, shortage, with_raters
from evaluation.studies.draws.frame import Frame, choose_metrics, strata_of
from evaluation.studies.kinds import SCENARIO


def draw_scenarios(design: ScenarioReview, candidates: pd.DataFrame, seed: int) -> Drawn:
    """`scenarios_per_metric` scenarios, of different bases first, of metrics drawn by stratum."""
    frame = Frame(candidates, seed=seed, profiles=design.profiles)
    metrics = choose_metrics(frame, frame.stratum_of, design.n_metrics)
    facts = frame.rows.drop_duplicates("scenario")
    by_metric = dict(list(facts.groupby("metric")))
    items = [
        DrawnItem(0, SCENARIO, metric, scenario=scenario, profile=profile, stratum=frame.stratum_of[metric])
        for metric in metrics
        for scenario, profile in _of_metric(frame, by_metric[metric], design.scenarios_per_metric)
    ]
    wished = len(metrics) * design.scenarios_per_metric
    return Drawn(
        numbered(with_raters(items, design.overlap)),
        strata_of(frame, metrics, design.n_metrics),
        (
            *frame.notes(),
            *shortage(design.n_metrics, len(metrics), "metrics"),
            *shortage(wished, len(items), "scenarios of these metrics"),
        ),
    )


def _of_metric(frame: Frame, scenarios: pd.DataFrame, wished: int) -> list[tuple[str, str | None]]:
    """Scenarios of one metric with their profiles: one of each base, then a second of each, and so on."""
    base = dict(zip(scenarios["scenario"], scenarios["base"], strict=True))
    profile = dict(zip(scenarios["scenario"], scenarios["profile"], strict=True))
    place: dict[str, tuple[int, int]] = {}
    seen: dict[str, int] = {}
    for number, scenario in enumerate(frame.shuffled(base, "scenarios")):
        seen[base[scenario]] = seen.get(base[scenario], 0) + 1
        place[scenario] = (seen[base[scenario]], number)
    return [(scenario, profile[scenario]) for scenario in sorted(place, key=place.__getitem__)[:wished]]
