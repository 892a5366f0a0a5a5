"""The judge beside the strict majority of the raters (ImpactBench paper, section 4.9)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evaluation.statistics.agreement import strict_majority
from evaluation.statistics.panel_agreement import share_and_kappa
from evaluation.studies.analysis.estimates import Estimate, Floats, estimate, share
from evaluation.studies.analysis.groups import GROUPINGS, groups
from evaluation.studies.forms import FAIL, PASS


@dataclass(frozen=True)
class JudgeAgreement:
    """The judge's verdicts in one group beside what more than half of all ratings of the item say, pass or fail.

    Items without such a majority, and those that the judge left unjudged, are left out and counted. Sensitivity is
    the share of items passed by the raters that the judge passed; specificity that of failed ones that it failed.
    """

    by: str
    key: str
    n_items: int
    n_without_majority: int
    n_unjudged: int
    n_passed: int
    n_failed: int
    agreement: Estimate
    kappa: Estimate
    sensitivity: Estimate
    specificity: Estimate


def judge_agreement(rows: pd.DataFrame, question: str) -> Iterator[JudgeAgreement]:
    """All groups; in that of a rater, the judge stands beside this rater alone."""
    asked = rows[rows["question"] == question]
    for group in groups(asked, GROUPINGS):
        yield _of_group(group.by, group.key, _items(group.rows))


def majorities(rows: pd.DataFrame) -> dict[int, bool]:
    """By item: True where a strict majority of its ratings is pass, False where it is fail; others are not there."""
    said = {item: strict_majority(list(given), among=(PASS, FAIL)) for item, given in rows.groupby("item")["value"]}
    return {int(str(item)): value == PASS for item, value in said.items() if value is not None}


def _items(rows: pd.DataFrame) -> pd.DataFrame:
    items = rows.drop_duplicates("item")[["item", "metric", "judged_passed"]]
    return items.assign(majority=items["item"].map(majorities(rows)).astype(object))


def _of_group(by: str, key: str, items: pd.DataFrame) -> JudgeAgreement:
    decided = items[items["majority"].notna()]
    kept = decided[decided["judged_passed"].notna()]
    raters, judge = (kept[name].to_numpy(dtype=bool) for name in ("majority", "judged_passed"))
    one = np.ones(len(kept))
    return JudgeAgreement(
        by=by,
        key=key,
        n_items=len(kept),
        n_without_majority=len(items) - len(decided),
        n_unjudged=len(decided) - len(kept),
        n_passed=int(raters.sum()),
        n_failed=int((~raters).sum()),
        agreement=share(kept, judge == raters),
        kappa=estimate(
            kept, [one, judge & raters, judge, raters], _kappa, n=len(kept), reason="no item, or all are alike"
        ),
        sensitivity=share(kept[raters], judge[raters]),
        specificity=share(kept[~raters], ~judge[~raters]),
    )


def _kappa(sums: Floats) -> Floats:
    return share_and_kappa(sums)[1]
