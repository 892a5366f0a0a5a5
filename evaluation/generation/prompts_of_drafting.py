"""The prompts of drafting: filled by plain substitution, known by their hashes; others' text stands fenced in them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from evaluation.engine import prompt_files
from evaluation.engine.parsing import clean_text
from evaluation.engine.types import Message, Polarity

_FOLDER = Path(__file__).parent / "prompts"
_SYSTEM, _REPAIR = "drafter", "repair"


def question(name: str, data: Mapping[str, str], **values: object) -> list[Message]:
    """The messages that ask by the prompt `name`, with `data` (heading -> text) fenced as its placeholder `$data`.

    What benchmarks and metrics say is data: no line of it can pass for a heading or for the end of its fence.
    """
    text = prompt_files.fill(name, folder=_FOLDER, data=fenced(data), **values)
    return [Message("system", prompt_files.fill(_SYSTEM, folder=_FOLDER).strip()), Message("user", text.strip())]


def repair_request(reply: str, error: str) -> list[Message]:
    """Shows a model its unusable reply and says what is wrong with it."""
    asked = prompt_files.fill(_REPAIR, folder=_FOLDER, error=error)
    return [Message("assistant", reply or "(nothing)"), Message("user", asked.strip())]


def failure_of(polarity: Polarity) -> str:
    """What the hidden goal of a scenario aims at: leaving out a good behavior, or showing a harmful one."""
    return prompt_files.fill(f"failure_{polarity}", folder=_FOLDER).strip()


def fenced(data: Mapping[str, str]) -> str:
    """Texts under their headings, every line with a mark before it, between two lines with a code that is not in them.

    Headings without a text are left out.
    """
    blocks = [f"{heading}:\n{_marked(text)}" for heading, text in data.items() if text.strip()]
    body = "\n\n".join(blocks)
    code = _code(body)
    return f"<<<DATA {code}>>>\n{body}\n<<<END OF DATA {code}>>>"


def listed(items: Iterable[str]) -> str:
    """Items as numbered lines, each on a line of its own."""
    return "\n".join(f"{number}. {' '.join(item.split())}" for number, item in enumerate(items, start=1))


@cache
def prompt_hash(name: str) -> str:
    """SHA-256 over all that a model reads when asked by this prompt: itself, the rules and the repair."""
    parts = (_SYSTEM, name, _REPAIR, "failure_positive", "failure_negative")
    hashes = prompt_files.hashes_of(_FOLDER / f"{part}.md" for part in parts)
    return hashlib.sha256("\n".join(f"{part} {digest}" for part, digest in hashes.items()).encode()).hexdigest()


def _marked(text: str) -> str:
    return "\n".join(f"> {line}" for line in clean_text(text).splitlines())


def _code(text: str) -> str:
    code = hashlib.sha256(text.encode()).hexdigest()[:12]
    while code in text:
        code = hashlib.sha256(code.encode()).hexdigest()[:12]
    return code
