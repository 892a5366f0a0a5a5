"""Fields of a submission as text for people: lists line by line, choices in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from submissions.checks import CREDITS, LICENCES
from submissions.content import Demographic, Source, UserMessage
from submissions.selectors.areas import subarea_titles

POLARITIES = {"positive": "good", "negative": "bad", "": "not said"}
CHOICES: dict[str, Mapping[str, str]] = {"polarity": POLARITIES, "licence": LICENCES, "credit": CREDITS}


def in_words(field: str, value: Any) -> str:
    """A field of the form as text; what was chosen from a list is given in the words of the form."""
    if field == "subareas":
        return "\n".join(subarea_titles(value))
    if field in CHOICES:
        return CHOICES[field].get(value, value)
    return readable(value)


def readable(value: Any) -> str:
    """Text, or one line for each item of a list."""
    if isinstance(value, str):
        return value
    return "\n".join(item_text(item) for item in value)


def item_text(item: Any) -> str:
    """One line of a list as text."""
    match item:
        case Source():
            return " ".join(part for part in (item.reference, item.link) if part)
        case Demographic():
            told = "is told" if item.told else "has to infer it"
            return f"{item.attribute}: {item.value} ({told})"
        case UserMessage():
            return f"{item.text} (at turn {item.turn})" if item.turn else item.text
    return str(item)
