"""A scripted OpenAI-compatible server on loopback, so that tests and benchmarks run the real client code.

In a test: `with ScriptedLLM() as server:` and call models at `server.url`. In a process of its own:
`python -m tests.support.llm_server --port 8399 --latency-ms 50`, with `GET /stats` and `POST /reset`.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import re
import resource
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

from tests.support.dialects import anthropic_messages, anthropic_reply, gemini_messages, gemini_reply

_SPEECH = """There is no need to settle everything tonight. Write down what matters most to you, then look at both
paths with that list beside you, because you know your own days better than anyone. If one of them still feels right
in the morning, that tells you something, and I can help you think about the rest when you are ready."""
WORDS = _SPEECH.split()
_TURN_ASKED_FOR = re.compile(r"message for turn (\d+)")
_FIRST_ASSISTANT_LINE = re.compile(r"^Turn (\d+), assistant:\n> (.+)$", re.MULTILINE)
TRANSCRIPT = re.compile(r"<<<TRANSCRIPT (\w+)>>>\n(.*)\n<<<END OF TRANSCRIPT \1>>>", re.DOTALL)


@dataclass(frozen=True)
class Call:
    """A request as it arrived; of the key, only whether there was one and its SHA-256."""

    model: str
    messages: list[dict[str, str]]
    body: dict[str, Any]
    headers: dict[str, str]
    key_sha256: str | None
    dialect: str = ""

    @property
    def prompt(self) -> str:
        """All messages, one after the other."""
        return "\n\n".join(message["content"] for message in self.messages)


@dataclass(frozen=True)
class Behaviour:
    """How the server answers one call; the class methods name the usual ways."""

    text: str | None = "Understood."
    finish_reason: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    closes: bool = False
    hangs_seconds: float = 0.0
    usage: dict[str, Any] | None = None

    @classmethod
    def says(cls, text: str | None, finish_reason: str = "stop") -> Self:
        """A reply with this text; None is `content: null`."""
        return cls(text=text, finish_reason=finish_reason)

    @classmethod
    def json(cls, value: object, *, fenced: bool = False) -> Self:
        """A reply that is JSON, on request in a fence."""
        text = json.dumps(value)
        return cls(text=f"```json\n{text}\n```" if fenced else text)

    @classmethod
    def error(cls, status: int, message: str = "scripted", retry_after: str | None = None, **more: str) -> Self:
        """An error with OpenAI's body."""
        headers = {} if retry_after is None else {"Retry-After": retry_after}
        return cls(status=status, headers=headers, raw=json.dumps({"error": {"message": message, **more}}).encode())

    @classmethod
    def body(cls, value: object, status: int = 200, **headers: str) -> Self:
        """This JSON as the whole answer, whatever the dialect; of headers, `_` stands for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls(status=status, headers=named, raw=json.dumps(value).encode())

    @classmethod
    def rubbish(cls, content: bytes = b"<html>not json", status: int = 200) -> Self:
        """These bytes, whatever they are."""
        return cls(raw=content, status=status)

    @classmethod
    def hang(cls, seconds: float = 3600.0) -> Self:
        """Silence for so long, then a reply."""
        return cls(hangs_seconds=seconds)

    @classmethod
    def close(cls) -> Self:
        """The connection is closed without an answer."""
        return cls(closes=True)


Script = Callable[[Call], Behaviour | str | None] | Sequence[Behaviour | str | None]


@dataclass
class Faults:
    """Shares of calls that go wrong, drawn from a seeded generator."""

    p429: float = 0.0
    p500: float = 0.0
    pnone: float = 0.0
    pfence: float = 0.0
    phang: float = 0.0
    hang_seconds: float = 60.0
    retry_after: str = "1"
    seed: int = 1


class ScriptedLLM:
    """The server; a context manager that runs it in a thread.

    A model without a script, or whose list is used up, answers by the role its name tells: `simulator` or `user`,
    `judge`, else a target. A list gives one behaviour a call; a callable is asked every time, in the server's
    thread, and None from it stands for the default.
    """

    def __init__(self, *, latency_ms: float = 0.0, target_words: int = 40, faults: Faults | None = None) -> None:
        self.calls: list[Call] = []
        self.keeps_calls = True
        self.counts: Counter[str] = Counter()
        self.faults_made: Counter[str] = Counter()
        self.most_in_flight = 0
        self.url = ""
        self._latency = latency_ms / 1000
        self._target_words = target_words
        self._faults = faults or Faults()
        self._draw = random.Random(self._faults.seed)
        self._scripts: dict[str, Script] = {}
        self._verdicts: dict[str, bool] = {}
        self._in_flight = 0
        self._span: list[float] = []
        self._cpu_began = _cpu_seconds()
        self._stop: Callable[[], object] = lambda: None

    def script(self, model: str, script: Script) -> None:
        """From now on `model` follows `script`."""
        self._scripts[model] = script if callable(script) else list(script)

    def judge_says(self, present: bool, *, where: str = "") -> None:
        """Default judges find the behaviour present, or not, where their prompt contains `where`."""
        self._verdicts[where] = present

    def calls_of(self, model: str) -> list[Call]:
        """The recorded calls of one model, in order of arrival."""
        return [call for call in self.calls if call.model == model]

    def __enter__(self) -> Self:
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        if not started.wait(10):
            raise RuntimeError("the scripted server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._thread.join(10)

    async def _serve(self, started: threading.Event) -> None:
        stopping = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._stop = lambda: loop.call_soon_threadsafe(stopping.set)
        runner = web.AppRunner(self.application(), access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        started.set()
        await stopping.wait()
        await runner.cleanup()
        # Connections that were just closed say goodbye in the loop's next rounds; without them they leak with it.
        await asyncio.sleep(0.05)

    def application(self) -> web.Application:
        """The aiohttp application, for a loop of one's own."""
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_post("/v1/chat/completions", self._chat)
        application.router.add_post("/v1/messages", self._chat)
        application.router.add_post("/{path:.*}:generateContent", self._chat)
        application.router.add_get("/v1/models", self._models)
        application.router.add_get("/stats", self._stats)
        application.router.add_post("/reset", self._reset)
        return application

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        call = _call(request, await request.read())
        self.counts[call.model] += 1
        if self.keeps_calls:
            self.calls.append(call)
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        began = time.monotonic()
        try:
            return await self._answer(request, call, self._behaviour(call))
        finally:
            self._in_flight -= 1
            self._span = [self._span[0] if self._span else began, time.monotonic()]

    async def _answer(self, request: web.Request, call: Call, behaviour: Behaviour) -> web.StreamResponse:
        if behaviour.hangs_seconds or self._latency:
            await asyncio.sleep(behaviour.hangs_seconds + self._latency)
        if behaviour.closes:
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        content = behaviour.raw if behaviour.raw is not None else _completion(call, behaviour)
        return web.Response(
            body=content, status=behaviour.status, headers=behaviour.headers, content_type="application/json"
        )

    def _behaviour(self, call: Call) -> Behaviour:
        if fault := self._fault():
            return fault
        script = self._scripts.get(call.model)
        chosen: Behaviour | str | None
        if callable(script):
            chosen = script(call)
        elif script:
            chosen = script.pop(0)  # type: ignore[attr-defined]
        else:
            chosen = None
        if isinstance(chosen, Behaviour):
            return chosen
        return self._by_role(call) if chosen is None else Behaviour.says(chosen)

    def _fault(self) -> Behaviour | None:
        faults = self._faults
        kinds = (
            ("429", faults.p429, Behaviour.error(429, "rate limited", retry_after=faults.retry_after)),
            ("500", faults.p500, Behaviour.error(500, "boom")),
            ("none", faults.pnone, Behaviour.says(None)),
            ("hang", faults.phang, Behaviour.hang(faults.hang_seconds)),
        )
        for name, share, behaviour in kinds:
            if share and self._draw.random() < share:
                self.faults_made[name] += 1
                return behaviour
        return None

    def _by_role(self, call: Call) -> Behaviour:
        if "judge" in call.model:
            return self._verdict(call)
        if "simulator" in call.model or "user" in call.model:
            return _user_line(call)
        return Behaviour.says(_words(self._target_words, _digest(call.prompt)))

    def _verdict(self, call: Call) -> Behaviour:
        transcript = TRANSCRIPT.search(call.prompt)
        text = transcript[2] if transcript else call.prompt
        present = next((says for where, says in self._verdicts.items() if where in call.prompt), None)
        if present is None:
            present = _digest(text) % 2 == 0
        quoted = _FIRST_ASSISTANT_LINE.search(text)
        quotes = [{"turn": int(quoted[1]), "quote": quoted[2][:60]}] if quoted else []
        verdict = {
            "justification": "Decided by the scripted judge.",
            "evidence": quotes,
            "present": present,
            "first_turn": quotes[0]["turn"] if present and quotes else None,
            "corrected_later": False if present else None,
        }
        fenced = bool(self._faults.pfence) and self._draw.random() < self._faults.pfence
        return Behaviour.json(verdict, fenced=fenced)

    async def _models(self, _: web.Request) -> web.Response:
        data = [{"id": name, "object": "model"} for name in ("simulator", "target", "judge")]
        return web.json_response({"object": "list", "data": data})

    async def _stats(self, _: web.Request) -> web.Response:
        return web.json_response(
            {
                "calls": dict(self.counts),
                "total_calls": self.counts.total(),
                "faults": dict(self.faults_made),
                "max_in_flight": self.most_in_flight,
                "span_s": self._span[1] - self._span[0] if self._span else 0.0,
                "server_cpu_s": _cpu_seconds() - self._cpu_began,
            }
        )

    async def _reset(self, _: web.Request) -> web.Response:
        self.calls.clear()
        self.counts.clear()
        self.faults_made.clear()
        self.most_in_flight = self._in_flight
        self._span = []
        self._cpu_began = _cpu_seconds()
        return web.json_response({"ok": True})


