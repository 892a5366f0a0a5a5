"""What a study by people found, live while it runs and frozen when it is closed: `analyse`."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from evaluation.studies.analysis.choices import Choice, choices
from evaluation.studies.analysis.disagreements import Disagreement, disagreements
from evaluation.studies.analysis.groups import answers
from evaluation.studies.analysis.judge import JudgeAgreement, judge_agreement
from evaluation.studies.analysis.raters import RaterAgreement, rater_agreement
from evaluation.studies.analysis.scales import Scale, scales
from evaluation.studies.analysis.simulators import SimulatorScore, simulator_scores
from evaluation.studies.analysis.times import Times, times
from evaluation.studies.designs import Design, as_data
from evaluation.studies.kinds import EXPERT_REVIEW, KINDS, SIMULATOR_SELECTION
from evaluation.studies.questions import Question, QuestionKind


@dataclass(frozen=True)
class Analysis:
    """All numbers of a study by people. Every group is a row of its own, 'all' first; nothing here is rounded."""

    kind: str
    design: dict[str, object]
    n_items: int
    n_rated: int
    n_ratings: int
    n_raters: int
    scales: tuple[Scale, ...]
    choices: tuple[Choice, ...]
    agreement: tuple[RaterAgreement, ...]
    judge: tuple[JudgeAgreement, ...]
    simulators: tuple[SimulatorScore, ...]
    disagreements: tuple[Disagreement, ...]
    times: tuple[Times, ...]

    def as_data(self) -> dict[str, Any]:
        """The same as JSON can hold it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def analyse(kind: str, design: Design, ratings: pd.DataFrame, items: pd.DataFrame) -> Analysis:
    """What the submitted ratings say. The same ratings always give the same analysis.

    `ratings` has a row for each answer: item, rater, unit, question, value, seconds (of the whole rating). `items`
    has a row for each item: item, unit, benchmark, metric, polarity, profile, target, scenario, conversation,
    judged_present, judged_passed. What does not exist (too few ratings, no spread) is None with the reason. Raises
    ValueError for a kind by machine, and for a rating of an unknown item.
    """
    if not KINDS[kind].by_people:
        raise ValueError(f"a {kind} has no ratings; its results are analysed by evaluation.studies.machine")
    rows = answers(ratings, items)
    questions = list(_questions(kind))
    of_scale = [question for question in questions if question.kind is QuestionKind.SCALE]
    of_choice = [question for question in questions if question.kind in (QuestionKind.CHOICE, QuestionKind.SEVERAL)]
    one_answer = [question for question in questions if question.kind in (QuestionKind.SCALE, QuestionKind.CHOICE)]
    return Analysis(
        kind=kind,
        design=as_data(design),
        n_items=len(items),
        n_rated=int(ratings["item"].nunique()),
        n_ratings=len(ratings.drop_duplicates(["item", "rater"])),
        n_raters=int(ratings["rater"].nunique()),
        scales=tuple(row for question in of_scale for row in scales(rows, question)),
        choices=tuple(row for question in of_choice for row in choices(rows, question)),
        agreement=tuple(row for question in one_answer for row in rater_agreement(rows, question)),
        judge=tuple(judge_agreement(rows, "outcome")) if kind == EXPERT_REVIEW else (),
        simulators=tuple(simulator_scores(rows, "realism_10")) if kind == SIMULATOR_SELECTION else (),
        disagreements=tuple(row for question in one_answer for row in disagreements(rows, question)),
        times=tuple(times(ratings)),
    )


def _questions(kind: str) -> Iterator[Question]:
    for form in KINDS[kind].forms.values():
        yield from form.questions
