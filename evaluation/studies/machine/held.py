"""A conversation held to another one: the same user messages, up to the first reply of the target that differs.

So typing edits are compared (ImpactBench paper, section 3.4.3): what differs is the edits alone, until they have made
the target say something else; from there on the simulated user answers for itself.
"""

import json
from collections.abc import Sequence
from typing import Any

from evaluation.engine.parsing import clean_text, visible_reply
from evaluation.engine.types import Completion, Exchange, Message, ModelCall, TurnRecord


class HeldToAnother:
    """The two model calls of a conversation that follows `other`; hand `simulator` and `target` to the engine.

    `saved` are the turns that the new conversation has already. A message taken over costs no call.
    """

    def __init__(
        self, other: Sequence[TurnRecord], saved: Sequence[TurnRecord], *, simulator: ModelCall, target: ModelCall
    ) -> None:
        self._other = list(other)
        self._replies = [turn.reply for turn in saved]
        self._simulator, self._target = simulator, target

    async def simulator(
        self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> Completion:
        """The other conversation's message at this turn, before its edits; without one, the simulator's own."""
        at = len(self._replies)
        if at < len(self._other) and self._replies == [turn.reply for turn in self._other[:at]]:
            turn = self._other[at]
            text = json.dumps({"thought": turn.plan, "message": turn.unedited_message})
            return Completion(text, "stop", 0, 0, 0, 0.0, calls=0)
        return await self._simulator(messages, schema=schema, max_tokens=max_tokens)

    async def target(
        self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> Completion:
        """The target's reply, remembered as the engine will keep it."""
        completion = await self._target(messages, schema=schema, max_tokens=max_tokens)
        self._replies.append(visible_reply(clean_text(completion.text or "")))
        return completion


def first_difference(one: Sequence[Exchange], other: Sequence[Exchange]) -> int | None:
    """The number of the first turn whose replies differ, or that one of the two lacks; None when there is none."""
    for number in range(max(len(one), len(other))):
        if number >= min(len(one), len(other)) or one[number].reply != other[number].reply:
            return number + 1
    return None
