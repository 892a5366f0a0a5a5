"""The four ways in which a Weval blueprint is laid out, read into one header and its prompts."""

from dataclasses import dataclass
from pathlib import Path

from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.positions import Node, read_json, read_text, read_yaml_documents
from evaluation.importers.formats.problems import FileProblem

PROMPT_KEYS = {"prompt", "promptText", "messages"}
WANTED_KEYS = ("should", "points", "expect", "expects", "expectations")
UNWANTED_KEY = "should_not"
POINT_KEYS = {*WANTED_KEYS, UNWANTED_KEY}
# Any of these in the first document makes it a prompt, not a header.
_OF_A_PROMPT = {*PROMPT_KEYS, *POINT_KEYS, "ideal", "idealResponse"}
HEADER_SIGNS = {"models", "point_defs", "defs", "toolUse", "evaluationConfig", "systemPrompt", "temperatures"}


@dataclass(frozen=True)
class Blueprint:
    """`header` is None for a file that has prompts only."""

    header: Fields | None
    prompts: tuple[Node, ...]


def read_blueprint(file: Path) -> Blueprint:
    """The header and the prompts of a blueprint, however laid out; raises FileProblem.

    A header document and then prompts, one or a list to a document; the same without a header; one list of prompts;
    one document with `prompts`. Documents without a value are dropped.
    """
    documents = [node for node in _documents(file) if node.value is not None]
    header = None
    prompts: list[Node] = []
    if documents and isinstance(documents[0].value, dict) and not documents[0].value.keys() & _OF_A_PROMPT:
        header = Fields(file, documents.pop(0), "the header")
        prompts += [node for node in header.items("prompts") if node.value is not None]
    for node in documents:
        prompts += _flat(node)
    for prompt in prompts:
        if not isinstance(prompt.value, dict):
            raise FileProblem(file, "a prompt must be a mapping of keys to values", prompt.line, prompt.column)
    return Blueprint(header, tuple(prompts))


def _documents(file: Path) -> list[Node]:
    is_yaml = file.suffix.lower() in (".yml", ".yaml")
    if not is_yaml and read_text(file).lstrip()[:1] in ("{", "["):
        return [read_json(file)]
    return read_yaml_documents(file)


def _flat(node: Node) -> list[Node]:
    """Lists of prompts within lists as one list; nothing is dropped but empty values."""
    if not isinstance(node.value, list):
        return [] if node.value is None else [node]
    return [prompt for item in node.value for prompt in _flat(item)]
