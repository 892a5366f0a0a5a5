"""The header of a Weval blueprint: what it is called, whose it is, and what holds for all its prompts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.importers.formats.draft_flags import NO_LICENCE
from evaluation.importers.formats.draft_keys import name_of_words
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.positions import Node
from evaluation.importers.formats.slugs import slugify
from evaluation.importers.formats.types import Remark, Source
from evaluation.importers.formats.weval_references import read_sources

# What a benchmark's name and slug hold.
MAX_NAME = 300
MAX_SLUG = 150
_REFERENCES = ("reference", "references", "citation", "citations")
_SYSTEM = ("system", "systems", "systemPrompt")
_DEFINITIONS = ("point_defs", "defs")
_TAKEN = {
    "id", "configId", "title", "configTitle", "description", "author", "tags", "prompts",
    *_REFERENCES, *_SYSTEM, *_DEFINITIONS,
}  # fmt: skip
_DESCRIBING_TAGS = ("_compass", "personality", "inventory", "descriptive")


@dataclass(frozen=True)
class Header:
    """What a header says; all of it may be missing. `definitions` are points that `$ref` names."""

    name: str
    stated_id: str | None = None
    description: str = ""
    sources: tuple[Source, ...] = ()
    contributors: tuple[str, ...] = ()
    system_prompt: str | None = None
    n_system_prompts: int = 0
    definitions: Mapping[str, Node] = field(default_factory=dict)
    flags: tuple[Remark, ...] = ()


def read(file: Path, fields: Fields | None) -> Header:
    """Read the header; without one the name is made from the file's. Raises FileProblem."""
    no_licence = Remark("file", f"{NO_LICENCE}: say which one it has before its words are shown to others")
    if fields is None:
        flag = Remark("file", "has no header: its name is made from the file's name, its description is to be written")
        return Header(file.stem, flags=(no_licence, flag))
    name = fields.optional_text("title", "configTitle")
    stated_id = fields.optional_text("id", "configId")
    systems = _systems(fields)
    texts = [text for _node, text in systems if text]
    return Header(
        name=name_of_words(name or stated_id or file.stem, MAX_NAME),
        stated_id=stated_id,
        description=fields.optional_text("description") or "",
        sources=read_sources(fields, *_REFERENCES),
        contributors=_contributors(fields),
        system_prompt=texts[0] if len(systems) == 1 and texts else None,
        n_system_prompts=len(systems),
        definitions=_definitions(fields),
        flags=(
            no_licence,
            *([] if name else [Remark("header", "has no title: the name is made from what there is")]),
            *_system_flags(systems),
            *_tag_flags(fields),
            *_left_flags(fields),
        ),
    )


def slug(file: Path, header: Header) -> str:
    """From the file's name, as Weval does it; where that makes none, from the title or the id."""
    found = next(filter(None, map(slugify, (file.stem, header.name, header.stated_id or ""))), "weval-blueprint")
    return found[:MAX_SLUG].rstrip("-")


def _systems(fields: Fields) -> list[tuple[Node, str | None]]:
    """The system prompts: each entry of a list is one way to run the whole blueprint, null is one without."""
    key = next((key for key in _SYSTEM if fields.has(key)), None)
    if key is None:
        return []
    node = fields.entries[key]
    nodes = node.value if isinstance(node.value, list) else [node]
    return [(item, None if item.value is None else fields.text_of(item, key) or None) for item in nodes]


def _system_flags(systems: list[tuple[Node, str | None]]) -> list[Remark]:
    """Where there are several, each one's text, so that a person can choose without the file."""
    if len(systems) < 2:
        return []
    n = len(systems)
    return [
        Remark(
            f"line {node.line}",
            f"system prompt {number} of {n}, of which none was chosen: {text or 'none (the model as it is)'}",
        )
        for number, (node, text) in enumerate(systems, start=1)
    ]


def _contributors(fields: Fields) -> tuple[str, ...]:
    if not fields.has("author"):
        return ()
    node = fields.entries["author"]
    nodes = node.value if isinstance(node.value, list) else [node]
    names = [
        Fields(fields.file, item, "the author").optional_text("name", "url")
        if isinstance(item.value, dict)
        else fields.text_of(item, "author")
        for item in nodes
        if item.value is not None
    ]
    return tuple(filter(None, names))


def _definitions(fields: Fields) -> Mapping[str, Node]:
    key = next((key for key in _DEFINITIONS if fields.has(key)), None)
    found = fields.nested(key, f"{key} of the header") if key else None
    return found.entries if found else {}


def _tag_flags(fields: Fields) -> list[Remark]:
    tags = fields.texts("tags")
    flags = [Remark("header", f"tags of the source: {', '.join(tags)}")] if tags else []
    if any(tag.lower().startswith(_DESCRIBING_TAGS) for tag in tags):
        flags.append(Remark("header", "its tags say that it describes models: not every point need be wanted"))
    return flags


def _left_flags(fields: Fields) -> list[Remark]:
    left = [key for key in fields.entries if key not in _TAKEN]
    if not left:
        return []
    return [Remark("header", f"not taken over, and nothing of it was run or fetched: {', '.join(left)}")]
