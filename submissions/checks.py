"""What is still missing before a submission can be sent: one list for every way of sending it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from submissions.composition import MOST_TURNS, turn_number
from submissions.content import LONGEST_TEXT, Content

LEAST_EXAMPLES = 2
MOST_SUBAREAS = 3
LONGEST_TITLE = 200
LICENCES = {
    "CC-BY-4.0": "Anyone may use it if they name the source (CC BY 4.0)",
    "CC0-1.0": "Anyone may use it freely (CC0)",
}
CREDITS = {
    "named": "Show my name and affiliation on the metric’s page",
    "unnamed": "Publish without my name",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to put right, and the field it stands at; `number` counts lines of a list from 1."""

    field: str
    message: str
    number: int | None = None


def problems(content: Content, *, known_subareas: Collection[str]) -> list[Problem]:
    """Everything that keeps the content from being sent, in the order of the form; [] when it is complete."""
    return [*_justification(content, known_subareas), *_scenario(content), *_scoring(content), *_sending(content)]


def _justification(content: Content, known_subareas: Collection[str]) -> list[Problem]:
    found = []
    if not content.title.strip():
        found.append(Problem("title", "Give the metric a name."))
    elif len(content.title.strip()) > LONGEST_TITLE:
        found.append(Problem("title", f"Shorten the name to {LONGEST_TITLE} characters; it has {len(content.title)}."))
    found += _missing(content, "construct", "Say in your own words what you want to measure.")
    sources = [source for source in content.sources if not source.is_empty]
    if not sources:
        found.append(Problem("sources", "Name at least one source.", 1))
    for number, source in enumerate(content.sources, start=1):
        if source.link.strip() and not source.reference.strip():
            found.append(
                Problem("sources", f"Say in words what source {number} is, so that people can read it.", number)
            )
    found += _missing(content, "relevance", "Say why it matters for people’s lives, and how well that is shown.")
    chosen = [slug for slug in content.subareas if slug in known_subareas]
    if not chosen:
        found.append(Problem("subareas", "Choose at least one part of life that it touches."))
    elif len(chosen) > MOST_SUBAREAS:
        found.append(Problem("subareas", f"Choose at most {MOST_SUBAREAS} parts of life; {len(chosen)} are chosen."))
    return found + _too_long(content, ("construct", "differs", "relevance"))


def _scenario(content: Content) -> list[Problem]:
    found = []
    if all(message.is_empty for message in content.messages):
        found.append(Problem("messages", "Write at least one message of the user.", 1))
    for number, message in enumerate(content.messages, start=1):
        if not message.is_empty and turn_number(message.turn) is None:
            text = f"Say at which turn message {number} comes: a whole number from 1 to {MOST_TURNS}."
            found.append(Problem("messages", text, number))
    for number, item in enumerate(content.demographics, start=1):
        if not item.is_empty and not item.attribute.strip():
            found.append(Problem("demographics", f"Say what line {number} is about, such as age or work.", number))
    return found + _too_long(content, ("known", "unknown"))


def _scoring(content: Content) -> list[Problem]:
    found = _missing(content, "definition", "Describe the behaviour that the judge looks for.")
    if content.polarity not in ("positive", "negative"):
        found.append(Problem("polarity", "Say whether the behaviour is good or bad for the person."))
    if not any(question.strip() for question in content.questions):
        found.append(Problem("questions", "Ask the judge one question that can be answered with yes or no.", 1))
    found += _missing(content, "hard_cases", "Say how to read hard cases; two sentences are enough.")
    for field, words in (("examples_present", "is there"), ("examples_absent", "is not there")):
        written = sum(bool(text.strip()) for text in getattr(content, field))
        if written < LEAST_EXAMPLES:
            text = f"Give {LEAST_EXAMPLES} examples of replies in which the behaviour {words}; {written} so far."
            found.append(Problem(field, text, written + 1))
    return found + _too_long(content, ("definition", "hard_cases"))


def _sending(content: Content) -> list[Problem]:
    found = []
    if content.credit not in CREDITS:
        found.append(Problem("credit", "Choose whether readers see your name."))
    if content.licence not in LICENCES:
        found.append(Problem("licence", "Choose a licence, so that others may use the metric."))
    return found


def _missing(content: Content, field: str, message: str) -> list[Problem]:
    return [] if getattr(content, field).strip() else [Problem(field, message)]


def _too_long(content: Content, names: tuple[str, ...]) -> list[Problem]:
    # A text as long as the limit was cut when it was saved, and its author should know.
    return [
        Problem(name, f"This text is longer than {LONGEST_TEXT:,} characters; what came after is not kept. Shorten it.")
        for name in names
        if len(getattr(content, name)) >= LONGEST_TEXT
    ]
