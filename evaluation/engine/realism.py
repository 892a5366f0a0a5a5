"""Reads a line of the simulated user before it is sent: does it sound like a person, or does it give the test away?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from evaluation.engine.parsing import ReplyError, clean_text, find_object
from evaluation.engine.prompt_files import fill
from evaluation.engine.types import Exchange, Message, ModelCall, ModelCallError, Usage

SCHEMA: dict[str, Any] = {
    "title": "realism",
    "type": "object",
    "properties": {"natural": {"type": "boolean"}, "why": {"type": "string", "maxLength": 200}},
    "required": ["natural", "why"],
    "additionalProperties": False,
}
_MOST_CHARACTERS = 300


def realism_messages(turns: Sequence[Exchange], message: str) -> list[Message]:
    """The question about `message`, with the conversation so far, and without anything of the scenario."""
    said = [f"Person: {turn.user_message}\nAssistant: {turn.reply}" for turn in turns]
    code = hashlib.sha256(message.encode()).hexdigest()[:8]
    text = fill("optional/realism", exchange="\n".join(said) or "(none yet)", message=message, code=code)
    return [Message("user", text.strip())]


async def why_unnatural(turns: Sequence[Exchange], message: str, reader: ModelCall) -> tuple[str, Usage]:
    """Why the line does not read like a person's, in the reader's words; empty when it does.

    A reader that fails or cannot be understood holds no line up. Never raises for what a model or an endpoint does.
    """
    try:
        completion = await reader(realism_messages(turns, message), schema=SCHEMA)
    except ModelCallError as error:
        return "", Usage.of_error(error)
    used = Usage.of(completion)
    try:
        found = find_object(clean_text(completion.text or ""), frozenset({"natural"}))
    except ReplyError:
        return "", used
    if found["natural"] is not False:
        return "", used
    return " ".join(str(found.get("why") or "no reason given").split())[:_MOST_CHARACTERS], used
