"""Compares two versions of a submission field by field, as readers see them: never what says who the author is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from submissions.advice.worddiff import Segment, diff
from submissions.content import ABOUT_THE_AUTHOR, FIELD_NAMES, Content, Demographic, Source, UserMessage

_KINDS = {"positive": "Good for the person", "negative": "Bad for the person"}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field that differs between two versions, word by word."""

    field: str
    name: str
    segments: tuple[Segment, ...]


def changes(old: Content, new: Content) -> list[FieldChange]:
    """The fields in which two versions differ, in the order of the form; nothing about the author."""
    return [
        FieldChange(field, name, diff(field_text(old, field), field_text(new, field)))
        for field, name in FIELD_NAMES.items()
        if field not in ABOUT_THE_AUTHOR and getattr(old, field) != getattr(new, field)
    ]


def field_text(content: Content, field: str) -> str:
    """A field as text, a line for each item of a list."""
    value = getattr(content, field)
    if field == "polarity":
        return _KINDS.get(value, value)
    return value if isinstance(value, str) else "\n".join(_line(item) for item in value)


def _line(item: Any) -> str:
    if isinstance(item, Source):
        return " ".join(part for part in (item.reference, item.link) if part)
    if isinstance(item, Demographic):
        told = "the AI is told" if item.told else "it has to find out"
        return f"{item.attribute}: {item.value} ({told})"
    if isinstance(item, UserMessage):
        return f"Turn {item.turn}: {item.text}"
    return str(item)
