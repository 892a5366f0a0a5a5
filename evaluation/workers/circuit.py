"""Tells a model that is down from a conversation that had bad luck, and lets it rest without stopping the others."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from evaluation.engine.types import ModelCallReason

# So many failures of one kind in a row, without one answer from that model in between, let it rest.
FAILURES_THAT_REST: dict[ModelCallReason, int] = {
    "denied": 1,
    "unreachable": 3,
    "timeout": 10,
    "rate-limited": 1,
    "refused": 10,
}
# What no waiting changes: somebody has to correct a key, a name or a setting.
_FOR_GOOD: frozenset[ModelCallReason] = frozenset({"denied", "refused"})
# Rests double, and so many in a row without an answer between them are taken for the end.
FIRST_REST_SECONDS = 5.0
LONGEST_REST_SECONDS = 120.0
RESTS_THAT_STOP = 5
# A conversation that could not reach a model goes on from its last saved turn so often before it gives up.
TRIES_TO_REACH = 3
SECONDS_BETWEEN_TRIES = 1.0

_WORDS: dict[ModelCallReason, str] = {
    "denied": "takes no call from us; check its key, credit, name and address",
    "unreachable": "could not be reached",
    "timeout": "did not answer in time",
    "rate-limited": "kept refusing calls because of its rate limit",
    "refused": "refused every call",
}


@dataclass(slots=True)
class _Health:
    """How one model has been doing since its last answer."""

    in_a_row: Counter[ModelCallReason] = field(default_factory=Counter)
    details: dict[ModelCallReason, str] = field(default_factory=dict)
    rests: int = 0
    rests_until: float = 0.0
    reason: ModelCallReason = "unreachable"


class Circuit:
    """Counts failures in a row by model and kind, in one worker; only the conversations of a resting model wait.

    `on_rest` is told the model and the reason in one sentence when a rest begins that follows no other.
    """

    def __init__(self, on_rest: Callable[[str, str], None] = lambda _model, _why: None) -> None:
        self._health: dict[str, _Health] = {}
        self._on_rest = on_rest

    def succeeded(self, model: str) -> None:
        """An answer came: whatever was before is over."""
        self._health.pop(model, None)

    def failed(self, model: str, reason: ModelCallReason, detail: str, retry_after: float | None = None) -> None:
        """A call brought nothing after all its attempts; `retry_after` is the provider's wish in seconds."""
        if reason not in FAILURES_THAT_REST:
            return
        health = self._health.setdefault(model, _Health())
        health.in_a_row[reason] += 1
        health.details[reason] = detail
        now = time.time()
        if health.in_a_row[reason] < FAILURES_THAT_REST[reason]:
            return
        if now < health.rests_until:  # calls that were under way when the rest began
            health.rests_until = max(health.rests_until, now + (retry_after or 0.0))
            return
        health.rests = RESTS_THAT_STOP if reason in _FOR_GOOD else health.rests + 1
        usual = min(LONGEST_REST_SECONDS, FIRST_REST_SECONDS * 2 ** (health.rests - 1))
        health.rests_until, health.reason = now + max(usual, retry_after or 0.0), reason
        if health.rests == 1 or reason in _FOR_GOOD:
            self._on_rest(model, self.sentence(model))

    def adopt(self, model: str, *, rests: int, rests_until: float, reason: str) -> None:
        """Goes on with a rest that an earlier slice of work began."""
        self._health[model] = _Health(rests=rests, rests_until=rests_until, reason=cast(ModelCallReason, reason))

    def is_open(self, model: str, reason: str) -> bool:
        """True when a failure of this kind is the model's, not the conversation's."""
        health = self._health.get(model)
        return health is not None and any(
            kind == reason and health.in_a_row[kind] >= most for kind, most in FAILURES_THAT_REST.items()
        )

    def rests(self, model: str) -> bool:
        """True while nothing is asked of the model."""
        health = self._health.get(model)
        return health is not None and time.time() < health.rests_until

    def is_on_trial(self, model: str) -> bool:
        """True when a rest is over and no answer has come since: one conversation shows how it is."""
        health = self._health.get(model)
        return health is not None and health.rests > 0 and not self.rests(model)

    def has_given_up(self, model: str) -> bool:
        """True when waiting longer is of no use."""
        health = self._health.get(model)
        return health is not None and health.rests >= RESTS_THAT_STOP

    def reason_to_rest(self, model: str) -> ModelCallReason:
        """The kind of failure for which the model rests."""
        return self._health[model].reason

    def rest_of(self, model: str) -> tuple[int, float, str]:
        """How many rests in a row there were, until when (seconds of the epoch) the last one lasts, and why."""
        health = self._health.get(model)
        return (0, 0.0, "") if health is None or not health.rests else (health.rests, health.rests_until, health.reason)

    def sentence(self, model: str) -> str:
        """Why the model rests, for people; the endpoint's own words behind it."""
        health = self._health[model]
        reason = health.reason
        times, detail = health.in_a_row[reason], health.details.get(reason, "")
        in_a_row = f", {times} times in a row" if times > 1 and reason != "denied" else ""
        words = f" ({detail[:200]})" if detail else ""
        return f"model {model} {_WORDS[reason]}{in_a_row}{words}"
