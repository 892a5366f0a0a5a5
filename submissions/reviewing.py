"""What a reviewer writes, as plain values: eight answers, words for the author, an advice, a private remark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from submissions.content import text_of
from submissions.models import Review
from submissions.rubric import ABSTAIN, Criterion, criteria

VALUES = ("1", "2", "3", "4")


@dataclass(frozen=True, slots=True)
class Answer:
    """One criterion: "1" to "4", "abstain" or "" where nothing is chosen yet, and a comment."""

    value: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ReviewText:
    """A whole review as it is written; equal texts are equal values."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    for_author: str = ""
    private_remark: str = ""
    advice: str = ""

    @property
    def n_answered(self) -> int:
        """How many criteria have a value, abstentions included."""
        return sum(bool(answer.value) for answer in self.answers.values())


@dataclass(frozen=True, slots=True)
class ReviewProblem:
    """What keeps a review from being sent, and the part of the form it stands at; `name` is that of a criterion."""

    part: str
    message: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of a review in which two texts differ, in words."""

    name: str
    stored: str
    mine: str


def from_form(data: Mapping[str, Any], polarity: str) -> ReviewText:
    """What was posted: a value under each criterion's key, its comment under `m-` and the key."""
    answers = {
        item.key: Answer(_value(data.get(item.key)), text_of(data.get(f"m-{item.key}")).strip())
        for item in criteria(polarity)
    }
    advice = text_of(data.get("advice"))
    return ReviewText(
        answers,
        text_of(data.get("for_author")).strip(),
        text_of(data.get("private_remark")).strip(),
        advice if advice in Review.Advice.values else "",
    )


def written_in(review: Review | None, polarity: str) -> ReviewText:
    """What its writer has written so far: the change that was not sent yet, else the review itself."""
    if review is None:
        return _read({}, polarity)
    return _read(review.draft or as_stored_in(review), polarity)


def as_stored_in(review: Review) -> dict[str, Any]:
    """The columns of a review in the shape of its draft."""
    return {name: getattr(review, name) for name in ("answers", "for_author", "private_remark", "advice")}


def to_stored(text: ReviewText, polarity: str) -> dict[str, Any]:
    """The text for the database; each answer keeps the question and the sentence that its writer saw."""
    return {
        "answers": {item.key: _stored(item, text.answers.get(item.key, Answer())) for item in criteria(polarity)},
        "for_author": text.for_author,
        "private_remark": text.private_remark,
        "advice": text.advice,
    }


def problems(text: ReviewText, polarity: str) -> list[ReviewProblem]:
    """Everything that is missing before the review can be sent, in the order of the form."""
    found = [
        ReviewProblem(item.key, "choose one of the four, or “I cannot judge this”.", item.name)
        for item in criteria(polarity)
        if not text.answers.get(item.key, Answer()).value
    ]
    if not text.for_author:
        found.append(ReviewProblem("for_author", "Write something for the author; two sentences are enough."))
    if not text.advice:
        found.append(ReviewProblem("advice", "Choose what you advise the editors."))
    return found


def differences(stored: ReviewText, mine: ReviewText, polarity: str) -> list[Difference]:
    """The parts in which two texts of one review differ, in the order of the form."""
    pairs = []
    for item in criteria(polarity):
        one, other = stored.answers.get(item.key, Answer()), mine.answers.get(item.key, Answer())
        pairs.append((item.name, _in_words(item, one.value), _in_words(item, other.value)))
        pairs.append((f"{item.name}, comment", one.comment, other.comment))
    advice = dict(Review.Advice.choices)
    pairs.append(("For the author", stored.for_author, mine.for_author))
    pairs.append(("Your advice", advice.get(stored.advice, ""), advice.get(mine.advice, "")))
    pairs.append(("For the editors only", stored.private_remark, mine.private_remark))
    return [Difference(*pair) for pair in pairs if pair[1] != pair[2]]


def _value(posted: object) -> str:
    value = text_of(posted)
    return value if value in (*VALUES, ABSTAIN) else ""


def _stored(item: Criterion, answer: Answer) -> dict[str, Any]:
    number = int(answer.value) if answer.value in VALUES else None
    return {
        "value": number if number else answer.value,
        "comment": answer.comment,
        "question": item.question,
        "anchor": item.anchors[number - 1] if number else "",
    }


def _read(stored: Mapping[str, Any], polarity: str) -> ReviewText:
    rows = stored.get("answers") or {}
    answers = {}
    for item in criteria(polarity):
        row = rows.get(item.key) or {}
        answers[item.key] = Answer(_value(row.get("value")), text_of(row.get("comment")))
    texts = {name: text_of(stored.get(name)) for name in ("for_author", "private_remark", "advice")}
    return ReviewText(answers, **texts)


def _in_words(item: Criterion, value: str) -> str:
    if value == ABSTAIN:
        return "I cannot judge this"
    return f"{value}: {item.anchors[int(value) - 1]}" if value else ""
