"""Asks a model, the auditor, which objectives of a scenario the simulated user brought about (paper, section 3.4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from evaluation.engine import prompt_files
from evaluation.engine.parsing import ReplyError, clean_text, find_object
from evaluation.engine.transcript import fence_code, transcript
from evaluation.engine.types import Anchor, Completion, Exchange, Message, ModelCall, ModelCallError, Usage

_FOLDER = Path(__file__).parent / "prompts"
_fill = partial(prompt_files.fill, folder=_FOLDER)
_MOST_LETTERS = 2_000
_MOST_RAW = 20_000


@dataclass(frozen=True, slots=True)
class ObjectiveReading:
    """Whether the user brought one objective about, where first, and why the auditor says so."""

    covered: bool
    turn: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Audit:
    """The auditor's reading of one conversation: an entry for each anchor, or none and the reason why.

    Reasons are those of an unjudged conversation (`engine.reasons`), with `auditor` in the place of `judge`, and
    `no-anchors` and `no-turns`, at which nothing was asked.
    """

    objectives: tuple[ObjectiveReading, ...] = ()
    reason: str = ""
    detail: str = ""
    raw_reply: str = ""
    usage: Usage = field(default_factory=Usage)


def auditor_prompt_hashes() -> dict[str, str]:
    """SHA-256 of every prompt of the auditor by its name; a change of any word changes its hash."""
    return prompt_files.hashes_of(_FOLDER.glob("*.md"))


def coverage_schema(n_objectives: int, n_turns: int) -> dict[str, Any]:
    """The JSON schema of an audit: as many entries as objectives, each with its reason before its decision."""
    properties = {
        "number": {"type": "integer", "enum": list(range(1, n_objectives + 1))},
        "reason": {"type": "string", "maxLength": 300},
        "covered": {"type": "boolean"},
        "turn": {"anyOf": [{"type": "integer", "enum": list(range(1, n_turns + 1))}, {"type": "null"}]},
    }
    entry = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    entries = {"type": "array", "items": entry, "minItems": n_objectives, "maxItems": n_objectives}
    return {
        "title": "coverage",
        "type": "object",
        "properties": {"objectives": entries},
        "required": ["objectives"],
        "additionalProperties": False,
    }


def auditor_messages(anchors: Sequence[Anchor], turns: Sequence[Exchange]) -> list[Message]:
    """The auditor's whole reading: the rules, the objectives, and the transcript fenced as data.

    The turns of the anchors, the condition and all else of the scenario are left out, so that an auditor cannot tell
    which condition it reads.
    """
    read = transcript(turns)
    objectives = "\n".join(f"{number}. {_line(anchor.objective)}" for number, anchor in enumerate(anchors, start=1))
    task = _fill(
        "auditor_task",
        objectives=objectives,
        transcript=read,
        code=fence_code(read, objectives),
        turns=len(turns),
        n=len(anchors),
    )
    return [Message("system", _fill("auditor").strip()), Message("user", task.strip())]


async def audit_conversation(
    anchors: Sequence[Anchor],
    turns: Sequence[Exchange],
    auditor: ModelCall,
    *,
    repair: bool = True,
    max_tokens: int | None = None,
) -> Audit:
    """Which of the anchors' objectives the user of one conversation brought about.

    Never raises for what a model or an endpoint does: what cannot be read has a reason. `repair` allows one further
    request that shows the auditor its unreadable answer.
    """
    if not anchors or not turns:
        return Audit(reason="no-turns" if anchors else "no-anchors")
    messages, schema = auditor_messages(anchors, turns), coverage_schema(len(anchors), len(turns))
    used = Usage()
    for attempt in range(2 if repair else 1):
        try:
            completion = await auditor(messages, schema=schema, max_tokens=max_tokens)
        except ModelCallError as error:
            return Audit(reason=f"auditor-{error.reason}", detail=error.detail, usage=used + Usage.of_error(error))
        used += Usage.of(completion)
        audit = _read(completion, len(anchors), len(turns))
        if audit.reason in ("", "auditor-filtered") or attempt == 1:
            break
        messages = [*messages, *_repair_request(audit, len(anchors))]
    return replace(audit, usage=used)


def _read(completion: Completion, n_objectives: int, n_turns: int) -> Audit:
    if completion.finish_reason == "content_filter":
        return Audit(reason="auditor-filtered")
    raw = clean_text(completion.text or "")
    if not raw.strip():
        return Audit(reason="auditor-empty", detail="the answer was empty")
    try:
        entries = find_object(raw, frozenset({"objectives"}))["objectives"]
        return Audit(_objectives(entries, n_objectives, n_turns), raw_reply=raw[:_MOST_RAW])
    except ReplyError as error:
        cut = "; it was cut off at the token limit" if completion.finish_reason == "length" else ""
        return Audit(reason="auditor-unreadable", detail=f"{error}{cut}", raw_reply=raw[:_MOST_RAW])


def _objectives(entries: object, n_objectives: int, n_turns: int) -> tuple[ObjectiveReading, ...]:
    """The readings in the order of the list; each number once, none missing. Raises ReplyError."""
    found: dict[int, ObjectiveReading] = {}
    for entry in entries if isinstance(entries, list) else []:
        number = _number(entry.get("number"), n_objectives) if isinstance(entry, dict) else None
        if number is None or number in found:
            raise ReplyError(f'every entry needs its own "number" from 1 to {n_objectives}')
        if not isinstance(entry.get("covered"), bool):
            raise ReplyError('"covered" must be true or false')
        covered = entry["covered"]
        turn = _number(entry.get("turn"), n_turns) if covered else None
        reason = entry.get("reason")
        found[number] = ObjectiveReading(covered, turn, reason[:_MOST_LETTERS] if isinstance(reason, str) else "")
    if len(found) != n_objectives:
        raise ReplyError(f"there are {len(found)} entries for {n_objectives} objectives")
    return tuple(found[number] for number in sorted(found))


def _number(value: object, most: int) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and isinstance(value, int) and 1 <= value <= most else None


def _repair_request(audit: Audit, n_objectives: int) -> list[Message]:
    return [
        Message("assistant", audit.raw_reply or "(nothing)"),
        Message("user", _fill("auditor_repair", error=audit.detail, n=n_objectives).strip()),
    ]


def _line(objective: str) -> str:
    """An objective on one line, so that none can pass for two."""
    return " ".join(clean_text(objective).split())
