"""Reads what models reply: hostile, half-formatted text in, the expected fields or nothing out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

END = "[END]"

_MAX_CHARS = 200_000
_MAX_CANDIDATES = 200
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_FENCED = re.compile(r"\s*```[\w-]*[ \t]*\n(.*?)\n?[ \t]*```\s*", re.DOTALL)
_THINK_BLOCK = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_THINK_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINK_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_THOUGHT = re.compile(r"^[ \t*_#>]*thought[ \t*_]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)
_MESSAGE = re.compile(r"^[ \t*_#>]*message[ \t*_]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)
_BROKEN_OBJECT = re.compile(r'^\s*(?:```\w*\s*)?\{\s*"(?:thought|message)"', re.IGNORECASE)


class ReplyError(ValueError):
    """A reply that cannot be read; the text says what is wrong, in words that a model can act on."""


@dataclass(frozen=True, slots=True)
class SimulatorReply:
    """A user simulator's reply taken apart: private thought, message to deliver, and whether it ends the chat."""

    thought: str
    message: str
    ends: bool


def clean_text(text: str) -> str:
    """`text` without what PostgreSQL and UTF-8 refuse: NUL is dropped, a lone surrogate becomes U+FFFD."""
    if text.isascii():
        return text.replace("\0", "")
    return _LONE_SURROGATES.sub("\ufffd", text).replace("\0", "")


def without_reasoning(text: str) -> str:
    """`text` without `<think>` blocks, without all that precedes a lone `</think>` or follows an unclosed one."""
    text = _THINK_BLOCK.sub("", text)
    closing = list(_THINK_CLOSE.finditer(text))
    if closing:
        text = text[closing[-1].end() :]
    opening = _THINK_OPEN.search(text)
    return text[: opening.start()] if opening else text


def visible_reply(text: str) -> str:
    """What a chat window would show of a target's reply: its text without a reasoning block at the beginning.

    Tags further on are left alone, since a reply may well speak about them.
    """
    text = text.strip()
    if opening := _THINK_OPEN.match(text):
        closing = _THINK_CLOSE.search(text, opening.end())
        return text[closing.end() :].strip() if closing else ""
    if not _THINK_OPEN.search(text) and (closing := _THINK_CLOSE.search(text)):
        return text[closing.end() :].strip()
    return text


def find_object(text: str, expected: frozenset[str], *, deciding: str = "") -> dict[str, Any]:
    """The JSON object in `text` that has all the `expected` keys.

    Tried in this order: the text as it is, the text as one fence, both again without reasoning blocks, and at
    last the first decodable object in it. Stripping comes after direct parsing, so that valid JSON which contains
    back-ticks or tags stays whole. Objects among other words that differ in the key `deciding` are none: whoever
    quotes somebody else's answer before giving another must not be taken at the quotation. Raises ReplyError.
    """
    text = text[:_MAX_CHARS]
    stripped = without_reasoning(text)
    saw_object = False
    for candidate in _candidates(text, stripped):
        value = _decode(candidate)
        if isinstance(value, dict):
            saw_object = True
            if expected <= value.keys():
                return clean_values(value)
    inside = list(_objects_inside(stripped))
    found = [value for value in inside if expected <= value.keys()]
    if deciding and any(value[deciding] != found[0][deciding] for value in found):
        raise ReplyError(f'the reply holds several JSON objects that differ in "{deciding}"; give your own one alone')
    if found:
        return clean_values(found[0])
    if saw_object or inside:
        raise ReplyError(f"the JSON object lacks one of the keys {', '.join(sorted(expected))}")
    raise ReplyError("there is no complete JSON object in the reply")


def parse_simulator_reply(text: str) -> SimulatorReply:
    """Takes a reply apart, be it `Thought: ... Message: ...` or a JSON object with those two keys.

    A reply without either marker is all message. A thought alone, or an object cut off half-way, has an empty
    message. `[END]` ends the conversation when it is the message or stands at its very end.
    """
    text = clean_text(text)[:_MAX_CHARS]
    stripped = without_reasoning(text)
    if _MESSAGE.search(stripped) and not _looks_like_json(stripped):
        return _parse_marked_text(stripped)
    try:
        fields = find_object(text, frozenset({"message"}))
    except ReplyError:
        return _parse_marked_text(stripped)
    thought, message = fields.get("thought"), fields["message"]
    return _simulator_reply(thought if isinstance(thought, str) else "", message if isinstance(message, str) else "")


def clean_values(value: Any) -> Any:
    """`value`, decoded JSON, with every string in it cleaned."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [clean_values(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(key): clean_values(item) for key, item in value.items()}
    return value


def _candidates(text: str, stripped: str) -> Iterator[str]:
    for whole in (text, stripped):
        yield whole
        if fenced := _FENCED.fullmatch(whole):
            yield fenced[1]


def _decode(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _objects_inside(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    start = text.find("{")
    for _ in range(_MAX_CANDIDATES):
        if start < 0:
            return
        try:
            value, _end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            yield value
        start = text.find("{", start + 1)


def _looks_like_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "```"))


def _parse_marked_text(text: str) -> SimulatorReply:
    if message := _MESSAGE.search(text):
        before = text[: message.start()]
        return _simulator_reply(_THOUGHT.sub("", before, count=1), text[message.end() :])
    if thought := _THOUGHT.match(text.lstrip()):
        body = text.lstrip()[thought.end() :]
        # A plan followed by the bare signal still ends the conversation; a plan alone says nothing.
        return SimulatorReply(body.strip(), "", ends=_last_line(body) == END)
    if _BROKEN_OBJECT.match(text):
        return SimulatorReply("", "", ends=False)
    return _simulator_reply("", text)


def _simulator_reply(thought: str, message: str) -> SimulatorReply:
    message = _unquoted(message.strip())
    bare = message.rstrip("*_`\"'. \t\n")
    if bare.endswith(END):
        return SimulatorReply(thought.strip(), bare.removesuffix(END).rstrip(), ends=True)
    return SimulatorReply(thought.strip(), message, ends=False)


def _unquoted(message: str) -> str:
    for opening, closing in ('""', "“”"):
        inner = message[1:-1]
        if message.startswith(opening) and message.endswith(closing) and len(message) > 1:
            return message if opening in inner or closing in inner else inner.strip()
    return message


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else ""
