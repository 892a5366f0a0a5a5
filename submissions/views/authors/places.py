"""Where each field stands on the form: its part, its row, and the id that a link to a problem leads to."""

from __future__ import annotations

from submissions.checks import LICENCES, Problem
from submissions.content import Content

PARTS = ("justification", "scenario", "scoring", "try", "send")
PART_NAMES = {
    "justification": "Justification",
    "scenario": "Scenario",
    "scoring": "Scoring",
    "try": "Try it",
    "send": "Send",
}
PART_OF = {
    "title": "justification", "construct": "justification", "sources": "justification", "differs": "justification",
    "relevance": "justification", "subareas": "justification",
    "demographics": "scenario", "known": "scenario", "unknown": "scenario", "messages": "scenario",
    "definition": "scoring", "polarity": "scoring", "questions": "scoring", "hard_cases": "scoring",
    "examples_present": "scoring", "examples_absent": "scoring",
    "credit": "send", "licence": "send", "not_reviewers": "send", "requests": "send",
}  # fmt: skip
# (id of the row, its short name in the outline)
ROWS = {
    "justification": (
        ("row-construct", "What you measure"),
        ("row-sources", "Sources"),
        ("row-neighbours", "Near neighbours"),
        ("row-relevance", "Why it matters"),
        ("row-areas", "Areas"),
    ),
    "scenario": (
        ("row-who", "Who is asking"),
        ("row-known", "What the AI knows"),
        ("row-unknown", "What it does not"),
        ("row-messages", "What the user says"),
    ),
    "scoring": (
        ("row-definition", "The behaviour"),
        ("row-goodbad", "Good or bad"),
        ("row-question", "Question"),
        ("row-hard", "Hard cases"),
        ("row-examples", "Examples"),
    ),
    "try": (),
    "send": (),
}
ROW_OF = {
    "title": "row-title", "construct": "row-construct", "sources": "row-sources", "differs": "row-neighbours",
    "relevance": "row-relevance", "subareas": "row-areas", "demographics": "row-who", "known": "row-known",
    "unknown": "row-unknown", "messages": "row-messages", "definition": "row-definition", "polarity": "row-goodbad",
    "questions": "row-question", "hard_cases": "row-hard", "examples_present": "row-examples",
    "examples_absent": "row-examples",
}  # fmt: skip
_EXAMPLES = {"examples_present": "present", "examples_absent": "absent"}


def id_of(problem: Problem, content: Content) -> str:
    """The id of the input that a problem stands at; the form shows an element of that id."""
    number = problem.number or 1
    match problem.field:
        case "sources":
            written = content.sources[number - 1 : number]
            return f"source-{number}-{'link' if written and written[0].reference.strip() else 'reference'}"
        case "messages":
            messages = content.messages[number - 1 : number]
            return f"message-{number}-{'turn' if messages and not messages[0].is_empty else 'text'}"
        case "demographics":
            return f"demographic-{number}-attribute"
        case "questions":
            return f"question-{number}-text"
        case "examples_present" | "examples_absent":
            return f"{_EXAMPLES[problem.field]}-{_first_empty(content, problem.field, number)}-text"
        case "polarity":
            return "polarity-negative"
        case "credit":
            return "credit-named"
        case "licence":
            return f"licence-{next(iter(LICENCES))}"
        case "requests":
            return f"request-{number}-answer"
    return problem.field


def part_of(problem: Problem) -> str:
    """The part of the form that a problem stands in."""
    return PART_OF[problem.field]


def _first_empty(content: Content, field: str, fallback: int) -> int:
    """The first line without text: the one to fill, wherever the filled ones stand."""
    texts = getattr(content, field)
    return next((at for at, text in enumerate(texts, start=1) if not text.strip()), max(fallback, 1))
