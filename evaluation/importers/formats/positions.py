"""The ways into YAML and JSON files: nodes that know their place, safely: no tags, no bombs, no broken text."""

from pathlib import Path

from evaluation.importers.formats.json_nodes import JsonReader
from evaluation.importers.formats.nodes import Lines, Node
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.yaml_nodes import YamlReader

__all__ = ["MAX_BYTES", "Node", "read_json", "read_text", "read_yaml", "read_yaml_documents"]

MAX_BYTES = 20_000_000

_ZIP = b"PK\x03\x04"


def read_text(file: Path, max_bytes: int = MAX_BYTES) -> str:
    """The UTF-8 text of a file of at most 20 MB without NUL characters; raises FileProblem."""
    try:
        if file.stat().st_size > max_bytes:
            raise FileProblem(file, f"is larger than {max_bytes // 1_000_000} MB; split it")
        raw = file.read_bytes()
    except OSError as error:
        raise FileProblem(file, f"cannot be opened: {error.strerror}") from None
    if raw.startswith(_ZIP):
        raise FileProblem(file, "is a zip archive; unpack it and take the file inside")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FileProblem(file, "is not UTF-8 text; save it as UTF-8", line) from None
    if "\x00" in text:
        line, column = Lines(text).place(text.index("\x00"))
        raise FileProblem(file, "contains a NUL character; remove it", line, column)
    return text


def read_yaml(file: Path) -> Node:
    """The one document of a YAML file; raises FileProblem with line and column."""
    return YamlReader(file, read_text(file)).read()


def read_yaml_documents(file: Path) -> list[Node]:
    """All documents of a YAML stream, with plain scalars as in `yaml_nodes.CoreResolver`; raises FileProblem."""
    return list(YamlReader(file, read_text(file)).documents())


def read_json(file: Path) -> Node:
    """The value of a JSON file; raises FileProblem with line and column."""
    return JsonReader(file, read_text(file)).read()
