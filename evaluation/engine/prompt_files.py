"""The engine's prompts: each a file under prompts/, read once, filled by plain substitution, known by its hash."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from string import Template

_FOLDER = Path(__file__).parent / "prompts"


def fill(name: str, **values: object) -> str:
    """The prompt `name` with its `$placeholders` filled.

    Values are inserted as they are and never read again, so braces, percent and dollar signs in them mean nothing.
    Raises KeyError when a placeholder has no value.
    """
    return _template(name).substitute(values)


def literal_text(name: str) -> str:
    """The prompt's own words, with its placeholders replaced by line breaks."""
    template = _template(name)
    return template.pattern.sub("\n", template.template)


@cache
def prompt_hashes(*, realism: bool = False) -> dict[str, str]:
    """SHA-256 of every prompt file by its name without suffix; a change of any word changes its hash.

    The prompts of the realism check are among them only where it is in use.
    """
    paths = [*_FOLDER.glob("*.md"), *(_FOLDER.glob("optional/realism*.md") if realism else ())]
    return {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(paths)}


@cache
def _template(name: str) -> Template:
    return Template((_FOLDER / f"{name}.md").read_text(encoding="utf-8"))
