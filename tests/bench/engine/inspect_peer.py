"""The same conversations as a task of Inspect AI, without its display and its log of the moment, which slow it down.

Runs in an environment of its own (`peers.py`): `python inspect_peer.py URL CONVERSATIONS TURNS IN_FLIGHT LOGS`.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from inspect_ai import Task, eval  # type: ignore[import-not-found]  # noqa: A004  (its name there)
from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found]
from inspect_ai.model import (  # type: ignore[import-not-found]
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)
from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer  # type: ignore[import-not-found]
from inspect_ai.solver import solver  # type: ignore[import-not-found]


@solver
def conversation(turns: int) -> Any:
    """A simulated user and the target, one after the other; the user sees the history with the roles changed."""

    async def solve(state: Any, generate: Any) -> Any:
        user, target = get_model(role="simulator"), get_model()
        state.messages = []
        for number in range(1, turns + 1):
            asked = [ChatMessageSystem(content=f"Write the message for turn {number}."), *_turned(state.messages)]
            line = (await user.generate(asked, config=GenerateConfig(max_tokens=200))).completion
            state.messages.append(ChatMessageUser(content=line.rpartition("Message: ")[2]))
            state.output = await target.generate(state.messages, config=GenerateConfig(max_tokens=200))
            state.messages.append(state.output.message)
        return state

    return solve


def _turned(messages: list[Any]) -> list[Any]:
    turned: list[Any] = [
        ChatMessageAssistant(content=message.text) if message.role == "user" else ChatMessageUser(content=message.text)
        for message in messages
    ]
    return turned or [ChatMessageUser(content="Begin.")]


@scorer(metrics=[accuracy()])
def verdict() -> Any:
    """One judge call for each transcript."""

    async def score(state: Any, target: Any) -> Any:
        transcript = "\n".join(f"{message.role}: {message.text}" for message in state.messages)
        judge = get_model(role="judge")
        reply = await judge.generate([ChatMessageUser(content=transcript)], config=GenerateConfig(max_tokens=500))
        found = json.loads(reply.completion)
        return Score(value=CORRECT if found["present"] else INCORRECT, explanation=found["justification"])

    return score


def main(url: str, n: int, turns: int, in_flight: int, logs: str) -> None:
    """Holds `n` conversations, `in_flight` at once, and ends with 1 unless all of them were scored."""
    os.environ.update(SCRIPTED_API_KEY="none", SCRIPTED_BASE_URL=url, INSPECT_LOG_LEVEL="error")
    samples = [Sample(id=str(number), input="(simulated)", target="yes") for number in range(n)]
    (log,) = eval(
        Task(dataset=MemoryDataset(samples), solver=conversation(turns), scorer=verdict()),
        model="openai-api/scripted/target",
        model_roles={role: f"openai-api/scripted/{role}" for role in ("simulator", "judge")},
        max_samples=in_flight,
        max_connections=in_flight,
        display="none",
        log_dir=logs,
        log_realtime=False,
    )
    scored = log.results.completed_samples if log.results else 0
    sys.exit(0 if log.status == "success" and scored == n else 1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
