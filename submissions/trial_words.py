"""What people are told about trials: what they cost, and why one came to nothing, from the engine's codes."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_UP, Decimal

_WHO = {"judge": "The judge", "simulator": "The simulated user", "target": "The AI being tested"}
_WHAT = {
    "unreachable": "could not be reached. Try again in a few minutes.",
    "timeout": "did not answer in time. Try again in a few minutes.",
    "rate-limited": "has too much to do at the moment. Try again in a few minutes.",
    "denied": "does not take our calls: a key or credit is missing. Please tell the people who run this site.",
    "refused": "refused the request. Please tell the people who run this site.",
    "bad-reply": "answered with something that is not a reply. Try again in a few minutes.",
    "context-overflow": "cannot read a text of this length. Shorten yours.",
    "filtered": "wrote something that its provider’s filter held back.",
    "empty": "answered with nothing. Try again.",
    "truncated": "wrote more than fits into a trial. Try again.",
    "unreadable": "gave an answer that could not be read, twice.",
}
_WHOLE = {
    "judge-unreadable": "The judge’s answer could not be read, twice.",
    "leaked": "The simulated user gave away what it is told in private, so the conversation does not count. Try again.",
    "ended-before-first-reply": "The simulated user said nothing. Try again.",
    "no-turns": "There is nothing to judge.",
}
NOT_COUNTED = "It does not count for or against you."

# When no judgment came about and these are the reasons, the trial as a whole has failed.
_OF_THE_WHOLE = frozenset({"unreachable", "timeout", "rate-limited", "denied", "refused", "bad-reply"})

SWITCHED_OFF = "Trials are switched off on this site. You can send without one. The reviewers see that none was made."
NO_CONVERSATIONS = "Trial conversations are switched off on this site. You can send without one."
NO_TRIAL_OF_DRAFTS = (
    "Trial conversations are switched off on this site. You can decide without one, or ask an operator to allow a "
    "model for each part."
)
NO_EVIDENCE = "It is no evidence and counts for nothing."
WORKER_GONE = "The trial was interrupted before it was done. Try again."
NO_WORKER = "Nobody took up the trial within a quarter of an hour. Try again later."
TOO_LONG = "The trial took too long and was stopped. Try again later."
TOO_DEAR = "The trial cost more than expected and was stopped."
MODEL_CHANGED = "The model for trials was changed in the meantime. Try again."
OUR_FAULT = "The trial failed because of a fault on our side. Try again, and tell us if it happens again."


def trouble(code: str) -> str:
    """The sentence for a reason of the engine, such as `judge-denied`."""
    if code in _WHOLE:
        return _WHOLE[code]
    part, _, what = code.partition("-")
    return f"{_WHO[part]} {_WHAT[what]}" if part in _WHO and what in _WHAT else OUR_FAULT


def is_of_the_whole(code: str) -> bool:
    """Whether a judgment's reason says that the judge as such is not to be had."""
    return code.partition("-")[2] in _OF_THE_WHOLE


def cents(usd: Decimal, *, down: bool = False) -> str:
    """An amount in whole cents, rounded up unless `down`: '1 cent', '86 cents'."""
    whole = int((usd * 100).to_integral_value(rounding=ROUND_DOWN if down else ROUND_UP))
    return f"{whole} cent{'' if whole == 1 else 's'}"
