"""The items that somebody should look at again: raters differ from each other, or from the judge."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from evaluation.studies.analysis.judge import majorities
from evaluation.studies.forms import DISAGREE
from evaluation.studies.questions import Question, QuestionKind

RATERS_DIFFER, JUDGE_DIFFERS = "raters differ", "the judge differs"
# Marks next to each other are no disagreement worth settling.
_FAR_APART = 2


@dataclass(frozen=True)
class Disagreement:
    """One item and question to adjudicate: why, and how often each answer was given."""

    item: int
    metric: str
    question: str
    why: str
    counts: dict[str, int]


def disagreements(rows: pd.DataFrame, question: Question) -> Iterator[Disagreement]:
    """By item. Choices that are not all the same, marks two or more apart, verdicts against the judge's."""
    asked = rows[rows["question"] == question.key]
    against = _against_the_judge(asked, question)
    for item, of in asked.groupby("item", sort=True):
        given = list(of["value"])
        counts = dict(sorted(Counter(str(value) for value in given).items()))
        for why, holds in ((RATERS_DIFFER, _differ(given, question)), (JUDGE_DIFFERS, item in against)):
            if holds:
                yield Disagreement(int(str(item)), str(of["metric"].iloc[0]), question.key, why, counts)


def _differ(given: list[object], question: Question) -> bool:
    if question.kind is QuestionKind.SCALE:
        marks = [int(str(value)) for value in given]
        return max(marks) - min(marks) >= _FAR_APART
    return question.kind is QuestionKind.CHOICE and len(set(given)) > 1


def _against_the_judge(asked: pd.DataFrame, question: Question) -> set[object]:
    """Items where most raters disagree with the verdict that they saw, or give another than the judge's."""
    if question.key == "verdict":
        given = asked.groupby("item")["value"]
        return {item for item, values in given if 2 * (values == DISAGREE).sum() > len(values)}
    if question.key != "outcome":
        return set()
    judged = asked[asked["judged_passed"].notna()].drop_duplicates("item")
    verdicts = dict(zip(judged["item"], judged["judged_passed"].astype(bool), strict=True))
    return {item for item, passed in majorities(asked).items() if verdicts.get(item, passed) != passed}
