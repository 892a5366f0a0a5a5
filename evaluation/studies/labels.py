"""The labels that experts give to conversations, and pass rates that follow from labels and verdicts together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from evaluation.statistics.agreement import strict_majority
from evaluation.statistics.judge_error import Corrected, prediction_powered_rate
from evaluation.statistics.verdicts import outcome
from evaluation.studies.analysis.estimates import FEW, Estimate
from evaluation.studies.analysis.groups import answers
from evaluation.studies.analysis.judge import majorities
from evaluation.studies.forms import AGREE, DISAGREE

PRESENT, ABSENT, CONTESTED = "present", "absent", "contested"
MAJORITY, ADJUDICATED = "majority", "adjudicated"
PREDICTION_POWERED = "prediction-powered"
# Below this a normal interval says nothing; with 10 labels it is about 60 points wide without the judge.
LEAST_LABELS = 10
COLUMNS = ("item", "conversation", "benchmark", "metric", "polarity", "profile", "target", "passed", "source")


@dataclass(frozen=True)
class CorrectedRate:
    """A pass rate corrected for the judge's errors; target None: all targets together."""

    target: str | None
    polarity: str
    n_metrics_labelled: int
    rate: Corrected

    def as_estimate(self) -> Estimate:
        """The same as studies tell numbers; n are the labels. Its caution is that of few metrics."""
        rate = self.rate
        if rate.value is None or rate.low is None:
            return Estimate(rate.value, rate.n_labelled, reason=rate.reason)
        few = self.n_metrics_labelled < FEW
        caution = f"rests on {self.n_metrics_labelled} metrics only: likely too narrow" if few else ""
        return Estimate(rate.value, rate.n_labelled, rate.low, rate.high, PREDICTION_POWERED, caution)


def expert_labels(ratings: pd.DataFrame, items: pd.DataFrame, settled: Mapping[int, str] | None = None) -> pd.DataFrame:
    """One row for each conversation of an expert review that has a label, with COLUMNS; tables as for `analyse`.

    The label is what adjudication settled (by item: present, absent, or contested, which is no label), otherwise the
    strict majority of the ratings: more than half of them pass, or fail.
    """
    asked = answers(ratings[ratings["question"] == "outcome"], items)
    return _labels(items, majorities(asked), settled or {})


def reviewed_labels(
    ratings: pd.DataFrame, items: pd.DataFrame, settled: Mapping[int, str] | None = None
) -> pd.DataFrame:
    """The same of a judgment review, where raters saw the verdict.

    Who agrees gives the verdict as label, who disagrees the opposite; unsure counts in the denominator alone.
    """
    asked = answers(ratings[ratings["question"] == "verdict"], items)
    said = {
        item: strict_majority(list(given), among=(AGREE, DISAGREE)) for item, given in asked.groupby("item")["value"]
    }
    shown = items[items["judged_passed"].notna()].set_index("item")["judged_passed"].astype(bool)
    by_majority = {
        int(str(item)): bool(shown[item]) == (value == AGREE)
        for item, value in said.items()
        if value is not None and item in shown.index
    }
    return _labels(items, by_majority, settled or {})


def _labels(items: pd.DataFrame, by_majority: Mapping[int, bool], decided: Mapping[int, str]) -> pd.DataFrame:
    rows = []
    for item in items[items["conversation"].notna()].to_dict("records"):
        number = int(item["item"])
        if number in decided:
            passed, source = _passed(decided[number], item["polarity"]), ADJUDICATED
        else:
            passed, source = by_majority.get(number), MAJORITY
        if passed is not None:
            rows.append({**item, "passed": passed, "source": source})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def corrected_rates(labels: pd.DataFrame, verdicts: pd.DataFrame) -> list[CorrectedRate]:
    """Prediction-powered pass rates by target and polarity, all targets first; see `statistics.judge_error`.

    `labels` as `expert_labels` gives them; `verdicts` has a row for each judged conversation of the release:
    conversation, metric, polarity, target, passed. Labels of conversations that the judge left unjudged say nothing
    here. The labelled metrics are taken as drawn by chance from those of the release, so the variance is that of
    metrics. Fewer than LEAST_LABELS labels give no rate, and labels that are all alike no interval.
    """
    judged = verdicts[verdicts["passed"].notna()]
    known = labels.drop_duplicates("conversation")[["conversation", "passed"]]
    both = judged.merge(known, on="conversation", how="left", suffixes=("", "_label"))
    found = []
    for polarity, of_polarity in both.groupby("polarity", sort=True):
        targets = sorted(set(of_polarity.loc[of_polarity["passed_label"].notna(), "target"]))
        for target in (None, *targets) if targets else ():
            rows = of_polarity if target is None else of_polarity[of_polarity["target"] == target]
            found.append(_corrected(target, str(polarity), rows))
    return found


def _corrected(target: str | None, polarity: str, rows: pd.DataFrame) -> CorrectedRate:
    labelled = rows[rows["passed_label"].notna()]
    n_metrics = int(labelled["metric"].nunique())
    if len(labelled) < LEAST_LABELS:
        reason = f"fewer than {LEAST_LABELS} labels"
        none = Corrected(None, None, None, len(labelled), len(rows), None, reason)
        return CorrectedRate(target, polarity, n_metrics, none)
    rate = prediction_powered_rate(
        list(labelled["passed_label"].astype(bool)),
        list(labelled["passed"].astype(bool)),
        list(rows.loc[rows["passed_label"].isna(), "passed"].astype(bool)),
        clusters=list(labelled["metric"]),
    )
    if rate.low is not None and labelled["passed_label"].nunique() == 1:
        rate = replace(rate, low=None, high=None, reason="no interval: the labels are all alike")
    return CorrectedRate(target, polarity, n_metrics, rate)


def _passed(settled: str, polarity: str) -> bool | None:
    return None if settled == CONTESTED else outcome(settled == PRESENT, polarity)
