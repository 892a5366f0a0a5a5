"""Nodes: the values of a YAML or JSON file with their line and column, and the limits that both readers share."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from evaluation.importers.formats.deadline import Deadline
from evaluation.importers.formats.problems import FileProblem

# Counted with every alias written out, so that a few nested aliases cannot stand for billions of values.
MAX_NODES = 1_000_000
MAX_DEPTH = 40

_UNUSABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(slots=True)
class Node:
    """One value of a file: None, bool, int, float, str, a list of nodes or a dict of nodes.

    `text` is a YAML scalar as written (`No`, `01`), None in JSON. `keys` are the places of a dict's keys.
    """

    value: object
    line: int
    column: int
    text: str | None = None
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    size: int = 1


class Lines:
    """Turns offsets into lines and columns; the text begins at `first_line` of its file."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.first_line = first_line

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line + self.first_line - 1, offset - self.starts[line - 1] + 1


class Reader:
    """What both readers share: limits and the refusal of broken text."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.source = text
        self.n_nodes = 0
        self.deadline = Deadline(file)

    def refuse(self, message: str, place: tuple[int, int]) -> NoReturn:
        raise FileProblem(self.file, message, *place)

    def add(self, size: int, place: tuple[int, int]) -> None:
        self.deadline.check(*place)
        self.n_nodes += size
        if self.n_nodes > MAX_NODES:
            self.refuse(f"holds more than {MAX_NODES:,} values (aliases written out); split the file", place)

    def check_depth(self, depth: int, place: tuple[int, int]) -> None:
        if depth > MAX_DEPTH:
            self.refuse(f"is nested more than {MAX_DEPTH} levels deep", place)

    def check_text(self, text: str, place: tuple[int, int]) -> str:
        if _UNUSABLE.search(text):
            self.refuse("a text contains a NUL character or half a character (a lone surrogate)", place)
        return text

    def add_entry(self, node: Node, key: str, value: Node, place: tuple[int, int]) -> None:
        entries = node.value
        assert isinstance(entries, dict)
        if key in entries:
            self.refuse(f"the key {key!r} stands here twice", place)
        entries[key] = value
        node.keys[key] = place
        node.size += value.size
