"""What stands in the pages of the documentation: their blocks of code and the words set as code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.support.commands import ROOT

# The address that examples name; tests put their own server in its place.
SITE = "http://localhost:8000"


@dataclass(frozen=True)
class Block:
    """A block of code: where it stands, the language that it says, and its text."""

    page: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def files() -> list[Path]:
    """README, the list of changes and every page of docs/."""
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@cache
def blocks() -> tuple[Block, ...]:
    """Every block of code, also those that say no language, without the directives of the site."""
    return tuple(
        Block(name_of(file), (token.map or [0])[0] + 1, token.info.strip(), token.content)
        for file in files()
        for token in _tokens(file)
        if token.type in ("fence", "code_block") and not token.info.startswith("{")
    )


def of_language(*languages: str) -> list[Block]:
    return [block for block in blocks() if block.language in languages]


@cache
def words_as_code() -> tuple[tuple[str, str], ...]:
    """(page, words) of everything that stands between backticks in a sentence or a table."""
    return tuple(
        (name_of(file), child.content)
        for file in files()
        for token in _tokens(file)
        for child in token.children or []
        if child.type == "code_inline"
    )


@cache
def pictures() -> tuple[tuple[str, Path], ...]:
    """(page, file) of every picture that a page shows."""
    return tuple(
        (name_of(file), (file.parent / str(child.attrGet("src"))).resolve())
        for file in files()
        for token in _tokens(file)
        for child in token.children or []
        if child.type == "image"
    )


def _tokens(file: Path) -> Iterator[Token]:
    yield from MarkdownIt().enable("table").parse(file.read_text(encoding="utf-8"))
