"""Reads the submission form: posted text to `Content` and back, for every field in one place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from submissions.content import FIELD_NAMES, LONGEST_TEXT, MOST_ITEMS, Content, Demographic, Source, UserMessage

TOLD, INFERRED = "told", "inferred"
# Says that the boxes were on the form: a box that is not ticked is not posted at all.
BOXES_SHOWN = "subareas_shown"
_TEXTS = (
    "title", "construct", "differs", "relevance", "known", "unknown", "definition", "polarity", "hard_cases",
    "credit", "licence", "not_reviewers",
)  # fmt: skip
_LINE_ACTION = re.compile(r"(add|remove)-([a-z_]+?)(?:-(\d{1,2}))?")


@dataclass(frozen=True, slots=True)
class Lines:
    """A list of the form: the word in its inputs' names, what one line is read from, and an empty line."""

    word: str
    parts: tuple[str, ...]
    empty: Any
    read: Callable[[Mapping[str, str]], Any]
    write: Callable[[Any], dict[str, str]]


def _plain(word: str) -> Lines:
    return Lines(word, ("text",), "", lambda row: row["text"], lambda item: {"text": item})


LISTS: dict[str, Lines] = {
    "sources": Lines(
        "source",
        ("reference", "link"),
        Source(),
        lambda row: Source(row["reference"], row["link"]),
        lambda item: {"reference": item.reference, "link": item.link},
    ),
    "demographics": Lines(
        "demographic",
        ("attribute", "value", "told"),
        Demographic(),
        lambda row: Demographic(row["attribute"], row["value"], row["told"] == TOLD),
        lambda item: {
            "attribute": item.attribute,
            "value": item.value,
            "told": TOLD if item.told else INFERRED,
        },
    ),
    "messages": Lines(
        "message",
        ("text", "turn"),
        UserMessage(),
        lambda row: UserMessage(row["text"], row["turn"]),
        lambda item: {"text": item.text, "turn": item.turn},
    ),
    "questions": _plain("question"),
    "examples_present": _plain("present"),
    "examples_absent": _plain("absent"),
}
_LIST_OF = {lines.word: name for name, lines in LISTS.items()}


def read(data: Any, before: Content) -> Content:
    """The content that a form holds. What the form did not show stays as it is in `before`.

    `data` is a QueryDict or anything like it. NUL characters go, line ends become \\n, and text longer than
    `LONGEST_TEXT` is cut; `cut_fields` says where.
    """
    found: dict[str, Any] = {name: data[name] for name in _TEXTS if name in data}
    if BOXES_SHOWN in data or "subareas" in data:
        found["subareas"] = list(dict.fromkeys(data.getlist("subareas")))
    for name, lines in LISTS.items():
        rows = list(_rows(data, lines))
        if rows:
            found[name] = [_stored(lines.read(row)) for row in rows]
    return Content.from_json({**before.to_json(), **found})


def write(content: Content) -> dict[str, list[str]]:
    """What a form with this content posts; `read` gives the content back."""
    posted: dict[str, list[str]] = {name: [getattr(content, name)] for name in _TEXTS}
    posted["subareas"], posted[BOXES_SHOWN] = list(content.subareas), ["1"]
    for name, lines in LISTS.items():
        for number, item in enumerate(getattr(content, name), start=1):
            for part, value in lines.write(item).items():
                posted[input_name(lines, number, part)] = [value]
    return posted


def input_name(lines: Lines, number: int, part: str) -> str:
    """The name and id of an input in a list, such as `source-2-link`."""
    return f"{lines.word}-{number}-{part}"


def cut_fields(data: Any) -> list[str]:
    """What a person calls the fields that hold more text than is kept, in the order of the form."""
    lists = {lines.word: name for name, lines in LISTS.items()}
    long = {name.split("-")[0] for name in data if any(len(text) > LONGEST_TEXT for text in data.getlist(name))}
    names = {lists.get(name, name) for name in long}
    return [words for name, words in FIELD_NAMES.items() if name in names]


def full_list(data: Any) -> str:
    """What a person calls a list that has more lines than are kept; '' when none has."""
    for name, lines in LISTS.items():
        if any(input_name(lines, MOST_ITEMS + 1, part) in data for part in lines.parts):
            return FIELD_NAMES[name]
    return ""


def with_line_action(content: Content, action: str) -> tuple[Content, str]:
    """The content after a button such as `add-source` or `remove-source-2`, and the id to go on at.

    Any other action changes nothing and goes nowhere ('').
    """
    match = _LINE_ACTION.fullmatch(action)
    name = _LIST_OF.get(match[2]) if match else None
    if match is None or name is None:
        return content, ""
    lines, items = LISTS[name], list(getattr(content, name))
    number = int(match[3] or 0)
    if match[1] == "add" and len(items) < MOST_ITEMS:
        items.append(lines.empty)
        number = len(items)
    elif match[1] == "remove" and 1 <= number <= len(items):
        del items[number - 1]
        number = min(number, len(items))
    place = input_name(lines, number, lines.parts[0]) if number else ""
    changed: dict[str, Any] = {name: tuple(items)}
    return replace(content, **changed), place


def _rows(data: Any, lines: Lines) -> Iterator[dict[str, str]]:
    """The posted lines in their order; a number that is missing in between is skipped."""
    for number in range(1, MOST_ITEMS + 1):
        names = {part: input_name(lines, number, part) for part in lines.parts}
        if any(name in data for name in names.values()):
            yield {part: data.get(name, "") for part, name in names.items()}


def _stored(item: Any) -> Any:
    return item if isinstance(item, str) else {part.name: getattr(item, part.name) for part in fields(item)}
