"""How long ratings took."""

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Times:
    """Of one rater (None: of all): how many ratings, their median and their sum in seconds; 0 seconds count as none."""

    rater: str | None
    n: int
    median_seconds: float | None
    sum_seconds: int


def times(ratings: pd.DataFrame) -> list[Times]:
    """All ratings, then each rater's, by name; empty where no time was kept."""
    if "seconds" not in ratings or ratings.empty:
        return []
    whole = ratings.drop_duplicates(["item", "rater"])
    kept = whole[whole["seconds"].fillna(0) > 0]
    return [_times(None, kept), *(_times(str(rater), of) for rater, of in kept.groupby("rater", sort=True))]


def _times(rater: str | None, kept: pd.DataFrame) -> Times:
    n = len(kept)
    return Times(rater, n, float(kept["seconds"].median()) if n else None, int(kept["seconds"].sum()))
