"""How far the judges of a run, and repeats of one judge, agree about its conversations."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from evaluation.models import Judgment, Run
from evaluation.statistics.agreement import krippendorff_alpha, pairwise_agreement, unanimity


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Over conversations with at least two verdicts; None where there is none, or where alpha is undefined."""

    n_conversations: int
    n_split: int
    pairwise: float | None
    unanimous: float | None
    krippendorff_alpha: float | None


def agreement_of(run: Run) -> JudgeAgreement:
    """Agreement over all saved judgments of a run, old ones and later ones alike; unjudged ones are left out."""
    judged = Judgment.objects.filter(conversation__run=run, state=Judgment.State.JUDGED)
    rows = judged.order_by().values_list("conversation_id", "judge_id", "repeat", "present")
    ratings = pd.DataFrame(rows.iterator(), columns=["conversation", "judge", "repeat", "present"])
    if ratings.empty:
        return JudgeAgreement(0, 0, None, None, None)
    table = ratings.pivot_table(
        index="conversation", columns=["judge", "repeat"], values="present", aggfunc="first", dropna=False
    )
    table = table[table.notna().sum(axis=1) >= 2]
    n_present, n_rated = (table == True).sum(axis=1), table.notna().sum(axis=1)  # noqa: E712  (elementwise)
    return JudgeAgreement(
        n_conversations=len(table),
        n_split=int((2 * n_present == n_rated).sum()),
        pairwise=pairwise_agreement(table).value,
        unanimous=unanimity(table).value,
        krippendorff_alpha=krippendorff_alpha(table).value,
    )
