"""What a reader should know about the coverage of a release, as sentences."""

import pandas as pd

from evaluation.selectors.release_groups import Groups


def release_notes(verdicts: pd.DataFrame, groups: Groups) -> list[str]:
    """Sentences on what is missing; an empty list where nothing is."""
    metrics = set(verdicts["metric"])
    placed = {metric for members in groups["subarea"].values() for metric in members}
    unknown = set(verdicts.loc[verdicts["polarity"].isna(), "metric"])
    notes = [
        _counted(
            len(metrics - placed - unknown),
            len(metrics),
            "in no subarea",
            "they count in overall and benchmark results only",
        ),
        _counted(
            len(unknown),
            len(metrics),
            "whose source does not say if the behaviour is good or bad",
            "their verdicts are kept, but count in no number",
        ),
        *_partial_models(verdicts, n_metrics=len(metrics)),
        _never_ended(verdicts),
    ]
    return [note for note in notes if note]


def _counted(n: int, total: int, which: str, consequence: str) -> str:
    return f"Metrics {which}: {n} of {total}; {consequence}." if n else ""


def _partial_models(verdicts: pd.DataFrame, *, n_metrics: int) -> list[str]:
    tested = verdicts.groupby("model")["metric"].nunique().sort_index()
    return [
        f"The model {model} was tested on {n} of {n_metrics} metrics." for model, n in tested.items() if n < n_metrics
    ]


def _never_ended(verdicts: pd.DataFrame) -> str:
    n = int((~verdicts["ended"]).sum())
    return f"Planned conversations that were never held: {n} of {len(verdicts)}." if n else ""
