"""The words the engine speaks: plain values, and the one thing it asks of the world, a model call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant"]
Polarity = Literal["positive", "negative"]
Cost = Decimal | float | None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat request."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What one model call brought back. `text` is None when the provider sent no text at all."""

    text: str | None
    finish_reason: str
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Cost = None
    latency_ms: int = 0
    calls: int = 1
    """Requests that reached the endpoint, the successful one included."""
    retries: int = 0
    usage: dict[str, Any] | None = None
    """The counts as the provider sent them, reasoning tokens and the like included."""


class ModelCall(Protocol):
    """Asks one model one question.

    Raises ModelCallError when no completion could be had. Retries are the client's business.
    """

    async def __call__(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Completion: ...


Realism = Literal["", "natural", "rewritten", "unnatural"]

ModelCallReason = Literal[
    "unreachable", "timeout", "refused", "denied", "rate-limited", "context-overflow", "filtered", "bad-reply"
]


class ModelCallError(Exception):
    """A model call that brought no completion; `reason` is a short stable code, `detail` holds no key.

    `calls` and `retries` say what was spent on it, so that failed attempts are counted too. `retry_after` is the
    provider's wish in seconds, where it has one.
    """

    def __init__(
        self,
        reason: ModelCallReason,
        detail: str,
        *,
        calls: int = 1,
        retries: int = 0,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.calls = calls
        self.retries = retries
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class MetricBrief:
    """What the engine needs of a metric version. `judge_question` and `interpretive_clause` may be empty."""

    name: str
    polarity: Polarity
    definition: str
    judge_question: str = ""
    interpretive_clause: str = ""


@dataclass(frozen=True, slots=True)
class Anchor:
    """An objective the user simulator pursues at one turn, counted from 1."""

    turn: int
    objective: str


@dataclass(frozen=True, slots=True)
class ScenarioBrief:
    """A scenario as the user simulator plays it; the target sees `target_system_prompt` only."""

    persona: str
    goal: str
    latent_adversarial_goal: str
    anchors: tuple[Anchor, ...] = ()
    target_system_prompt: str | None = None
    language: str | None = None
    """Language of the conversation in plain English ("German"); None leaves it to the persona."""


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    """What a plan decides about every conversation.

    `anchors`, `adversarial_guidance` and `typing_edits` are the switches of the ablations (ImpactBench paper,
    section 3.4.3).
    """

    turns: int = 6
    anchors: bool = True
    adversarial_guidance: bool = True
    typing_edits: bool = True
    seed: int = 0
    allow_cut_replies: bool = False
    """True keeps replies cut at the token limit (flag `cut-replies`); False fails such a conversation."""
    structured_simulator: bool = False
    """True asks the user simulator for a JSON object by schema, which very small models need."""
    realism_check: bool = False
    """True has every line of the simulated user read before it is sent, and written anew once."""
    simulator_max_tokens: int | None = None
    target_max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls have cost. None means unknown, which a sum keeps: unknown plus known is unknown."""

    calls: int = 0
    retries: int = 0
    input_tokens: int | None = 0
    cached_input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost_usd: Decimal | None = Decimal(0)
    latency_ms: int = 0
    raw: tuple[dict[str, Any], ...] = ()
    """What providers reported, one entry a completion."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            retries=self.retries + other.retries,
            input_tokens=_sum(self.input_tokens, other.input_tokens),
            cached_input_tokens=_sum(self.cached_input_tokens, other.cached_input_tokens),
            output_tokens=_sum(self.output_tokens, other.output_tokens),
            cost_usd=_sum_costs(self.cost_usd, other.cost_usd),
            latency_ms=self.latency_ms + other.latency_ms,
            raw=self.raw + other.raw,
        )

    @classmethod
    def of(cls, completion: Completion) -> Usage:
        """The usage of one completion."""
        return cls(
            calls=completion.calls,
            retries=completion.retries,
            input_tokens=completion.input_tokens,
            cached_input_tokens=completion.cached_input_tokens,
            output_tokens=completion.output_tokens,
            cost_usd=_exact(completion.cost_usd),
            latency_ms=completion.latency_ms,
            raw=(completion.usage,) if completion.usage else (),
        )

    @classmethod
    def of_error(cls, error: ModelCallError) -> Usage:
        """The usage of a call that failed: it is counted; what it cost is taken as nothing."""
        return cls(calls=error.calls, retries=error.retries)


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One exchange as it is saved: what was said, what was planned, what it cost.

    `user_message` is what the target was sent, `unedited_message` the same before typing edits, `plan` the
    simulator's private thought, `anchors_in_force` the anchors it was reminded of at this turn.
    """

    number: int
    user_message: str
    unedited_message: str
    plan: str
    anchors_in_force: tuple[Anchor, ...]
    reply: str
    finish_reason: str
    realism: Realism = ""
    """What the check said of the line: `rewritten` once, or `unnatural` even then; empty without a check."""
    simulator_usage: Usage = field(default_factory=Usage)
    target_usage: Usage = field(default_factory=Usage)


class Exchange(Protocol):
    """What a judge needs of a turn; TurnRecord is one."""

    @property
    def number(self) -> int: ...
    @property
    def user_message(self) -> str: ...
    @property
    def reply(self) -> str: ...


@dataclass(frozen=True, slots=True)
class ConversationOutcome:
    """How a conversation ended. `reason` is a code of reasons.py: why it failed, or how it finished.

    `usage` belongs to calls of no saved turn (the `[END]` call, calls of the turn that failed).
    """

    state: Literal["finished", "failed"]
    reason: str
    detail: str = ""
    flags: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote the judge rests on; `verified` says that it stands in the assistant's reply of that turn."""

    turn: int | None
    quote: str
    verified: bool


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What a judge said of one conversation. `present` is None exactly when `state` is `unjudged`."""

    state: Literal["judged", "unjudged"]
    reason: str
    present: bool | None
    justification: str = ""
    evidence: tuple[Evidence, ...] = ()
    first_turn: int | None = None
    corrected_later: bool | None = None
    raw_reply: str = ""
    detail: str = ""
    usage: Usage = field(default_factory=Usage)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _sum_costs(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    return None if one is None or other is None else one + other


def _exact(cost: Cost) -> Decimal | None:
    return Decimal(str(cost)) if isinstance(cost, float | int) else cost
