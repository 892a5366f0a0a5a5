"""The one interface to language models: retries, deadlines, limits, pace and price around any transport."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from evaluation.engine.types import Completion, Message, ModelCallError
from evaluation.llm.attempt import Answer, Failure, Request, Transport
from evaluation.llm.configuration import CallPolicy, ModelConfiguration
from evaluation.llm.direct import DirectTransport
from evaluation.llm.limits import Limits, NoLimits
from evaluation.llm.pace import Breaker, Pace, Result
from evaluation.llm.pricing import price_of
from evaluation.llm.via_litellm import LitellmTransport

__all__ = ["CallPolicy", "Client", "ModelConfiguration", "open_client"]

_USUAL_REPLY_TOKENS = 512
_EMBEDDED_SECONDS = 1800.0


def open_client(
    configuration: ModelConfiguration, *, limits: Limits | None = None, policy: CallPolicy | None = None
) -> Client:
    """A client for one model, to be shared by all conversations of one event loop and closed at the end.

    OpenAI-compatible endpoints and the embedded model go over our own HTTP path, everything else through litellm,
    which is imported at the first call only. Nothing is connected before the first call.
    """
    build = DirectTransport if configuration.is_direct else LitellmTransport
    transport: Transport = build(configuration)
    policy = policy or CallPolicy()
    if configuration.is_embedded:
        # On a busy machine it is slow, never gone; to give up and ask again would only make it slower.
        policy = replace(policy, attempt_seconds=_EMBEDDED_SECONDS, total_seconds=_EMBEDDED_SECONDS)
    return Client(configuration, transport, limits=limits or NoLimits(), policy=policy)


class Client:
    """A ModelCall (evaluation/engine/types.py) for one model, safe for many calls at once on one event loop."""

    def __init__(
        self, configuration: ModelConfiguration, transport: Transport, *, limits: Limits, policy: CallPolicy
    ) -> None:
        self.configuration = configuration
        self.pace = Pace()
        self._transport = transport
        self._limits = limits
        self._policy = policy
        self._price = price_of(configuration)
        self._breaker = Breaker(failures=policy.failures_that_open_the_breaker, seconds=policy.breaker_seconds)

    async def __call__(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """One completion, with as many attempts as the policy allows. Raises ModelCallError, which holds no key."""
        if not await self._breaker.admits():
            raise ModelCallError("unreachable", "the endpoint has failed many times in a row", calls=0)
        try:
            await self._transport.prepare()
            outcome = await self._attempts(Request(messages, schema, max_tokens))
        except BaseException:
            self._breaker.abandon()
            raise
        if isinstance(outcome, Failure):
            self._breaker.record(succeeded=outcome.reason not in ("unreachable", "timeout"))
            raise ModelCallError(
                outcome.reason,
                outcome.detail,
                calls=outcome.calls,
                retries=max(0, outcome.calls - 1),
                retry_after=outcome.retry_after,
            )
        self._breaker.record(succeeded=True)
        return outcome

    @property
    def in_flight(self) -> int:
        """Calls that the endpoint is working on."""
        return self.pace.in_flight - self._limits.waiting

    @property
    def held(self) -> int:
        """Calls that wait for a place, under our limits or under what the endpoint was seen to bear."""
        return self.pace.waiting + self._limits.waiting

    async def close(self) -> None:
        """Closes connections and gives shared places back. The client can be used again afterwards."""
        await self._transport.close()
        await self._limits.close()

    async def _attempts(self, request: Request) -> Completion | Failure:
        policy, calls = self._policy, 0
        failure = Failure("unreachable", "no attempt was allowed")
        deadline = time.monotonic() + policy.total_seconds
        for attempt in range(1, policy.attempts + 1):
            async with self._leave_to_call(request) as leave:
                deadline += leave.waited_seconds
                began = time.monotonic()
                outcome = await self._try_once(request, min(policy.attempt_seconds, deadline - began))
                leave.outcome = outcome
            calls += outcome.calls
            if isinstance(outcome, Answer):
                return self._completion(outcome, calls, time.monotonic() - began)
            failure = outcome
            pause = self._pause(outcome, attempt)
            if not outcome.is_retryable or time.monotonic() + pause >= deadline:
                break
            if attempt < policy.attempts:
                await asyncio.sleep(pause)
        return replace(failure, calls=calls)

    async def _try_once(self, request: Request, seconds: float) -> Answer | Failure:
        # The deadline stands outside the transport, because transports have been seen to forget their own.
        try:
            async with asyncio.timeout(seconds):
                return await self._transport.send(request)
        except TimeoutError:
            return Failure("timeout", f"no answer within {seconds:.0f} seconds", is_retryable=True)

    @asynccontextmanager
    async def _leave_to_call(self, request: Request) -> AsyncIterator[_Leave]:
        """Waits for a place in this process and under the shared limits, and gives both back with what was learnt."""
        leave, began = _Leave(), time.monotonic()
        await self.pace.enter()
        try:
            permit = await self._limits.acquire(self._expected_tokens(request))
            leave.waited_seconds = time.monotonic() - began
            try:
                yield leave
            finally:
                await self._limits.release(permit, leave.tokens_used)
        finally:
            self.pace.leave(leave.result)

    def _expected_tokens(self, request: Request) -> int:
        if self.configuration.tokens_per_minute is None:
            return 0
        reply = request.max_tokens or self.configuration.parameters.get("max_tokens") or _USUAL_REPLY_TOKENS
        return sum(len(message.content) for message in request.messages) // 4 + int(reply)

    def _pause(self, failure: Failure, attempt: int) -> float:
        """Full jitter over a doubling span, and never less than the provider asks for."""
        policy = self._policy
        span = min(policy.longest_backoff_seconds, policy.first_backoff_seconds * 2 ** (attempt - 1))
        jitter = span * random.random()  # noqa: S311  (jitter, not a secret)  # nosec B311
        return jitter if failure.retry_after is None else failure.retry_after + min(jitter, 1.0)

    def _completion(self, answer: Answer, calls: int, seconds: float) -> Completion:
        return Completion(
            text=answer.text,
            finish_reason=answer.finish_reason,
            input_tokens=answer.input_tokens,
            cached_input_tokens=answer.cached_input_tokens,
            output_tokens=answer.output_tokens,
            cost_usd=self._price.cost(answer.input_tokens, answer.cached_input_tokens, answer.output_tokens),
            latency_ms=round(seconds * 1000),
            calls=calls,
            retries=calls - 1,
            usage=answer.usage,
        )


@dataclass(slots=True)
class _Leave:
    """A place to call from: how long it was waited for, and what came of it."""

    waited_seconds: float = 0.0
    outcome: Answer | Failure | None = None

    @property
    def tokens_used(self) -> int | None:
        if not isinstance(self.outcome, Answer):
            return 0 if isinstance(self.outcome, Failure) else None
        if self.outcome.input_tokens is None or self.outcome.output_tokens is None:
            return None
        return self.outcome.input_tokens + self.outcome.output_tokens

    @property
    def result(self) -> Result:
        if isinstance(self.outcome, Answer):
            return "answered"
        slowed = isinstance(self.outcome, Failure) and self.outcome.reason in ("rate-limited", "timeout")
        return "slowed" if slowed else "other"
