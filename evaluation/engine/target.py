"""What the target model is sent: its system message and the exchanged messages, and never anything else."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.engine.types import Exchange, Message


def target_system_message(model_prompt: str | None, scenario_prompt: str | None) -> str | None:
    """The model configuration's own system prompt, then the scenario's, a blank line between; None without either."""
    parts = [part.strip() for part in (model_prompt, scenario_prompt) if part and part.strip()]
    return "\n\n".join(parts) or None


def target_messages(system: str | None, turns: Sequence[Exchange], user_message: str) -> list[Message]:
    """The request for the reply to `user_message`: strictly alternating, as delivered (ImpactBench paper, 3.4)."""
    messages = [Message("system", system)] if system else []
    for turn in turns:
        messages.append(Message("user", turn.user_message))
        messages.append(Message("assistant", turn.reply))
    messages.append(Message("user", user_message))
    return messages
