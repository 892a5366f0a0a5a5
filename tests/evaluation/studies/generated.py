"""Generated ratings: a study drawn from a frame, rated by raters who each see a hidden truth with errors."""

import random

import pandas as pd

from evaluation.studies.designs import ByPeople, Design
from evaluation.studies.draws.drawn import DrawnItem
from evaluation.studies.kinds import KINDS
from evaluation.studies.questions import Question, QuestionKind
from evaluation.studies.sampling import assign, draw


def study(kind: str, design: Design, frame: pd.DataFrame, seed: int = 7) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The ratings and the items of a whole study, in the tables that `analyse` reads."""
    assert isinstance(design, ByPeople)
    chance = random.Random(seed)
    drawn = draw(kind, design, frame, seed)
    facts = frame.drop_duplicates("metric").set_index("metric")
    items = pd.DataFrame([_item(item, facts, chance) for item in drawn.items])
    truth = {item.number: chance.random() for item in drawn.items}
    given = assign(drawn.items, [f"Rater {n}" for n in range(1, design.raters + 1)], design.raters_per_item, seed)
    unit = {item.number: item.unit for item in drawn.items}
    rows = [
        (number, rater, unit[number], question.key, _answer(question, truth[number], chance), 60 + number)
        for rater, numbers in given.items()
        for number in numbers
        for question in KINDS[kind].forms[unit[number]].questions
        if question.kind is not QuestionKind.TEXT
    ]
    return pd.DataFrame(rows, columns=["item", "rater", "unit", "question", "value", "seconds"]), items


def _item(item: DrawnItem, facts: pd.DataFrame, chance: random.Random) -> dict[str, object]:
    polarity = facts.loc[item.metric, "polarity"]
    present = chance.random() < 0.5
    return {
        "item": item.number,
        "unit": item.unit,
        "benchmark": facts.loc[item.metric, "benchmark"],
        "metric": item.metric,
        "polarity": polarity,
        "profile": item.profile,
        "target": item.target,
        "scenario": item.scenario,
        "conversation": item.conversation,
        "judged_present": None if item.conversation is None else present,
        "judged_passed": None if item.conversation is None else present == (polarity == "positive"),
    }


def _answer(question: Question, truth: float, chance: random.Random) -> object:
    if question.kind is QuestionKind.TURNS:
        return [1]
    seen = min(max(truth + chance.gauss(0, 0.25), 0.0), 0.999)
    value = question.options[int(seen * len(question.options))].value
    if question.kind is QuestionKind.SEVERAL:
        return sorted({value, question.options[0].value})
    return int(value) if question.kind is QuestionKind.SCALE else value
