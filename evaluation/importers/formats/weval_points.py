"""The points of a Weval prompt: which are criteria, which are alternatives, and which are left out and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.positions import Node
from evaluation.importers.formats.types import Remark
from evaluation.importers.formats.weval_functions import (
    REF,
    called_in,
    function_name,
    is_pair,
    names_call,
    reason_to_skip,
)
from evaluation.importers.formats.weval_references import read_citations

WEIGHT_KEYS = ("weight", "multiplier", "importance")
_WEIGHTS = (0.1, 10)
_TEXT_KEYS = ("text", "point")


@dataclass(frozen=True)
class Criterion:
    """One point that a judge can read. `text` is the source's, unchanged; `line` is where it stands."""

    text: str
    line: int
    citations: tuple[str, ...] = ()
    weight: float | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Alternatives:
    """Ways to meet one demand, of which the best counts; each way is one or more criteria that belong together."""

    ways: tuple[tuple[Criterion, ...], ...]
    line: int
    flags: tuple[str, ...] = ()


Point = Criterion | Alternatives | Remark


class Points:
    """Reads the points of one prompt. `definitions` are the header's, for `$ref`; `what` names the prompt."""

    def __init__(self, file: Path, definitions: Mapping[str, Node], what: str) -> None:
        self.file = file
        self.definitions = definitions
        self.what = what

    def read(self, nodes: list[Node]) -> Iterator[Point]:
        """The points in order: criteria, alternatives, and remarks on what is left out; raises FileProblem.

        Lists that follow one another are ways to meet one demand; a demand with one way only is its plain criteria.
        """
        block: list[Node] = []
        for node in (node for node in nodes if node.value is not None and node.value != []):
            if self._is_way(node):
                block.append(node)
                continue
            yield from self._alternatives(block)
            block = []
            if isinstance(node.value, list) and not self._is_call(node):
                yield from self._alternatives(node.value)  # a list of lists is a demand of its own
            else:
                yield from self._point(node)
        yield from self._alternatives(block)

    def _is_way(self, node: Node) -> bool:
        items = node.value
        if not isinstance(items, list) or self._is_call(node):
            return False
        return not all(isinstance(item.value, list) and not self._is_call(item) for item in items)

    @staticmethod
    def _is_call(node: Node) -> bool:
        return isinstance(node.value, list) and is_pair([item.value for item in node.value])

    def _alternatives(self, block: list[Node]) -> Iterator[Point]:
        ways: list[tuple[Criterion, ...]] = []
        n_functions = 0
        left: list[Remark] = []
        for node in block:
            found = [point for item in node.value or () for point in self._point(item)]  # type: ignore[attr-defined]
            left += [point for point in found if isinstance(point, Remark)]
            criteria = tuple(point for point in found if isinstance(point, Criterion))
            if criteria:
                ways.append(criteria)
            n_functions += bool(found) and not criteria
        if len(ways) == 1 and not n_functions:
            yield from ways[0]
        elif ways:
            yield Alternatives(tuple(ways), block[0].line, _left_flags(n_functions, len(left)))
        yield from left

    def _point(self, node: Node, is_definition: bool = False) -> Iterator[Criterion | Remark]:
        """One point that is no alternative: one criterion, or a remark why it is none; nothing for an empty value."""
        value = node.value
        if isinstance(value, str):
            yield self._text(node, value)
        elif isinstance(value, dict):
            yield self._object(Fields(self.file, node, f"a point of {self.what}"), is_definition)
        elif self._is_call(node):
            assert isinstance(value, list)
            yield self._call(node, str(value[0].value), value[1])
        elif isinstance(value, list) and value:
            yield self._left(node, "alternatives within alternatives are more than Weval reads")
        elif value is not None and not isinstance(value, list):
            yield self._left(node, f"a point must be text; this is the value {node.text or value}")

    def _text(self, node: Node, text: str) -> Criterion | Remark:
        name = called_in(text)
        if name is not None:
            return self._left(node, f"written as text, but Weval takes it for {reason_to_skip(name)}")
        if not text.strip():
            return self._left(node, "an empty text")
        flags = ("begins with $: Weval would take it for a function",) if text.lstrip().startswith("$") else ()
        return Criterion(text, node.line, flags=flags)

    def _object(self, fields: Fields, is_definition: bool) -> Criterion | Remark:
        weight = read_weight(fields)
        called = next((key for key in fields.entries if names_call(key)), None)
        if called is not None:
            return self._call(fields.node, called, fields.entries[called], is_definition)
        text_key = next((key for key in _TEXT_KEYS if fields.has(key)), None)
        if text_key and fields.has("fn"):
            fields.refuse(f"a point has both {text_key} and fn in {self.what}: keep one", fields.entries["fn"])
        if fields.has("fn"):
            argument = next((fields.entries[key] for key in ("arg", "fnArgs") if key in fields.entries), None)
            return self._call(fields.node, fields.text("fn"), argument, is_definition)
        if text_key:
            node = fields.entries[text_key]
            if not isinstance(node.value, str):
                fields.refuse(f"{text_key} must be text in {fields.what}", node)
            found = self._text(replace(node, line=fields.node.line), node.value)
            if isinstance(found, Remark):
                return found
            return replace(found, weight=weight, citations=read_citations(fields, "citation"))
        return self._criterion_as_key(fields)

    def _criterion_as_key(self, fields: Fields) -> Criterion | Remark:
        """`{criterion: citation}`; a key of one or two words is more often a colon that was not quoted."""
        if len(fields.entries) != 1:
            return self._left(fields.node, f"a mapping without text, point, fn or $function: {_keys(fields)}")
        ((text, cited),) = fields.entries.items()
        if not isinstance(cited.value, str):
            return self._left(fields.node, f"a mapping whose value is no citation: {_keys(fields)}")
        found = self._text(replace(fields.node, value=text), text)
        if isinstance(found, Remark):
            return found
        is_short = len(text.split()) < 3
        flags = ("its citation may be the rest of the criterion: the colon may lack quotes",) if is_short else ()
        return replace(found, citations=tuple(filter(None, [cited.value.strip()])), flags=(*found.flags, *flags))

    def _call(self, node: Node, written: str, argument: Node | None, is_definition: bool = False) -> Criterion | Remark:
        name = function_name(written)
        if name != REF or is_definition:
            return self._left(node, reason_to_skip(name))
        return self._referred(node, argument)

    def _referred(self, node: Node, argument: Node | None) -> Criterion | Remark:
        """The point of the header that `$ref` names; its weight and citation stand at the reference or there."""
        value = argument.value if argument else None
        if isinstance(value, dict) and "name" in value:
            value = value["name"].value
        definition = self.definitions.get(value) if isinstance(value, str) else None
        if definition is None:
            return self._left(node, f"refers to the point {value!r}, which the header does not define")
        if isinstance(definition.value, str):
            return self._left(node, f"refers to {value!r}, {reason_to_skip('js')}")
        found = next(self._point(definition, is_definition=True), None)
        if not isinstance(found, Criterion):
            reason = found.text if found else "which is empty"
            return self._left(node, f"refers to {value!r}, {reason}")
        return self._with_own(node, found)

    def _with_own(self, node: Node, found: Criterion) -> Criterion:
        if not isinstance(node.value, dict):
            return found
        fields = Fields(self.file, node, f"a point of {self.what}")
        weight, citations = read_weight(fields), read_citations(fields, "citation")
        return replace(
            found,
            weight=found.weight if weight is None else weight,
            citations=citations or found.citations,
        )

    def _left(self, node: Node, reason: str) -> Remark:
        return Remark(f"line {node.line}, {self.what}", reason)


def read_weight(fields: Fields) -> float | None:
    """The weight of a point or prompt, None without one; raises FileProblem outside 0.1 to 10, as Weval does."""
    key = next((key for key in WEIGHT_KEYS if fields.has(key)), None)
    if key is None:
        return None
    node = fields.entries[key]
    value, (low, high) = node.value, _WEIGHTS
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        written = node.text if node.text is not None else value
        fields.refuse(f"{key} must be a number from {low} to {high} in {fields.what}, not {written!r}", node)
    return float(value)


def _left_flags(n_ways: int, n_points: int) -> tuple[str, ...]:
    if n_ways:
        return (f"{n_ways} more of its ways can only be checked by function and are left out: it may ask for more",)
    return ("parts of its ways are checked by function and are left out",) if n_points else ()


def _keys(fields: Fields) -> str:
    return ", ".join(repr(key[:60]) for key in fields.entries)
