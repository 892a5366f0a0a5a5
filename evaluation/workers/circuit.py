"""Tells a model that is down from a conversation that had bad luck."""

from __future__ import annotations

from collections import Counter

from evaluation.engine.types import ModelCallReason

# So many failures of one kind in a row, without one answer from that model in between, stop the run.
FAILURES_THAT_STOP: dict[ModelCallReason, int] = {
    "denied": 1,
    "unreachable": 3,
    "timeout": 10,
    "rate-limited": 10,
    "refused": 10,
}
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


class Circuit:
    """Counts failures in a row by model and kind, in one worker."""

    def __init__(self) -> None:
        self._in_a_row: Counter[tuple[str, str]] = Counter()
        self._details: dict[tuple[str, str], str] = {}

    def succeeded(self, model: str) -> None:
        if self._in_a_row:
            for reason in FAILURES_THAT_STOP:
                self._in_a_row.pop((model, reason), None)

    def failed(self, model: str, reason: ModelCallReason, detail: str) -> None:
        if reason in FAILURES_THAT_STOP:
            self._in_a_row[model, reason] += 1
            self._details[model, reason] = detail

    def is_open(self, model: str, reason: str) -> bool:
        """True when nothing is to be expected of this model for now."""
        return any(kind == reason and self._in_a_row[model, kind] >= most for kind, most in FAILURES_THAT_STOP.items())

    def sentence(self, model: str, reason: ModelCallReason) -> str:
        """Why the run stops, for people; the endpoint's own words behind it."""
        times = self._in_a_row[model, reason]
        detail = self._details.get((model, reason), "")
        in_a_row = f", {times} times in a row" if FAILURES_THAT_STOP[reason] > 1 else ""
        return f"model {model} {_WORDS[reason]}{in_a_row} ({detail[:200]})"
