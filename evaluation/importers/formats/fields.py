"""Typed access to the keys of a mapping in a file; every complaint is one line with its place."""

from collections.abc import Collection
from pathlib import Path
from typing import NoReturn

from evaluation.importers.formats.positions import Node
from evaluation.importers.formats.problems import FileProblem


class Fields:
    """The keys of one mapping. `what` names it in messages ('metric m01'); every getter raises FileProblem."""

    def __init__(self, file: Path, node: Node, what: str) -> None:
        self.file = file
        self.node = node
        self.what = what
        if not isinstance(node.value, dict):
            self.refuse(f"{what} must be a mapping of keys to values", node)
        self.entries: dict[str, Node] = node.value

    def refuse(self, message: str, node: Node | None = None) -> NoReturn:
        place = node or self.node
        raise FileProblem(self.file, message, place.line, place.column)

    def refuse_unknown(self, known: Collection[str]) -> None:
        for key in self.entries:
            if key not in known:
                raise FileProblem(self.file, f"unknown key {key!r} in {self.what}", *self.node.keys[key])

    def has(self, key: str) -> bool:
        """Whether the key is there with a value; `key:` and `key: null` count as missing."""
        return key in self.entries and self.entries[key].value is not None

    def optional_text(self, *keys: str) -> str | None:
        """The text under the first of these keys that has one, without blanks around it; None for none."""
        for key in keys:
            if self.has(key):
                return self.text_of(self.entries[key], key) or None
        return None

    def text(self, *keys: str) -> str:
        """Like `optional_text`, but it must be there and say something."""
        found = self.optional_text(*keys)
        if found is None:
            present = next((self.entries[key] for key in keys if key in self.entries), None)
            self.refuse(f"{self.what} has no {keys[0]}", present)
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; one text alone counts as a list of one; empty ones are dropped."""
        if not self.has(key):
            return ()
        node = self.entries[key]
        if not isinstance(node.value, list | dict):
            return tuple(filter(None, (self.text_of(node, key),)))
        return tuple(filter(None, (self.text_of(item, f"each entry of {key}") for item in self.items(key))))

    def items(self, key: str) -> list[Node]:
        """The entries of a list; none when the key is missing."""
        if not self.has(key):
            return []
        node = self.entries[key]
        if not isinstance(node.value, list):
            self.refuse(f"{key} must be a list in {self.what}", node)
        return node.value

    def within(self, key: str, low: int, high: int) -> int | None:
        """A whole number from `low` to `high`, or None when the key is missing."""
        if not self.has(key):
            return None
        node = self.entries[key]
        if not isinstance(node.value, int) or isinstance(node.value, bool):
            self.refuse(f"{key} must be a whole number in {self.what}", node)
        if not low <= node.value <= high:
            self.refuse(f"{key} must be from {low} to {high} in {self.what}, not {node.value}", node)
        return node.value

    def nested(self, key: str, what: str) -> "Fields | None":
        return Fields(self.file, self.entries[key], what) if self.has(key) else None

    def text_of(self, node: Node, key: str) -> str:
        """The text of a value that stands under `key`, without blanks around it; raises FileProblem."""
        # A YAML `name: No` or `id: 01` means what is written, so the written text is taken.
        found = node.value if isinstance(node.value, str) else node.text
        if not isinstance(found, str) or node.value is None:
            self.refuse(f"{key} must be text in {self.what}", node)
        return found.strip()
