"""The fields of the form as a template shows them: words, value, height, problem, and who sees it in the test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from submissions.advice.citations import Rendered, render
from submissions.composition import READERS, Readers
from submissions.content import FIRST_LINES, Content
from submissions.views.authors.posted import LISTS, input_name

# What a new form suggests to say about the person; an empty line is never sent.
FIRST_ATTRIBUTES = ("Age", "Work")
_WIDTH = 72

# name: (label, hint, least rows, optional)
_TEXTS = {
    "construct": (
        "What do you want to measure?",
        "In your own words, as you would tell a colleague in another field.",
        6,
        False,
    ),
    "differs": (
        "How is yours different?",
        "One or two sentences. If it is not, you may want to improve the existing one instead.",
        4,
        True,
    ),
    "relevance": (
        "Why does it matter for people’s lives?",
        "The evidence that links this behaviour to what becomes of people. Cite your sources as [1], [2].",
        6,
        False,
    ),
    "known": (
        "What does the AI already know about this person?",
        "What it has learned in earlier chats. Write it as plain facts.",
        4,
        True,
    ),
    "unknown": (
        "What does it not know?",
        "The facts that make the difference. The simulated user gives them away little by little, or only when asked.",
        5,
        True,
    ),
    "definition": (
        "The behaviour",
        "One thing the assistant does that anyone can see in the text. Describe it as it is, also when it is bad.",
        8,
        False,
    ),
    "hard_cases": (
        "How to read hard cases",
        "Two to five sentences. What if the assistant does it and then takes it back? What looks like it but is not?",
        6,
        False,
    ),
}


@dataclass(frozen=True, slots=True)
class TextField:
    """A text area with its words."""

    name: str
    label: str
    hint: str
    value: str
    rows: int
    is_optional: bool
    error: str
    readers: Readers | None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list: its inputs' ids by part, their values, and problems by id."""

    number: int
    ids: dict[str, str]
    values: dict[str, str]
    errors: dict[str, str]
    rows: int
    rendered: Rendered | None = None

    @property
    def is_bad(self) -> bool:
        return bool(self.errors)


def text_fields(content: Content, errors: Mapping[str, str]) -> dict[str, TextField]:
    """The text areas by name; `errors` is a message for the id of an input."""
    return {
        name: TextField(
            name=name,
            label=label,
            hint=hint,
            value=getattr(content, name),
            rows=rows_for(getattr(content, name), least),
            is_optional=is_optional,
            error=errors.get(name, ""),
            readers=READERS.get(name),
        )
        for name, (label, hint, least, is_optional) in _TEXTS.items()
    }


def line_fields(content: Content, errors: Mapping[str, str]) -> dict[str, list[Line]]:
    """The lines of every list, with empty ones up to what a new form shows."""
    return {name: _lines(name, padded(content, name), errors) for name in LISTS}


def source_lines(content: Content) -> list[Line]:
    """The sources alone, for how readers will see them."""
    return _lines("sources", padded(content, "sources"), {})


def padded(content: Content, name: str) -> list[Any]:
    """The lines of a list with empty ones behind, as many as a new form shows."""
    items = list(getattr(content, name))
    if name == "demographics" and not items:
        return [type(LISTS[name].empty)(attribute=attribute) for attribute in FIRST_ATTRIBUTES]
    return items + [LISTS[name].empty] * (FIRST_LINES[name] - len(items))


def rows_for(text: str, least: int) -> int:
    """How high a text area is for its text, where the browser cannot tell by itself."""
    return min(30, max(least, sum(1 + len(line) // _WIDTH for line in text.split("\n"))))


def _lines(name: str, items: list[Any], errors: Mapping[str, str]) -> list[Line]:
    lines, found = LISTS[name], []
    for number, item in enumerate(items, start=1):
        ids = {part: input_name(lines, number, part) for part in lines.parts}
        values = lines.write(item)
        own = {part: errors[key] for part, key in ids.items() if key in errors}
        rendered = render(item.reference, item.link) if name == "sources" and not item.is_empty else None
        found.append(Line(number, ids, values, own, rows_for(values[lines.parts[0]], 3), rendered))
    return found
