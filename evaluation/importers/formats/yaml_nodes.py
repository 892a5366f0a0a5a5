"""Reads YAML into nodes from the parser's events, so that nothing is constructed that we did not ask for."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from evaluation.importers.formats.nodes import Lines, Node, Reader

MAX_ALIASES = 50

_CORE = "tag:yaml.org,2002:"


class CoreResolver(yaml.resolver.BaseResolver):
    """YAML 1.2's core schema, less what people mean as text: yes, no, on, off, 012, 0o7, 12:30 and dates are text."""


for _kind, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
):
    CoreResolver.add_implicit_resolver(f"{_CORE}{_kind}", re.compile(rf"^(?:{_pattern})$"), _first)


class YamlReader(Reader):
    """The documents of a YAML text. Use `read` or `documents`, once."""

    def __init__(self, file: Path, text: str) -> None:
        super().__init__(file, text)
        self.resolver: yaml.resolver.BaseResolver = yaml.resolver.Resolver()
        self.anchors: dict[str, Node | None] = {}
        self.n_aliases = 0
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self.events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=loader))

    def read(self) -> Node:
        """The one document of the file, its plain scalars as in YAML 1.1."""
        with self._refusing():
            next(self.events)  # stream start
            event = next(self.events)
            if isinstance(event, yaml.StreamEndEvent):
                return Node(None, 1, 1)
            root = self._document()
            event = next(self.events)
            if not isinstance(event, yaml.StreamEndEvent):
                self.refuse("holds a second document (after '---'); keep one to a file", _place(event))
            return root

    def documents(self) -> Iterator[Node]:
        """One document after the other, their plain scalars as in `CoreResolver`."""
        self.resolver = CoreResolver()
        with self._refusing():
            next(self.events)  # stream start
            while not isinstance(next(self.events), yaml.StreamEndEvent):
                self.anchors = {}  # an anchor counts within its document
                yield self._document()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Says the parser's errors our way."""
        try:
            yield
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            self.refuse(f"is not valid YAML: {error.problem or error.context}", place)
        except yaml.reader.ReaderError as error:
            place = Lines(self.source).place(error.position)
            self.refuse(f"is not valid YAML: {error.reason}", place)

    def _document(self) -> Node:
        root = self._node(next(self.events), 1)
        next(self.events)  # document end
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
        self.n_aliases += 1
        if self.n_aliases > MAX_ALIASES:
            self.refuse(f"uses more than {MAX_ALIASES} aliases (*{event.anchor}); write the values out", place)
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
