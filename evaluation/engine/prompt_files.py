"""Prompts: each a file in a folder (the engine's unless told), read once, filled by substitution, known by its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Template

_FOLDER = Path(__file__).parent / "prompts"


def fill(name: str, *, folder: Path = _FOLDER, **values: object) -> str:
    """The prompt `name` with its `$placeholders` filled.

    Values are inserted as they are and never read again, so braces, percent and dollar signs in them mean nothing.
    Raises KeyError when a placeholder has no value.
    """
    return _template(name, folder).substitute(values)


def literal_text(name: str) -> str:
    """The prompt's own words, with its placeholders replaced by line breaks."""
    template = _template(name, _FOLDER)
    return template.pattern.sub("\n", template.template)


@cache
def prompt_hashes(*, realism: bool = False) -> dict[str, str]:
    """SHA-256 of every prompt file by its name without suffix; a change of any word changes its hash.

    The prompts of the realism check are among them only where it is in use.
    """
    paths = [*_FOLDER.glob("*.md"), *(_FOLDER.glob("optional/realism*.md") if realism else ())]
    return hashes_of(paths)


def hashes_of(paths: Iterable[Path]) -> dict[str, str]:
    """SHA-256 of prompt files by their names without suffix."""
    return {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(paths)}


@cache
def _template(name: str, folder: Path) -> Template:
    return Template((folder / f"{name}.md").read_text(encoding="utf-8"))
