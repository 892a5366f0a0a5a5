"""Finds the passages that a judge quoted in the HTML of a reply and marks them."""

import re
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from labels.transcripts import LINE_BREAK, visible

_ELLIPSIS = re.compile(r"\[?(?:\.{3,}|…)\]?")
# Shorter passages would be found everywhere.
SHORTEST_PASSAGE = 2


@dataclass(frozen=True)
class Block:
    """A paragraph, list or other top-level part of a reply, and whether a quoted passage stands in it."""

    html: SafeString
    is_cited: bool


def cited_blocks(html: SafeString, quotes: list[str]) -> list[Block]:
    """The top-level blocks of `html` (made by `transcripts.render`), quoted passages inside `<mark>`.

    Only letters and digits are compared, without case, so that markup, quotation marks and spacing do not
    matter. Parts joined by an ellipsis must follow one another; a quote that is not found marks nothing.
    """
    if not quotes:
        return [Block(html, False)] if html.strip() else []
    reading = _Reading()
    reading.feed(html)
    reading.close()
    letters = "".join(reading.letters)
    marked = [span for quote in quotes for span in _passages(letters, quote)]
    return reading.blocks([(reading.places[first], reading.places[last]) for first, last in marked])


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


# A text has far fewer characters than places for them.
_letters_of_one = lru_cache(maxsize=4096)(_letters)


def _passages(letters: str, quote: str) -> list[tuple[int, int]]:
    """First and last letter of each part of the quote; empty unless all parts are found in order."""
    spans: list[tuple[int, int]] = []
    at = 0
    for part in filter(None, map(_letters, _ELLIPSIS.split(LINE_BREAK.sub(" ", visible(quote))))):
        found = letters.find(part, at)
        if found < 0:
            return []
        at = found + len(part)
        spans.append((found, at - 1))
    return spans if sum(last - first + 1 for first, last in spans) >= SHORTEST_PASSAGE else []


class _Reading(HTMLParser):
    """Splits HTML into tags and texts, and keeps where in which text each letter stands."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        # (depth, is a text, content)
        self.parts: list[tuple[int, bool, str]] = []
        self.depth = 0
        self.letters: list[str] = []
        self.places: list[tuple[int, int]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002  (the base class's signature)
        self.parts.append((self.depth, False, self.get_starttag_text() or ""))
        if tag not in ("br", "hr"):
            self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1
        self.parts.append((self.depth, False, f"</{tag}>"))

    def handle_data(self, data: str) -> None:
        part = len(self.parts)
        for at, character in enumerate(data):
            letters = _letters_of_one(character)
            self.letters.append(letters)
            self.places.extend([(part, at)] * len(letters))
        self.parts.append((self.depth, True, data))

    def blocks(self, marked: list[tuple[tuple[int, int], tuple[int, int]]]) -> list[Block]:
        blocks: list[Block] = []
        html, is_cited = "", False
        for number, (depth, is_text, content) in enumerate(self.parts):
            if depth == 0 and not is_text and not content.startswith("</") and html.strip():
                blocks.append(Block(mark_safe(html), is_cited))  # noqa: S308  (cleaned before it came here)
                html, is_cited = "", False
            spans = _within(number, len(content), marked) if is_text else []
            html += _with_marks(content, spans) if is_text else content
            is_cited = is_cited or bool(spans)
        if html.strip():
            blocks.append(Block(mark_safe(html), is_cited))  # noqa: S308  (cleaned before it came here)
        return blocks


def _within(number: int, length: int, marked: list[tuple[tuple[int, int], tuple[int, int]]]) -> list[tuple[int, int]]:
    """The stretches of text `number` that are marked, merged and in order."""
    spans: list[tuple[int, int]] = []
    for first, last in sorted(marked):
        if not first[0] <= number <= last[0]:
            continue
        start = first[1] if first[0] == number else 0
        end = last[1] + 1 if last[0] == number else length
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        elif start < end:
            spans.append((start, end))
    return spans


def _with_marks(text: str, spans: list[tuple[int, int]]) -> str:
    html, at = "", 0
    for start, end in spans:
        passage = text[start:end]
        html += escape(text[at:start]) + (f"<mark>{escape(passage)}</mark>" if passage.strip() else escape(passage))
        at = end
    return html + escape(text[at:])
