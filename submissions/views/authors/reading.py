"""A content as it is read, not written: fields with their words, lists as items, sources as readers see them."""

from __future__ import annotations

from dataclasses import dataclass

from submissions.advice.citations import Rendered, render
from submissions.content import ABOUT_THE_AUTHOR, FIELD_NAMES, Content
from submissions.field_words import POLARITIES, item_text
from submissions.selectors.areas import subarea_titles


@dataclass(frozen=True, slots=True)
class ReadField:
    """One field with its text, its items, or its sources."""

    field: str
    name: str
    text: str = ""
    items: tuple[str, ...] = ()
    sources: tuple[Rendered, ...] = ()


def readable_content(content: Content, *, leave_out: frozenset[str] = ABOUT_THE_AUTHOR) -> list[ReadField]:
    """The fields in the order of the form, without what says who the author is."""
    return [_field(name, content) for name in FIELD_NAMES if name not in leave_out and name != "licence"]


def _field(name: str, content: Content) -> ReadField:
    words, value = FIELD_NAMES[name], getattr(content, name)
    if name == "sources":
        return ReadField(name, words, sources=tuple(render(source.reference, source.link) for source in value))
    if name == "subareas":
        return ReadField(name, words, items=tuple(subarea_titles(value)))
    if name == "polarity":
        return ReadField(name, words, text=POLARITIES.get(value, value))
    if isinstance(value, str):
        return ReadField(name, words, text=value)
    return ReadField(name, words, items=tuple(item_text(item) for item in value))
