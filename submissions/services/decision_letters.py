"""The letter that tells an author of a decision: pseudonyms only, and dates in the author's own time as well."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from impactbench.common.moments import when
from submissions.addresses import page_of
from submissions.models import Decision, Submission
from submissions.naming import pseudonym
from submissions.rubric import criteria
from submissions.services.decision_choice import POINT_FIELDS, Choice, Point, sent_reviews
from submissions.services.letters import Letter, Ours, Theirs, letter
from submissions.services.review_letters import title_sent
from submissions.standing import Involved

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_FOUND = "How the reviewers read it:"

_SUBJECTS = {
    Decision.Kind.APPROVE: "Your metric $name is approved",
    Decision.Kind.REQUEST_CHANGES: "Your metric $name: $changes, please",
    Decision.Kind.REJECT: "Your metric $name is not accepted",
}

_TEXTS = {
    Decision.Kind.APPROVE: """Dear author,

thank you for “$title” ($name, version $version). $readers We approve it.

$summary

What happens next: a second editor publishes its page; we write to you when it is there. You can read the reviews at
$address
""",
    Decision.Kind.REQUEST_CHANGES: """Dear author,

thank you for “$title” ($name, version $version). $readers We ask you for $changes before we can approve it.

$points

$summary

What happens next: answer each point at
$address
until $answer_due The same reviewers will look at your changes.
""",
    Decision.Kind.REJECT: """Dear author,

thank you for “$title” ($name, version $version). $readers We do not accept it.

$points

$summary

What happens next: nothing more is asked of you. Your text stays yours; you can copy it into a new submission at
$address
""",
}

_SHORT = """Dear author,

there is a decision on “$title” ($name), which you wrote with others. You can read it at
$address
"""


def compose(submission: Submission, choice: Choice) -> Letter:
    """The letter for a decision as it is chosen, for the submission's owner. `choice.kind` is a `Decision.Kind`."""
    newest = submission.revisions.order_by("-number").first()
    points = [point for point in choice.points if point.text.strip()]
    values: dict[str, Any] = {
        "name": Ours(submission.public_id),
        "title": Theirs(title_sent(submission)),
        "version": Ours(newest.number if newest else 1),
        "readers": Ours(_readers(submission)),
        "changes": Ours(_count(len(points), "change") if points else "changes"),
        "points": _points(points),
        "summary": Ours(_summary(submission)),
        "address": Ours(page_of(submission)),
        "answer_due": Ours(_due(choice.answer_due, submission.owner)),
    }
    kind = Decision.Kind(choice.kind)
    composed = letter(_SUBJECTS[kind], _TEXTS[kind], **values)
    return Letter(composed.subject, _without_gaps(composed.text))


def to_co_author(submission: Submission) -> Letter:
    """A short note for somebody who wrote it too: the letter itself is in the owner's time."""
    values: dict[str, Any] = {
        "title": Theirs(title_sent(submission)),
        "name": Ours(submission.public_id),
        "address": Ours(page_of(submission)),
    }
    return letter("There is a decision on $name", _SHORT, **values)


def _readers(submission: Submission) -> str:
    n = len(sent_reviews(submission))
    if n == 0:
        return "The editors have read it."
    return f"{_count(n, 'reviewer').capitalize()} {'has' if n == 1 else 'have'} read it."


def _points(points: Sequence[Point]) -> Theirs:
    """Each point with its number and what it is about; the words of the points are people's."""
    lines = [
        f"{number}. {POINT_FIELDS.get(point.field, point.field)}. {point.text.strip()}"
        for number, point in enumerate(points, start=1)
    ]
    return Theirs("\n\n".join(lines))


def _summary(submission: Submission) -> str:
    """Each question of the rubric with the meanings that the reviewers chose, never a number alone."""
    reviews = sent_reviews(submission)
    if not reviews:
        return ""
    polarity = reviews[0].assignment.round.revision.text.polarity
    lines, involved = [], Involved(submission)
    for criterion in criteria(polarity):
        said = [
            f"{meaning} ({pseudonym(review.assignment.person, involved)})"
            for review in reviews
            if (meaning := meaning_of(review.answers.get(criterion.key), criterion.anchors))
        ]
        lines += [f"- {criterion.name}: {'; '.join(said)}"] if said else []
    return "\n".join([_FOUND, *lines]) if lines else ""


def meaning_of(answer: Any, anchors: Sequence[str]) -> str:
    """The words of the value that was chosen; '' for none, and for 'I cannot judge this'."""
    value = (answer or {}).get("value")
    return anchors[value - 1] if isinstance(value, int) and 1 <= value <= len(anchors) else ""


def _due(moment: datetime | None, owner: Any) -> str:
    return when(moment, owner) if moment is not None else "the date that we will tell you."


def _count(n: int, word: str) -> str:
    return f"{_NUMBERS[n] if n < len(_NUMBERS) else n} {word}{'' if n == 1 else 's'}"


def _without_gaps(text: str) -> str:
    """At most one empty line in a row: a part that is empty leaves no hole."""
    paragraphs = [paragraph.strip("\n") for paragraph in text.split("\n\n")]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph.strip()) + "\n"
