"""How Anthropic and Gemini put the same question and the same answer as OpenAI: for the scripted server."""

from __future__ import annotations

from typing import Any

_ANTHROPIC_ENDS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_GEMINI_ENDS = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}


def anthropic_messages(body: dict[str, Any]) -> list[dict[str, str]]:
    """The messages of a request to `/v1/messages`, its system prompt first."""
    system = [{"role": "system", "content": _joined(body["system"])}] if body.get("system") else []
    return system + [{"role": item["role"], "content": _joined(item["content"])} for item in body.get("messages", [])]


def anthropic_reply(
    model: str, text: str | None, finish_reason: str, tokens: tuple[int, int], usage: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A reply of the Messages API; without a text it has no content. `usage` replaces the report of the tokens."""
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [] if text is None else [{"type": "text", "text": text}],
        "stop_reason": _ANTHROPIC_ENDS[finish_reason],
        "usage": usage or {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }


def gemini_messages(body: dict[str, Any]) -> list[dict[str, str]]:
    """The messages of a `generateContent` request."""
    system = body.get("system_instruction") or body.get("systemInstruction")
    messages = [{"role": "system", "content": _joined(system["parts"])}] if system else []
    for item in body.get("contents", []):
        role = "assistant" if item.get("role") == "model" else "user"
        messages.append({"role": role, "content": _joined(item["parts"])})
    return messages


def gemini_reply(
    text: str | None, finish_reason: str, tokens: tuple[int, int], usage: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A reply of `generateContent`; a candidate without a text has a finish reason and no content at all.

    `usage` replaces the report of the tokens.
    """
    candidate: dict[str, Any] = {"finishReason": _GEMINI_ENDS[finish_reason], "index": 0}
    if text is not None:
        candidate["content"] = {"parts": [{"text": text}], "role": "model"}
    return {
        "candidates": [candidate],
        "usageMetadata": usage
        or {"promptTokenCount": tokens[0], "candidatesTokenCount": tokens[1], "totalTokenCount": sum(tokens)},
    }


def _joined(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)
