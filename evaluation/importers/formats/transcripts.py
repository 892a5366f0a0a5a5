"""Transcripts and verdict words as sources write them, turned into turns and verdicts."""

import re
from collections.abc import Sequence

from evaluation.importers.formats.result_types import ResultTurn

# PostgreSQL stores neither NUL nor half a character; both are model output here, so they are replaced, not refused.
_UNUSABLE = re.compile("[\x00\ud800-\udfff]")
_VERDICTS = {"yes": True, "no": False}


def clean(text: object) -> str | None:
    """The text with unusable characters replaced; None for anything else and for blank text."""
    if not isinstance(text, str) or not text.strip():
        return None
    return _UNUSABLE.sub("\ufffd", text)


def presence(word: object) -> tuple[bool | None, str | None]:
    """(present, reason) of a verdict word: yes, no, or unjudged with the source's own word as the reason."""
    if isinstance(word, str) and word.strip().lower() in _VERDICTS:
        return _VERDICTS[word.strip().lower()], None
    return None, (clean(word) or "no-verdict").strip()[:100]


def paired_turns(messages: Sequence[object]) -> tuple[tuple[ResultTurn, ...], tuple[str, ...]]:
    """Pair user messages with the replies that follow them, and say what did not pair.

    Nothing that was said is dropped: a message without a reply and a reply without a message become turns with one
    side. Messages of other roles are left out and flagged.
    """
    sides: list[tuple[str | None, str | None]] = []
    flags: list[str] = []
    waiting: str | None = None
    for message in messages:
        role, content = _role_and_content(message)
        if role == "user":
            if waiting is not None:
                sides.append((waiting, None))
            waiting = content
        elif role == "assistant":
            sides.append((waiting, content))
            waiting = None
        else:
            flags.append(f"a message of role {role!r} is left out")
    if waiting is not None:
        sides.append((waiting, None))
    if any(target is None for _, target in sides):
        flags.append("a user message has no reply")
    if any(user is None for user, _ in sides):
        flags.append("a reply has no user message before it")
    turns = tuple(ResultTurn(number, user, target) for number, (user, target) in enumerate(sides, start=1))
    return turns, tuple(dict.fromkeys(flags))


def _role_and_content(message: object) -> tuple[str, str]:
    if not isinstance(message, dict):
        return "unknown", ""
    role = clean(message.get("role")) or "unknown"
    return {"ai": "assistant"}.get(role, role)[:40], clean(message.get("content")) or ""
