"""One request to one endpoint: what is asked, and the two ways it can come out."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

from evaluation.engine.types import Message, ModelCallReason

_MAX_DETAIL = 300
_MOST_COUNTS, _MOST_NAME, _LARGEST = 30, 60, 2**53
_OVERFLOW = re.compile(
    r"context[ _-]?(?:length|window|size|limit)|maximum context|too many (?:input )?tokens|prompt is too long"
    r"|exceeds? the (?:available )?context|input is too long|reduce the length",
    re.IGNORECASE,
)
_OUT_OF_CREDIT = re.compile(r"insufficient_quota|billing|exceeded your current quota|payment", re.IGNORECASE)
# Anthropic says so in a bad request.
_NO_CREDIT_LEFT = re.compile(r"insufficient_quota|credit balance is too low", re.IGNORECASE)
# Google sends no Retry-After; its body ends with the seconds, far behind what a detail keeps.
_WAIT_IN_BODY = re.compile(
    r"""retryDelay\W{1,8}(\d{1,6}(?:\.\d+)?)s\b|retry in (\d{1,6}(?:\.\d+)?)\s?s\b""", re.IGNORECASE
)
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key|gsk|xai|AIza)[-_][\w*.-]{6,}|Bearer\s+\S+|(?<=://)[^/\s@]+@", re.IGNORECASE)
_FILTERED = re.compile(r"content_filter|content management policy|ContentPolicyViolation", re.IGNORECASE)
# What no other request to that endpoint would get past: a wrong key, no credit, a wrong name or address.
_DENIALS = frozenset({301, 302, 307, 308, 401, 402, 404})
_RETRYABLE_STATUSES = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a model."""

    messages: Sequence[Message]
    schema: dict[str, Any] | None
    max_tokens: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply as the provider sent it, cleaned of what cannot be stored; counts are None where not reported."""

    text: str | None
    finish_reason: str
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None
    calls: int = 1
    usage: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """No reply. `retry_after` is the provider's wish in seconds; `throttled` means that we were too fast."""

    reason: ModelCallReason
    detail: str
    is_retryable: bool = False
    retry_after: float | None = None
    calls: int = 1

    @property
    def throttled(self) -> bool:
        return self.reason == "rate-limited"


class Transport(Protocol):
    """A way to an endpoint. `send` raises nothing but cancellation; the caller sets the deadline.

    `prepare` does what takes long once and is no request; it comes before every call and outside deadlines.
    """

    async def prepare(self) -> None: ...

    async def send(self, request: Request) -> Answer | Failure: ...

    async def close(self) -> None: ...


def refusal_in(outcome: Answer | Failure) -> str | None:
    """The endpoint's words where it refused the request, which another form of it might mend; else None."""
    if isinstance(outcome, Failure) and outcome.reason in ("refused", "denied"):
        return outcome.detail
    return None


def failure_of_status(status: int, text: str, *, retry_after: float | None = None) -> Failure:
    """What an HTTP status and its (redacted) text mean: what cannot change by itself is never retried."""
    detail = f"HTTP {status}: {text}" if text else f"HTTP {status}"
    if status in _DENIALS or _is_out_of_credit(status, text, retry_after):
        return Failure("denied", detail)
    if status == 429:
        return Failure("rate-limited", detail, is_retryable=True, retry_after=retry_after)
    if status in (400, 413, 422) and _OVERFLOW.search(text):
        return Failure("context-overflow", detail)
    if status in (400, 403) and _FILTERED.search(text):
        return Failure("filtered", detail)
    if status >= 500 or status in _RETRYABLE_STATUSES - {429}:
        return Failure("unreachable", detail, is_retryable=True, retry_after=retry_after)
    return Failure("refused", detail)


def _is_out_of_credit(status: int, text: str, retry_after: float | None) -> bool:
    """Whether nothing will be answered until somebody pays. Google speaks of billing in every limit by the minute."""
    if status in (400, 403, 429) and _NO_CREDIT_LEFT.search(text):
        return True
    return retry_after is None and status in (403, 429) and _OUT_OF_CREDIT.search(text) is not None


def redacted(text: str, key: str | None) -> str:
    """`text` in one short line without the key or anything that looks like one."""
    if key:
        text = text.replace(key, "[key]")
    return " ".join(_KEY_LIKE.sub("[key]", text).split())[:_MAX_DETAIL]


def counts_in(usage: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a provider's usage report under its own names, one level deep; whatever else is left out."""
    kept: dict[str, Any] = {}
    for name, value in list(usage.items())[:_MOST_COUNTS]:
        if isinstance(value, dict):
            inner = {key[:_MOST_NAME]: n for key, n in list(value.items())[:_MOST_COUNTS] if _is_number(n)}
            if inner:
                kept[name[:_MOST_NAME]] = inner
        elif _is_number(value):
            kept[name[:_MOST_NAME]] = value
    return kept


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and abs(value) < _LARGEST
    )


def wait_asked_for(header: str | None, body: str) -> float | None:
    """The seconds that a `Retry-After` header asks for, else those in the body; None where neither says any."""
    seconds = seconds_to_wait(header)
    found = _WAIT_IN_BODY.search(body) if seconds is None else None
    return float(found[1] or found[2]) if found else seconds


def seconds_to_wait(header: str | None, now: datetime | None = None) -> float | None:
    """The seconds a `Retry-After` header asks for, be it a number or a date; None when it says nothing usable."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            at = parsedate_to_datetime(header)
        except ValueError:
            return None
        aware = at if at.tzinfo else at.replace(tzinfo=UTC)
        seconds = (aware - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds == seconds and seconds != float("inf") else None
