"""YAML and JSON read into nodes that know their line and column, safely: no tags, no bombs, no broken text."""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]
from pathlib import Path
from typing import NoReturn

import yaml

from evaluation.importers.formats.problems import FileProblem

MAX_BYTES = 20_000_000
# Counted with every alias written out, so that a few nested aliases cannot stand for billions of values.
MAX_NODES = 1_000_000
MAX_DEPTH = 40

_UNUSABLE = re.compile("[\x00\ud800-\udfff]")
_CORE = "tag:yaml.org,2002:"
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_BLANK = re.compile(r"[ \t\n\r]*")


@dataclass
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


def read_text(file: Path, max_bytes: int = MAX_BYTES) -> str:
    """The UTF-8 text of a file of at most 20 MB without NUL characters; raises FileProblem."""
    try:
        if file.stat().st_size > max_bytes:
            raise FileProblem(file, f"is larger than {max_bytes // 1_000_000} MB; split it")
        raw = file.read_bytes()
    except OSError as error:
        raise FileProblem(file, f"cannot be opened: {error.strerror}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FileProblem(file, "is not UTF-8 text; save it as UTF-8", line) from None
    if "\x00" in text:
        line, column = _Lines(text).place(text.index("\x00"))
        raise FileProblem(file, "contains a NUL character; remove it", line, column)
    return text


def read_yaml(file: Path) -> Node:
    """The one document of a YAML file; raises FileProblem with line and column."""
    return _YamlReader(file, read_text(file)).read()


def read_json(file: Path) -> Node:
    """The value of a JSON file; raises FileProblem with line and column."""
    return _JsonReader(file, read_text(file)).read()


class _Lines:
    """Turns offsets into lines and columns."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


class _Reader:
    """What both readers share: limits and the refusal of broken text."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.source = text
        self.n_nodes = 0

    def refuse(self, message: str, place: tuple[int, int]) -> NoReturn:
        raise FileProblem(self.file, message, *place)

    def add(self, size: int, place: tuple[int, int]) -> None:
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


class _YamlReader(_Reader):
    """Builds nodes from the parser's events, so that nothing is constructed that we did not ask for."""

    def read(self) -> Node:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self.anchors: dict[str, Node | None] = {}
        self.resolver = yaml.resolver.Resolver()
        self.events = iter(yaml.parse(self.source, Loader=loader))
        try:
            return self._document()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            self.refuse(f"is not valid YAML: {error.problem or error.context}", place)
        except yaml.reader.ReaderError as error:
            place = _Lines(self.source).place(error.position)
            self.refuse(f"is not valid YAML: {error.reason}", place)

    def _document(self) -> Node:
        next(self.events)  # stream start
        event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            return Node(None, 1, 1)
        root = self._node(next(self.events), 1)
        next(self.events)  # document end
        event = next(self.events)
        if not isinstance(event, yaml.StreamEndEvent):
            self.refuse("holds a second document (after '---'); keep one to a file", _place(event))
        return root

    def _node(self, event: yaml.Event, depth: int) -> Node:
        place = _place(event)
        self.check_depth(depth, place)
        if isinstance(event, yaml.AliasEvent):
            return self._aliased(event, place)
        assert isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent)
        if event.tag is not None and (event.tag != "!" and not self._is_core(event.tag)):
            self.refuse(f"the tag {event.tag!r} is not allowed; write plain values", place)
        self.add(1, place)
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event, place)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self._sequence(place, depth)
        else:
            node = self._mapping(place, depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    @staticmethod
    def _is_core(tag: str) -> bool:
        return tag.removeprefix(_CORE) in ("str", "int", "float", "bool", "null", "seq", "map")

    def _aliased(self, event: yaml.AliasEvent, place: tuple[int, int]) -> Node:
        if event.anchor not in self.anchors:
            self.refuse(f"the alias *{event.anchor} has no anchor before it", place)
        node = self.anchors[event.anchor]
        if node is None:
            self.refuse(f"the alias *{event.anchor} stands inside what it refers to", place)
        self.add(node.size, place)
        return node

    def _scalar(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> Node:
        text = self.check_text(event.value, place)
        tag = event.tag
        if tag is None or tag == "!":
            plain = event.implicit[0]
            tag = self.resolver.resolve(yaml.ScalarNode, text, (plain, not plain))
        return Node(_scalar_value(tag.removeprefix(_CORE), text), *place, text=text)

    def _sequence(self, place: tuple[int, int], depth: int) -> Node:
        items: list[Node] = []
        node = Node(items, *place)
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._node(event, depth + 1))
            node.size += items[-1].size
        return node

    def _mapping(self, place: tuple[int, int], depth: int) -> Node:
        node = Node({}, *place)
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                self.refuse("a key must be plain text", _place(event))
            key = self.check_text(event.value, _place(event))
            self.add_entry(node, key, self._node(next(self.events), depth + 1), _place(event))
        return node


def _place(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _scalar_value(kind: str, text: str) -> object:
    """The value of a scalar. Only what our formats use is converted; dates and the like stay text."""
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() in ("yes", "true", "on")
    try:
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
    except ValueError:
        return text
    return text


class _JsonReader(_Reader):
    """A JSON decoder that remembers places; strings are read by the standard library's own scanner."""

    def read(self) -> Node:
        self.lines = _Lines(self.source)
        try:
            node, end = self._node(self._skip(0), 1)
            if self._skip(end) != len(self.source):
                raise json.JSONDecodeError("something follows the end of the value", self.source, end)
        except json.JSONDecodeError as error:
            self.refuse(f"is not valid JSON: {error.msg}", (error.lineno, error.colno))
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
        for word, value in (("true", True), ("false", False), ("null", None)):
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
