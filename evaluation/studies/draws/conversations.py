"""The draws of single conversations (ImpactBench paper, sections 3.4.4, 3.4.5, 3.5.4): many metrics and models."""

from collections import Counter

import pandas as pd

from evaluation.studies.designs import JudgmentReview, SimulationReview
from evaluation.studies.draws.drawn import Drawn, DrawnItem, numbered, shortage, with_raters
from evaluation.studies.draws.frame import Frame, choose_metrics, strata_of
from evaluation.studies.kinds import CONVERSATION, JUDGMENT


def draw_conversations(design: SimulationReview | JudgmentReview, candidates: pd.DataFrame, seed: int) -> Drawn:
    """So many conversations or judgments: of as many metrics as there are, each time of the model least used so far.

    Only when every metric has one does any get a second.
    """
    unit, wished = (
        (JUDGMENT, design.n_judgments) if isinstance(design, JudgmentReview) else (CONVERSATION, design.n_conversations)
    )
    needs = ("target", "conversation", "judgment") if unit == JUDGMENT else ("target", "conversation")
    frame = Frame(candidates, seed=seed, needs=needs, profiles=design.profiles)
    metrics = choose_metrics(frame, frame.stratum_of, wished)
    items = _in_rounds(frame, metrics, wished, unit)
    return Drawn(
        numbered(with_raters(items, design.overlap)),
        strata_of(frame, metrics, wished),
        (*frame.notes(), *shortage(wished, len(items), f"{unit}s")),
    )


def _in_rounds(frame: Frame, metrics: list[str], wished: int, unit: str) -> list[DrawnItem]:
    rows = frame.rows[frame.rows["metric"].isin(metrics)]
    left = {str(metric): _candidates(frame, of, unit) for metric, of in rows.groupby("metric")}
    used: Counter[str | None] = Counter()
    items: list[DrawnItem] = []
    while len(items) < wished and any(left[metric] for metric in metrics):
        for metric in metrics:
            if left[metric] and len(items) < wished:
                chosen = min(left[metric], key=lambda item: used[item.target])
                left[metric].remove(chosen)
                used[chosen.target] += 1
                items.append(chosen)
    return items


def _candidates(frame: Frame, rows: pd.DataFrame, unit: str) -> list[DrawnItem]:
    """The conversations (or judgments) of one metric, in an order by chance."""
    found = {row[unit]: row for row in rows.to_dict("records")}
    return [frame.item(found[name], unit) for name in frame.shuffled(found, "conversations")]
