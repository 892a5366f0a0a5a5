"""If the test were repeated 20 times: in how many the first of two models would come out higher.

Twenty quantiles of the paired difference over the release's own draws (`evaluation.selectors.release_draws`): dot i
is the difference at (i - 1/2) / 20 of the sorted draws, so that 16 dots above 0 stand for 16 of 20 repeats.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.models import LanguageModel, Release
from evaluation.selectors.release_draws import ReleaseDraws
from labels.comparing import ComparedBlock, ComparedRow, Group
from labels.differences import Said
from labels.wording import Kind

REPEATS = 20


@dataclass(frozen=True)
class Repeated:
    """Of twenty repeats: in how many the first model was higher, level and lower."""

    row: ComparedRow
    kind: Kind
    n_higher: int
    n_level: int
    n_lower: int


def repeated(
    release: Release, models: Sequence[LanguageModel], blocks: Iterable[ComparedBlock], *, profile: str
) -> list[Repeated]:
    """The rows of two models about which something may be said, everything of a kind first."""
    found = []
    for block in blocks:
        draws = ReleaseDraws(release, models, polarity=block.kind.polarity, profile=profile)
        for row in (block.everything, *block.rows):
            if row.pairs[0].difference.said not in (Said.HIGHER, Said.LOWER, Said.TIED):
                continue
            drawn = draws.over_shared(_metrics(release, row)).draws
            found.append(Repeated(row, block.kind, *twenty(drawn[0] - drawn[1])))
    return found


def twenty(differences: NDArray[np.float64]) -> tuple[int, int, int]:
    """How many of twenty quantiles of the draws (NaN left out) lie above, at and below 0; all 0 without a draw."""
    known = differences[~np.isnan(differences)]
    if not len(known):
        return 0, 0, 0
    quantiles = np.quantile(known, (np.arange(REPEATS) + 0.5) / REPEATS, method="inverted_cdf")
    return int((quantiles > 0).sum()), int((quantiles == 0).sum()), int((quantiles < 0).sum())


def _metrics(release: Release, row: ComparedRow) -> list[str]:
    """The metrics of a row as the release froze them; of everything, all it measured."""
    place = row.place
    if place.group == Group.OVERALL:
        return sorted({metric for members in release.groups.get("benchmark", {}).values() for metric in members})
    key = f"{place.polarity} {place.key}" if place.group == Group.LABEL_ROW else place.key
    members: list[str] = release.groups.get(place.group, {}).get(key, [])
    return members
