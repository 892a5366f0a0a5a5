"""What a client needs to know of a model, and how patient it may be."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Ours to set, whatever a plan says: a stream or several choices would not be a Completion.
_RESERVED_PARAMETERS = frozenset({"messages", "model", "n", "response_format", "stream", "stream_options"})


@dataclass(frozen=True, slots=True)
class ModelConfiguration:
    """One model as it is called; `api_key_env` names an environment variable and is never the key.

    Raises ValueError when `parameters` hold what the client sets itself.
    """

    slug: str
    litellm_model: str
    api_base: str | None = None
    api_key_env: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    max_in_flight: int | None = None
    input_usd_per_million: float | None = None
    output_usd_per_million: float | None = None

    def __post_init__(self) -> None:
        reserved = sorted(_RESERVED_PARAMETERS & self.parameters.keys())
        if reserved:
            raise ValueError(f"model {self.slug}: the parameter {reserved[0]} cannot be set; remove it")

    @property
    def is_direct(self) -> bool:
        """Whether our own HTTP path serves it: an OpenAI-compatible endpoint, or the embedded model."""
        return self.litellm_model.startswith("openai/") or self.is_embedded

    @property
    def is_embedded(self) -> bool:
        """Whether the small language model of `impactbench.embedded` is meant."""
        return (self.api_base or "").startswith("embedded:")

    @property
    def has_limits(self) -> bool:
        """Whether any limit is shared by all workers."""
        limits = (self.requests_per_minute, self.tokens_per_minute, self.max_in_flight)
        return any(limit is not None for limit in limits)


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """How long and how often a call is tried. All times in seconds of wall clock.

    `attempt_seconds` bounds one request; `total_seconds` bounds all of them and the pauses between, without the
    wait for shared rate limits. A `Retry-After` that does not fit into what is left ends the call.
    """

    attempts: int = 5
    attempt_seconds: float = 120.0
    total_seconds: float = 300.0
    first_backoff_seconds: float = 0.5
    longest_backoff_seconds: float = 30.0
    failures_that_open_the_breaker: int = 10
    breaker_seconds: float = 30.0


def api_key(configuration: ModelConfiguration) -> str | None:
    """The key, read at the moment of the call; None when none is named. Raises LookupError when it is unset."""
    if not configuration.api_key_env:
        return None
    key = os.environ.get(configuration.api_key_env, "").strip()
    if not key:
        raise LookupError(f"the environment variable {configuration.api_key_env} is not set")
    return key
