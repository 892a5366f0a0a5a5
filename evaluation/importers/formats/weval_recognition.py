"""Recognises Weval blueprints by how they are built, from their beginning, also where the YAML is broken."""

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from evaluation.importers.formats.weval_structure import HEADER_SIGNS, POINT_KEYS, PROMPT_KEYS

# Enough for any header and the first prompts; the cut may break the YAML there, which is no matter here.
_MAX_BYTES = 300_000
_MAX_EVENTS = 20_000
_SUFFIXES = (".yml", ".yaml", ".json")
_IDEALS = {"ideal", "idealResponse"}
_FOREIGN = {"metrics", "rubrics"}
_TITLES = {"title", "configTitle", "description"}


def candidates(folder: Path) -> Iterator[Path]:
    """The files below a folder that could be blueprints by their names, sorted."""
    return iter(sorted(file for file in folder.rglob("*") if file.suffix.lower() in _SUFFIXES and file.is_file()))


def is_blueprint(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            text = opened.read(_MAX_BYTES).decode("utf-8-sig", errors="replace")
    except OSError:
        return False
    if "\x00" in text or "\ufffd" * 8 in text:
        return False
    signs = _Signs()
    try:
        for sign in _keys(text):
            signs.add(*sign)
            if signs.is_decided:
                break
    except yaml.YAMLError:
        return signs.is_blueprint or _looks_like_one(text)
    return signs.is_blueprint


class _Signs:
    """What the keys of a file say about it, gathered until it is clear."""

    def __init__(self) -> None:
        self.is_foreign = False
        self.header: set[str] = set()
        self.prompt: set[str] = set()
        self.has_later_prompt = False

    def add(self, document: int, way: tuple[str, ...], key: str) -> None:
        """`way` leads to the mapping with that key: () for the document itself, '-' for a list, else a key."""
        if document == 0 and way == ():
            self.is_foreign = self.is_foreign or key in _FOREIGN
            self.header.add(key)
        if way == () or way == ("-",) or (way[:2] == ("prompts", "-") and len(way) == 2):
            self.prompt.add(key)
            if key in PROMPT_KEYS and (document > 0 or way[:1] == ("prompts",)):
                self.has_later_prompt = True

    @property
    def is_blueprint(self) -> bool:
        if self.is_foreign:
            return False
        if self.has_later_prompt and (self.header & (_TITLES | HEADER_SIGNS) or self.prompt & POINT_KEYS):
            return True
        if self.prompt & PROMPT_KEYS and self.prompt & (POINT_KEYS | _IDEALS):
            return True
        return bool(self.header & _TITLES and self.header & HEADER_SIGNS)

    @property
    def is_decided(self) -> bool:
        return self.is_foreign or (self.has_later_prompt and self.is_blueprint)


def _keys(text: str) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """(document, way, key) of the keys near the top of each document, in order, lazily; raises yaml.YAMLError."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    document, way = -1, _Way()
    for n, event in enumerate(yaml.parse(text, Loader=loader)):
        if n > _MAX_EVENTS:
            return
        if isinstance(event, yaml.DocumentStartEvent):
            document, way = document + 1, _Way()
        key = way.follow(event)
        if key is not None and len(way.steps) <= 3:
            yield document, way.to_mapping(), key


class _Way:
    """Where in a document the parser is: one step for each open list ('-') or mapping (its current key)."""

    def __init__(self) -> None:
        self.steps: list[str | None] = []

    def follow(self, event: yaml.Event) -> str | None:
        """The key that this event is, or None when it is none."""
        if isinstance(event, yaml.SequenceStartEvent):
            self.steps.append("-")
        elif isinstance(event, yaml.MappingStartEvent):
            self.steps.append(None)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.steps.pop()
            self._end_value()
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            if self.steps and self.steps[-1] is None:
                self.steps[-1] = event.value if isinstance(event, yaml.ScalarEvent) else "*"
                return self.steps[-1]
            self._end_value()
        return None

    def to_mapping(self) -> tuple[str, ...]:
        return tuple(step or "" for step in self.steps[:-1])

    def _end_value(self) -> None:
        if self.steps and self.steps[-1] != "-":
            self.steps[-1] = None


def _looks_like_one(text: str) -> bool:
    """For text that is no valid YAML or JSON: whether lines look like a prompt's and like points'."""

    def has_line(keys: set[str]) -> bool:
        return re.search(rf"^[ \t{{-]*[\"']?(?:{'|'.join(sorted(keys))})[\"']?[ \t]*:", text, re.MULTILINE) is not None

    return has_line(PROMPT_KEYS) and has_line(POINT_KEYS | _IDEALS) and not has_line(_FOREIGN)
