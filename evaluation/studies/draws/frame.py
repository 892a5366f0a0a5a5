"""The candidates of a draw: whole rows in an order of their own, and metrics chosen from them by stratum."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import floor
from typing import Any

import pandas as pd

from evaluation.studies.chance import shuffled
from evaluation.studies.draws.drawn import DrawnItem, Stratum
from evaluation.studies.kinds import JUDGMENT

COLUMNS = ("benchmark", "metric", "polarity", "base", "scenario", "profile", "target", "conversation", "judgment")
_ALWAYS = ("benchmark", "metric", "polarity", "scenario")


class Frame:
    """Candidates that have all that a draw needs, and the seed of the draw. Raises ValueError without a column."""

    def __init__(
        self, candidates: pd.DataFrame, *, seed: int, needs: Sequence[str] = (), profiles: Sequence[str] = ()
    ) -> None:
        missing = [column for column in COLUMNS if column not in candidates]
        if missing:
            raise ValueError(f"the candidates have no column {missing[0]!r}")
        rows = candidates[list(COLUMNS)].astype(object).where(candidates[list(COLUMNS)].notna(), None)
        if profiles:
            rows = rows[rows["profile"].isin(profiles)]
        whole = rows.dropna(subset=[*_ALWAYS, *needs])
        self.n_left_out = rows["metric"].nunique() - whole["metric"].nunique()
        self.seed = seed
        # A scenario without a base is its own base.
        whole = whole.assign(base=whole["base"].where(whole["base"].notna(), whole["scenario"]))
        self.rows = whole.drop_duplicates().sort_values(list(COLUMNS), ignore_index=True, na_position="first")
        facts = self.rows.drop_duplicates("metric")
        self.benchmark_of = dict(zip(facts["metric"], facts["benchmark"], strict=True))
        self.stratum_of = {
            metric: stratum_name(benchmark, polarity)
            for metric, benchmark, polarity in zip(facts["metric"], facts["benchmark"], facts["polarity"], strict=True)
        }

    def shuffled(self, names: Iterable[str], key: str) -> list[str]:
        """The names in an order by chance that belongs to this draw and this key."""
        return shuffled(names, key=key, seed=self.seed)

    def item(self, row: Mapping[Hashable, Any], unit: str) -> DrawnItem:
        """The item that a row of candidates makes, without a number."""
        return DrawnItem(
            0,
            unit,
            row["metric"],
            scenario=row["scenario"],
            conversation=row["conversation"],
            judgment=row["judgment"] if unit == JUDGMENT else None,
            target=row["target"],
            profile=row["profile"],
            stratum=self.stratum_of[row["metric"]],
        )

    def notes(self) -> tuple[str, ...]:
        """A sentence about metrics that lack what the draw needs, if there are any."""
        n = self.n_left_out
        return (f"Metrics left out, for want of a polarity or of what this study looks at: {n}.",) if n else ()


def stratum_name(benchmark: str, polarity: str) -> str:
    """The name of the stratum of a benchmark's metrics of one polarity."""
    return f"{benchmark}, {polarity}"


def choose_metrics(frame: Frame, metrics: Iterable[str], wished: int) -> list[str]:
    """So many of the metrics by chance, each stratum in proportion to its size (ordered by chance)."""
    members: dict[str, list[str]] = {}
    for metric in frame.shuffled(metrics, "metrics"):
        members.setdefault(frame.stratum_of[metric], []).append(metric)
    shares = allocate(wished, {stratum: len(of) for stratum, of in members.items()}, seed=frame.seed)
    chosen = [metric for stratum, of in members.items() for metric in of[: shares[stratum]]]
    return frame.shuffled(chosen, "metrics")


def allocate(wished: int, available: Mapping[str, int], *, seed: int, least: int = 0) -> dict[str, int]:
    """How many to take of each stratum: in proportion to what it has, by the largest remainders.

    Proportional allocation (W. G. Cochran, Sampling Techniques, 1977, chapter 5) leaves every metric the same
    chance, so that means need no weights. Ties are broken by chance. `least` come from each stratum first, as far
    as the wish reaches.
    """
    total, order = sum(available.values()), shuffled(available, key="strata", seed=seed)
    wished = min(wished, total)
    taken = dict.fromkeys(available, 0)
    for stratum in order:
        taken[stratum] = min(least, available[stratum], wished - sum(taken.values()))
    left = {stratum: available[stratum] - taken[stratum] for stratum in available}
    rest, whole = wished - sum(taken.values()), sum(left.values())
    if not whole:
        return taken
    quota = {stratum: rest * left[stratum] / whole for stratum in available}
    for stratum in available:
        taken[stratum] += floor(quota[stratum])
    by_remainder = sorted(order, key=lambda stratum: floor(quota[stratum]) - quota[stratum])
    for stratum in by_remainder[: wished - sum(taken.values())]:
        taken[stratum] += 1
    return taken


def strata_of(frame: Frame, metrics: Sequence[str], wished: int) -> tuple[Stratum, ...]:
    """The strata with metrics as their units: the share of the wish, what the frame has, what was drawn."""
    available = Counter(frame.stratum_of.values())
    drawn = Counter(frame.stratum_of[metric] for metric in metrics)
    wishes = allocate(wished, available, seed=frame.seed)
    return tuple(Stratum(name, wishes[name], available[name], drawn[name]) for name in sorted(available))
