"""How much a verdict changes when the conversation is held again with the same scenario and target."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from evaluation.statistics.repeatability import Estimate, Repeatability, repeatability
from evaluation.studies.analysis.estimates import RESAMPLES, SEED

_ALL = ""


@dataclass(frozen=True)
class VerdictChange:
    """Contexts (a scenario with a target) simulated `repeats` times; target None: all, polarity None: both.

    `changed` is the share of contexts whose verdicts are not all alike; `differ` the mean share of pairs of
    repetitions with different verdicts; `kappa` Fleiss' kappa of verdicts between repetitions.
    """

    target: str | None
    polarity: str | None
    repeats: int
    n_contexts: int
    n_metrics: int
    changed: Estimate
    differ: Estimate
    kappa: Estimate


def verdict_changes(judgments: pd.DataFrame) -> list[VerdictChange]:
    """All targets together, then each, by name; only contexts with two judged repetitions say anything.

    `judgments` has a row a simulated conversation: metric, polarity, scenario, target, present (None: unjudged).
    The judge's own wavering is part of the change: the repeatability of the judge says how large a part.
    """
    context = judgments["scenario"].astype(str) + "\x1f" + judgments["target"].astype(str)
    rows = judgments.assign(conversation=context)
    together = repeatability(rows.assign(judge=_ALL), resamples=RESAMPLES, seed=SEED)
    by_target = repeatability(rows.assign(judge=rows["target"]), resamples=RESAMPLES, seed=SEED)
    return list(_changes([*together, *by_target]))


def _changes(found: list[Repeatability]) -> Iterator[VerdictChange]:
    for row in found:
        yield VerdictChange(
            target=row.judge or None,
            polarity=row.polarity,
            repeats=row.repeats,
            n_contexts=row.n_conversations,
            n_metrics=row.n_metrics,
            changed=_complement(row.unanimity),
            differ=_complement(row.pairwise),
            kappa=row.kappa,
        )


def _complement(share: Estimate) -> Estimate:
    low, high = (None if end is None else 1.0 - end for end in (share.high, share.low))
    return Estimate(None if share.value is None else 1.0 - share.value, low, high, share.reason)