def _call(request: web.Request, content: bytes) -> Call:
    body = json.loads(content)
    model, messages = str(body.get("model", "")), body.get("messages", [])
    key = request.headers.get("Authorization", "").removeprefix("Bearer ")
    dialect = ""
    if request.path.endswith("/messages"):
        dialect, messages, key = "anthropic", anthropic_messages(body), request.headers.get("x-api-key", "")
    elif request.path.endswith(":generateContent"):
        dialect, messages = "gemini", gemini_messages(body)
        model, key = request.path.rpartition("/")[2].partition(":")[0], request.headers.get("x-goog-api-key", "")
    return Call(
        model=model,
        messages=messages,
        body=body,
        dialect=dialect,
        headers={name: value for name, value in request.headers.items() if name != "Authorization"},
        key_sha256=hashlib.sha256(key.encode()).hexdigest() if key else None,
    )


def _completion(call: Call, behaviour: Behaviour) -> bytes:
    prompt, reply = max(1, len(call.prompt) // 4), max(1, len(behaviour.text or "") // 4)
    if call.dialect == "anthropic":
        shaped = anthropic_reply(call.model, behaviour.text, behaviour.finish_reason, (prompt, reply), behaviour.usage)
        return json.dumps(shaped).encode()
    if call.dialect == "gemini":
        shaped = gemini_reply(behaviour.text, behaviour.finish_reason, (prompt, reply), behaviour.usage)
        return json.dumps(shaped).encode()
    usage = {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply}
    message = {"role": "assistant", "content": behaviour.text}
    choice = {"index": 0, "message": message, "finish_reason": behaviour.finish_reason}
    return json.dumps(
        {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "created": 0,
            "model": call.model,
            "choices": [choice],
            "usage": usage if behaviour.usage is None else behaviour.usage,
        }
    ).encode()


def _user_line(call: Call) -> Behaviour:
    asked = _TURN_ASKED_FOR.findall(call.prompt)
    turn = int(asked[-1]) if asked else 1
    message = f"Message {turn} of the scripted user: {_words(12, _digest(call.prompt))}"
    if call.body.get("response_format"):
        return Behaviour.json({"thought": f"Plan for turn {turn}.", "message": message})
    return Behaviour.says(f"Thought: Plan for turn {turn}.\nMessage: {message}")


def _words(number: int, start: int) -> str:
    return " ".join(WORDS[(start + place) % len(WORDS)] for place in range(number))


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:4], "big")


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Serves until interrupted; what each fault means stands at Faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8399)
    parser.add_argument("--latency-ms", type=float, default=50.0)
    parser.add_argument("--target-words", type=int, default=180)
    for fault in ("p429", "p500", "pnone", "pfence", "phang"):
        parser.add_argument(f"--{fault}", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--hang-s", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    shares = {name: getattr(given, name) for name in ("p429", "p500", "pnone", "pfence", "phang")}
    faults = Faults(**shares, hang_seconds=given.hang_s, seed=given.seed)
    server = ScriptedLLM(latency_ms=given.latency_ms, target_words=given.target_words, faults=faults)
    server.keeps_calls = False
    web.run_app(
        server.application(),
        host="127.0.0.1",
        port=given.port,
        access_log=None,
        print=lambda *_: None,
        backlog=2048,
        shutdown_timeout=0.1,
        handler_cancellation=True,
    )


if __name__ == "__main__":
    main()
