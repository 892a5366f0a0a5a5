"""Reads JSON into nodes; strings are read by the standard library's own scanner."""

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from pathlib import Path

from evaluation.importers.formats.nodes import Lines, Node, Reader

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_BLANK = re.compile(r"[ \t\n\r]*")


class JsonReader(Reader):
    """A JSON decoder that remembers places; strings are read by the standard library's own scanner."""

    words: tuple[tuple[str, bool | None], ...] = (("true", True), ("false", False), ("null", None))

    def __init__(self, file: Path, text: str, first_line: int = 1) -> None:
        super().__init__(file, text)
        self.lines = Lines(text, first_line)

    def read(self) -> Node:
        try:
            node, end = self._node(self._skip(0), 1)
            if self._skip(end) != len(self.source):
                raise json.JSONDecodeError("something follows the end of the value", self.source, end)
        except json.JSONDecodeError as error:
            self.refuse(f"is not valid JSON: {error.msg}", self.lines.place(error.pos))
        return node

    def _skip(self, at: int) -> int:
        match = _BLANK.match(self.source, at)
        return match.end() if match else at

    def _node(self, at: int, depth: int) -> tuple[Node, int]:
        place = self.lines.place(at)
        self.check_depth(depth, place)
        self.add(1, place)
        start = self.source[at : at + 1]
        if start == "{":
            return self._object(at + 1, place, depth)
        if start == "[":
            return self._array(at + 1, place, depth)
        if start == '"':
            text, end = scanstring(self.source, at + 1, True)
            return Node(self.check_text(text, place), *place), end
        for word, value in self.words:
            if self.source.startswith(word, at):
                return Node(value, *place), at + len(word)
        return self._number(at, place)

    def _number(self, at: int, place: tuple[int, int]) -> tuple[Node, int]:
        match = _NUMBER.match(self.source, at)
        if match is None or len(match[0]) > 300:
            raise json.JSONDecodeError("a value is missing here", self.source, at)
        is_whole = match[1] is None and match[2] is None
        return Node(int(match[0]) if is_whole else float(match[0]), *place), match.end()

    def _array(self, at: int, place: tuple[int, int], depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        node = Node(items, *place)
        at = self._skip(at)
        if self.source[at : at + 1] == "]":
            return node, at + 1
        while True:
            item, at = self._node(self._skip(at), depth + 1)
            items.append(item)
            node.size += item.size
            at, is_end = self._separator(at, "]")
            if is_end:
                return node, at

    def _object(self, at: int, place: tuple[int, int], depth: int) -> tuple[Node, int]:
        node = Node({}, *place)
        at = self._skip(at)
        if self.source[at : at + 1] == "}":
            return node, at + 1
        while True:
            at = self._skip(at)
            if self.source[at : at + 1] != '"':
                raise json.JSONDecodeError("a key in double quotes is missing here", self.source, at)
            key_place = self.lines.place(at)
            key, at = scanstring(self.source, at + 1, True)
            at = self._skip(at)
            if self.source[at : at + 1] != ":":
                raise json.JSONDecodeError("a colon is missing here", self.source, at)
            value, at = self._node(self._skip(at + 1), depth + 1)
            self.add_entry(node, self.check_text(key, key_place), value, key_place)
            at, is_end = self._separator(at, "}")
            if is_end:
                return node, at

    def _separator(self, at: int, closing: str) -> tuple[int, bool]:
        at = self._skip(at)
        found = self.source[at : at + 1]
        if found not in (",", closing) or not found:
            raise json.JSONDecodeError(f"a comma or {closing!r} is missing here", self.source, at)
        return at + 1, found == closing
