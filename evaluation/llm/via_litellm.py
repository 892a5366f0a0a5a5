"""Every other provider, through litellm: slower by a factor of twenty, imported at the first call only."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from typing import Any

from evaluation.engine.parsing import clean_text
from evaluation.llm.attempt import (
    Answer,
    Failure,
    Request,
    counts_in,
    failure_of_status,
    redacted,
    refusal_in,
    wait_asked_for,
)
from evaluation.llm.configuration import ModelConfiguration, api_key

_MAX_ERROR_CHARACTERS = 20_000


class LitellmTransport:
    """One model of any provider that litellm knows; its own retries are off, ours are around it."""

    def __init__(self, configuration: ModelConfiguration) -> None:
        self._configuration = configuration
        self._litellm: Any = None
        self._takes_schemas = True

    async def prepare(self) -> None:
        """Imports litellm, in a thread: seconds at the first call of the process, nothing afterwards."""
        if self._litellm is None:
            self._litellm = await asyncio.to_thread(_litellm)

    async def send(self, request: Request) -> Answer | Failure:
        """One request, after `prepare`; a second without the schema where the provider does not take schemas."""
        try:
            key = api_key(self._configuration)
        except LookupError as error:
            return Failure("denied", str(error), calls=0)
        takes_schemas = self._takes_schemas
        outcome = await self._ask(self._arguments(request, key, with_schema=takes_schemas), key)
        if request.schema is None or not takes_schemas or not _is_about_the_schema(outcome):
            return outcome
        self._takes_schemas = False
        outcome = await self._ask(self._arguments(request, key, with_schema=False), key)
        return replace(outcome, calls=2)

    async def close(self) -> None:
        """Closes the connections that litellm keeps for all its models."""
        if self._litellm is not None:
            await self._litellm.close_litellm_async_clients()

    async def _ask(self, arguments: dict[str, Any], key: str | None) -> Answer | Failure:
        try:
            response = await self._litellm.acompletion(**arguments)
        except Exception as error:  # litellm passes on whatever its providers raise
            return _failure(error, key)
        return _answer(response)

    def _arguments(self, request: Request, key: str | None, *, with_schema: bool) -> dict[str, Any]:
        configuration = self._configuration
        arguments: dict[str, Any] = {
            **configuration.parameters,
            "model": configuration.litellm_model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "api_base": configuration.api_base,
            "api_key": key,
            "num_retries": 0,
            "max_retries": 0,
        }
        if request.max_tokens is not None:
            arguments["max_tokens"] = request.max_tokens
        if request.schema is not None and with_schema:
            name = str(request.schema.get("title", "reply"))
            arguments["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": name, "schema": request.schema, "strict": True},
            }
        return arguments


def _litellm() -> Any:
    """litellm, told to use its bundled price list instead of fetching one, and to keep quiet."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm  # noqa: PLC0415  (takes seconds and 150 MB; only calls that need it may load it)

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


def _is_about_the_schema(outcome: Answer | Failure) -> bool:
    return "response_format" in (refusal_in(outcome) or "")


def _failure(error: Exception, key: str | None) -> Failure:
    name, text = type(error).__name__, redacted(f"{type(error).__name__}: {error}", key)
    asked = wait_asked_for(_retry_after(error), str(error)[:_MAX_ERROR_CHARACTERS])
    if name == "ContextWindowExceededError":
        return Failure("context-overflow", text)
    if name in ("Timeout", "APITimeoutError") or isinstance(error, TimeoutError):
        return Failure("timeout", text, is_retryable=True)
    if name in ("APIConnectionError", "ServiceUnavailableError", "InternalServerError"):
        return Failure("unreachable", text, is_retryable=True, retry_after=asked)
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and 400 <= status < 600:
        return failure_of_status(status, text, retry_after=asked)
    return Failure("bad-reply", text)


def _retry_after(error: Exception) -> str | None:
    """The header of the reply behind an error; the error's own `response` is often one that litellm made up."""
    sent = getattr(error, "litellm_response_headers", None)
    made_up = getattr(getattr(error, "response", None), "headers", None)
    for headers in (sent, made_up):
        for name, value in (headers or {}).items():
            if name.lower() == "retry-after":
                return str(value)
    return None


def _answer(response: Any) -> Answer | Failure:
    choices = getattr(response, "choices", None)
    if not choices:
        return Failure("bad-reply", "the reply has no choices")
    text = choices[0].message.content
    usage = getattr(response, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    return Answer(
        text=clean_text(text) if isinstance(text, str) else None,
        finish_reason=str(choices[0].finish_reason or "unknown"),
        input_tokens=_count(getattr(usage, "prompt_tokens", None)),
        cached_input_tokens=_count(getattr(details, "cached_tokens", None)),
        output_tokens=_count(getattr(usage, "completion_tokens", None)),
        usage=None if usage is None else counts_in(usage.model_dump()),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
