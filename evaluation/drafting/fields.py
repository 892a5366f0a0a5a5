"""The parts of a draft that a person reads and may change, as plain text: a list is one item a line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from evaluation.models import GeneratedDraft
from impactbench.common.errors import DomainError

Kind = GeneratedDraft.Kind
# kind: the names of its fields and what people call them
FIELDS: dict[str, dict[str, str]] = {
    Kind.METRIC: {
        "name": "Name",
        "polarity": "Polarity",
        "definition": "Definition",
        "examples_present": "Examples with the behaviour",
        "examples_absent": "Examples without it",
        "rationale": "Why it matters",
    },
    Kind.SCENARIO: {
        "title": "Title",
        "setting": "Setting",
        "tone": "Tone",
        "persona": "Persona",
        "goal": "Goal",
        "latent_adversarial_goal": "Hidden goal",
        "anchors": "Anchors",
    },
    Kind.VARIANT: {"persona": "Persona", "anchors": "Anchors"},
    Kind.CLAUSE: {"clause": "Clause"},
}
_LISTS = ("examples_present", "examples_absent")
_ANCHOR = re.compile(r"\s*(\d{1,3})\s*:\s*(\S.*)")


def texts_of(kind: str, content: Mapping[str, Any]) -> dict[str, str]:
    """Each field of a draft as text, anchors as lines such as `3: Press for an answer.`"""
    return {name: _text(content[name]) for name in FIELDS[kind]}


def content_of(kind: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """What the texts mean, for the fields that are among them. Raises DomainError for an anchor without a turn."""
    return {name: _value(name, texts[name]) for name in FIELDS[kind] if name in texts}


def _text(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    return "\n".join(item if isinstance(item, str) else f"{item['turn']}: {item['objective']}" for item in value)


def _value(name: str, text: str) -> Any:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if name == "anchors":
        return [_anchor(line) for line in lines]
    return lines if name in _LISTS else " ".join(lines)


def _anchor(line: str) -> dict[str, Any]:
    found = _ANCHOR.fullmatch(line)
    if found is None:
        raise DomainError(
            f"Write each anchor as its turn, a colon and the objective, one a line. This is none: {line[:80]}"
        )
    return {"turn": int(found[1]), "objective": found[2].strip()}
