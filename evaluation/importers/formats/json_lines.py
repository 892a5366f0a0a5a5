"""Reads JSON Lines: one value a line, lines parted by a line feed and by nothing else."""

from pathlib import Path

from evaluation.importers.formats.deadline import Deadline
from evaluation.importers.formats.json_nodes import JsonReader
from evaluation.importers.formats.nodes import MAX_NODES, Node
from evaluation.importers.formats.positions import read_text
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.tables import MAX_ROWS


class _LineReader(JsonReader):
    """Python's own writer puts NaN where a table had an empty cell, as published files show: it says nothing."""

    words = (*JsonReader.words, ("NaN", None))


def read_json_lines(file: Path) -> list[Node]:
    """The values of a file of at most 100,000 lines, each with its place in the file; empty lines are left out.

    One value that is written over several lines is a list of one, a list in its place is its entries. Raises
    FileProblem with line and column.
    """
    text = read_text(file)
    if not is_in_lines(text):
        value = _LineReader(file, text).read()
        nodes = value.value if isinstance(value.value, list) else [value]
        _check_length(file, nodes)
        return nodes
    deadline, size, nodes = Deadline(file), 0, []
    # str.splitlines would also break at U+2028 and at U+0085, which may stand in JSON strings as they are.
    for number, line in enumerate(text.split("\n"), start=1):
        deadline.check(number)
        if not line.strip(" \t\r"):
            continue
        nodes.append(_LineReader(file, line, number).read())
        size += nodes[-1].size
        _check_length(file, nodes)
        if size > MAX_NODES:
            raise FileProblem(file, f"holds more than {MAX_NODES:,} values; split the file", number)
    return nodes


def is_in_lines(text: str) -> bool:
    """Whether the first line holds a whole object, so that every line is one."""
    first = next((line for line in text.split("\n", 50) if line.strip()), "").strip()
    return len(first) > 1 and first.startswith("{") and first.endswith("}")


def _check_length(file: Path, nodes: list[Node]) -> None:
    if len(nodes) > MAX_ROWS:
        raise FileProblem(file, f"holds more than {MAX_ROWS:,} lines; split the file", nodes[MAX_ROWS].line)
