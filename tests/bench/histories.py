"""What a target was really asked, against what was saved: the memory of a scripted target and user, by digests."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.support.llm_server import WORDS, Behaviour, Call, ScriptedLLM

Said = Sequence[tuple[str, str]]


class Recorder:
    """Plays the user and the targets, never the same words twice, and keeps a digest of what each target was asked.

    As no reply comes twice, whoever goes on from a reply that was never saved is found out.
    """

    def __init__(self) -> None:
        self.asked: Counter[tuple[bytes, bytes]] = Counter()
        self._n = 0
        self._lock = threading.Lock()

    def play(self, server: ScriptedLLM, *, user: str, targets: Iterable[str]) -> None:
        """Takes over these models of the server."""
        server.script(user, self._line)
        for target in targets:
            server.script(target, self._reply)

    def _line(self, call: Call) -> Behaviour | str | None:
        message = f"So this is what I wonder about now, and it is my question number {self._next()}: {_some(self._n)}?"
        if call.body.get("response_format"):
            return Behaviour.json({"thought": "Go on.", "message": message})
        return f"Thought: Go on.\nMessage: {message}"

    def _reply(self, call: Call) -> Behaviour | str | None:
        said = [(message["role"], message["content"]) for message in call.messages]
        self.asked[digest(said[:-1]), digest(said)] += 1
        return f"This is reply number {self._next()}. {_some(3 * self._n)}."

    def _next(self) -> int:
        with self._lock:
            self._n += 1
            return self._n


@dataclass
class Comparison:
    """Calls to targets against saved turns.

    `repeated` asked for a turn once more that was saved; `lost` asked for one in other words than were saved, after
    exactly the saved history; `strange` had a history that nobody saved; `unasked` are saved turns without a call.
    """

    saved: int = 0
    repeated: int = 0
    lost: int = 0
    strange: int = 0
    unasked: int = 0


class Saved:
    """What is saved, conversation by conversation."""

    def __init__(self) -> None:
        self._histories: set[bytes] = set()
        self._requests: set[bytes] = set()

    def add(self, turns: Iterable[tuple[str, str]]) -> None:
        """One conversation as (user message, reply), in order."""
        said: list[tuple[str, str]] = []
        for user_message, reply in turns:
            self._histories.add(digest(said))
            said.append(("user", user_message))
            self._requests.add(digest(said))
            said.append(("assistant", reply))
        self._histories.add(digest(said))

    def against(self, asked: Counter[tuple[bytes, bytes]]) -> Comparison:
        """How the calls differ from what is saved."""
        found = Comparison(saved=len(self._requests))
        for (history, request), times in asked.items():
            if request in self._requests:
                found.repeated += times - 1
            elif history in self._histories:
                found.lost += times
            else:
                found.strange += times
        found.unasked = len(self._requests - {request for _, request in asked})
        return found


def digest(said: Said) -> bytes:
    """Sixteen bytes that stand for messages in their order."""
    whole = hashlib.blake2b(digest_size=16)
    for role, text in said:
        content = text.encode("utf-8", "surrogatepass")
        whole.update(f"{role} {len(content)} ".encode() + content)
    return whole.digest()


def _some(start: int) -> str:
    return " ".join(WORDS[(start + place) % len(WORDS)] for place in range(12))
