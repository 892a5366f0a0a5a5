"""OpenAI-compatible endpoints over aiohttp and orjson: well under a millisecond of CPU a call."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import orjson

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
from evaluation.llm.embedded_model import EmbeddedModel

_OPENAI = "https://api.openai.com/v1"
_MAX_ERROR_BYTES = 20_000
_MAX_BYTES = 8 * 1024 * 1024
_IDLE_CONNECTION_SECONDS = 60
_CONNECT_SECONDS = 20
_ABOUT_THE_SCHEMA = re.compile(r"response_format|json_schema|json schema|maxLength|maxItems|grammar", re.IGNORECASE)
_MOST_FORMS = 4
_BOUNDS = frozenset({"maxLength", "minLength", "maxItems", "minItems"})


@dataclass(frozen=True, slots=True)
class _Form:
    """How a request is put to an endpoint: the schema whole, without bounds, or not at all; the limit's name."""

    schema: Literal["whole", "loose", "none"] = "whole"
    limit_name: str = "max_tokens"


class DirectTransport:
    """One keep-alive session to one endpoint.

    What the endpoint does not take (bounds in a schema, schemas at all, the old name of the token limit) is noticed
    from its first refusal, left out, and not tried again.
    """

    def __init__(self, configuration: ModelConfiguration) -> None:
        self._configuration = configuration
        self._model = configuration.litellm_model.removeprefix("openai/")
        self._embedded = EmbeddedModel() if configuration.is_embedded else None
        self._session: aiohttp.ClientSession | None = None
        self._proxy: str | None = None
        self._form = _Form()

    async def prepare(self) -> None:
        """Nothing: a session opens in no time."""

    async def send(self, request: Request) -> Answer | Failure:
        """One request, or up to four when the endpoint has to be learnt first."""
        calls = 0
        while True:
            form = self._form
            outcome = await self._post(self._body(request, form))
            calls += outcome.calls
            refusal = refusal_in(outcome)
            if refusal is None or calls == _MOST_FORMS or not self._adapts(request, form, refusal):
                return replace(outcome, calls=calls)

    async def close(self) -> None:
        """Closes the session and leaves the embedded model's server to others."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()
        if self._embedded is not None:
            await self._embedded.close()

    def _body(self, request: Request, form: _Form) -> bytes:
        fields: dict[str, Any] = {
            **self._configuration.parameters,
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        }
        limit = request.max_tokens or fields.pop("max_tokens", None)
        if limit is not None:
            fields.pop("max_tokens", None)
            fields[form.limit_name] = limit
        if request.schema is not None and form.schema != "none":
            schema = request.schema if form.schema == "whole" else _without_bounds(request.schema)
            name = str(schema.get("title", "reply"))
            fields["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": name, "schema": schema, "strict": True},
            }
        return orjson.dumps(fields)

    async def _post(self, body: bytes) -> Answer | Failure:
        try:
            key = api_key(self._configuration)
        except LookupError as error:
            return Failure("denied", str(error), calls=0)
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        # No exception of aiohttp leaves here: it would carry the request's headers, and with them the key.
        try:
            url = await self._address()
            async with self._open_session(url).post(
                url, data=body, headers=headers, proxy=self._proxy, allow_redirects=False
            ) as response:
                content = await _read_bounded(response)
                wait = response.headers.get("Retry-After")
                return _read(response.status, content, wait, key)
        except (aiohttp.ClientError, OSError) as error:
            return Failure("unreachable", redacted(f"{type(error).__name__}: {error}", key), is_retryable=True)
        except ValueError as error:  # a header or an address that cannot be sent
            return Failure("refused", redacted(f"{type(error).__name__}: {error}", key))

    async def _address(self) -> str:
        base = self._configuration.api_base or _OPENAI
        if self._embedded is not None:
            base = await self._embedded.url()
        return f"{base.rstrip('/')}/chat/completions"

    def _open_session(self, url: str) -> aiohttp.ClientSession:
        if self._session is None:
            self._proxy = _proxy_for(url)
            # Cookies of an endpoint are none of a test's business, and a jar costs time with every call.
            self._session = aiohttp.ClientSession(
                cookie_jar=aiohttp.DummyCookieJar(),
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_CONNECTION_SECONDS),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS),
            )
        return self._session

    def _adapts(self, request: Request, form: _Form, refusal: str) -> bool:
        """Whether another form than the refused `form` is worth a try; another call may have found it already."""
        if self._form == form:
            if form.limit_name == "max_tokens" and "max_completion_tokens" in refusal:
                self._form = replace(form, limit_name="max_completion_tokens")
            elif request.schema is not None and _ABOUT_THE_SCHEMA.search(refusal):
                self._form = replace(form, schema="loose" if form.schema == "whole" else "none")
        return self._form != form


async def _read_bounded(response: aiohttp.ClientResponse) -> bytes:
    """The body, up to the byte that makes it too long."""
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > _MAX_BYTES:
            response.close()
            break
    return bytes(body)


def _read(status: int, content: bytes, wait: str | None, key: str | None) -> Answer | Failure:
    if status != 200:
        asked = wait_asked_for(wait, content[:_MAX_ERROR_BYTES].decode(errors="replace"))
        return failure_of_status(status, redacted(_error_text(content), key), retry_after=asked)
    if len(content) > _MAX_BYTES:
        return Failure("bad-reply", f"the reply is larger than {_MAX_BYTES // 1024 // 1024} MB")
    body = _decoded(content)
    if not isinstance(body, dict):
        return Failure("bad-reply", "the reply is not a JSON object")
    choice = _first(body.get("choices"))
    message = choice.get("message") if choice else None
    if not choice or not isinstance(message, dict):
        return _failure_inside(body, content, key)
    text = _text_of(message)
    reason = choice.get("finish_reason")
    reported = body.get("usage")
    usage: dict[str, Any] = reported if isinstance(reported, dict) else {}
    return Answer(
        text=None if text is None else clean_text(text),
        finish_reason=clean_text(reason)[:40] if isinstance(reason, str) and reason else "unknown",
        input_tokens=_count(usage.get("prompt_tokens")),
        cached_input_tokens=_cached(usage),
        output_tokens=_count(usage.get("completion_tokens")),
        usage=counts_in(usage),
    )


def _failure_inside(body: dict[str, Any], content: bytes, key: str | None) -> Failure:
    """A 200 without a choice: some gateways put the status of the endpoint behind them into the body."""
    error = body.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code < 600:
        return failure_of_status(code, redacted(_error_text(content), key))
    return Failure("bad-reply", "the reply has no choices")


def _text_of(message: dict[str, Any]) -> str | None:
    """The reply's text. A refusal in words of its own is what a user would read; reasoning is not."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str) or not content:
        refusal = message.get("refusal")
        return refusal if isinstance(refusal, str) and refusal else (content if isinstance(content, str) else None)
    return content


def _cached(usage: dict[str, Any]) -> int | None:
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return _count(usage.get("prompt_cache_hit_tokens") if cached is None else cached)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _first(choices: object) -> dict[str, Any] | None:
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _error_text(content: bytes) -> str:
    body = _decoded(content[:_MAX_ERROR_BYTES])
    error = body.get("error", body) if isinstance(body, dict) else None
    if isinstance(error, dict):
        words = [error.get("message"), error.get("code"), error.get("type")]
        return clean_text("; ".join(str(word) for word in words if word)) or clean_text(json.dumps(error))
    return clean_text(error if isinstance(error, str) else content[:500].decode(errors="replace"))


def _decoded(content: bytes) -> Any:
    """Decoded JSON, or None. orjson refuses lone surrogates, the standard library does not."""
    try:
        return orjson.loads(content)
    except ValueError:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            return None


def _without_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    def pruned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: pruned(item) for key, item in value.items() if key not in _BOUNDS}
        return [pruned(item) for item in value] if isinstance(value, list) else value

    result: dict[str, Any] = pruned(schema)
    return result


def _proxy_for(url: str) -> str | None:
    """The proxy the environment names for this address, asked once; none for loopback."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "127.0.0.1", "::1") or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)
