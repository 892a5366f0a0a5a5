"""Asks a model for drafts: one question, one repair, then a refusal with its reason; all drafts or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evaluation.engine.parsing import ReplyError, clean_text, find_object
from evaluation.engine.types import Completion, Message, ModelCall, ModelCallError, Usage
from evaluation.generation.prompts_of_drafting import repair_request
from evaluation.generation.types import Draft, Drafted

_LONGEST_SHOWN_AGAIN = 12_000


async def ask(
    messages: Sequence[Message],
    schema: dict[str, Any],
    read: Callable[[dict[str, Any]], tuple[Draft, ...]],
    model: ModelCall,
) -> Drafted[Draft]:
    """The drafts that `read` finds in the model's answer; it raises ReplyError for an answer that cannot be used.

    Never raises for what a model or an endpoint does.
    """
    expected, used = frozenset(schema["required"]), Usage()
    asked, error = list(messages), ""
    for attempt in range(2):
        try:
            completion = await model(asked, schema=schema)
        except ModelCallError as failure:
            return Drafted(reason=failure.reason, refusal=failure.detail, usage=used + Usage.of_error(failure))
        used += Usage.of(completion)
        if completion.finish_reason == "content_filter":
            return Drafted(reason="filtered", refusal="the provider's filter held the answer back", usage=used)
        text = clean_text(completion.text or "")
        try:
            return Drafted(read(find_object(text, expected)), was_repaired=attempt > 0, usage=used)
        except ReplyError as problem:
            error = f"{problem}{_cut(completion)}"
        asked = [*messages, *repair_request(text[:_LONGEST_SHOWN_AGAIN], error)]
    return Drafted(reason="unusable", refusal=error, was_repaired=True, usage=used)


def _cut(completion: Completion) -> str:
    return "; it was cut off at the token limit" if completion.finish_reason == "length" else ""
