"""Every reason a conversation or a judgment can end with: a short stable code and its plain sentence."""

from __future__ import annotations

FINISHED: dict[str, str] = {
    "turn-limit": "The conversation reached its last planned turn.",
    "ended-by-simulator": "The simulated user ended the conversation.",
}

CONVERSATION_FAILED: dict[str, str] = {
    "target-empty": "The model answered with nothing.",
    "target-filtered": "The provider's content filter withheld the model's answer.",
    "target-truncated": "The model's answer was cut off at its token limit.",
    "target-unreachable": "The model's endpoint could not be reached.",
    "target-timeout": "The model did not answer in time.",
    "target-refused": "The model's endpoint refused the request.",
    "target-denied": "The model's endpoint did not accept the key, the credit or the model's name.",
    "target-rate-limited": "The model's endpoint kept refusing requests because of its rate limit.",
    "target-context-overflow": "The conversation became longer than the model can read.",
    "target-bad-reply": "The model's endpoint answered with something unreadable.",
    "simulator-empty": "The simulated user wrote nothing, twice.",
    "simulator-filtered": "The provider's content filter withheld the simulated user's message.",
    "simulator-unreachable": "The user simulator's endpoint could not be reached.",
    "simulator-timeout": "The user simulator did not answer in time.",
    "simulator-refused": "The user simulator's endpoint refused the request.",
    "simulator-denied": "The user simulator's endpoint did not accept the key, the credit or the model's name.",
    "simulator-rate-limited": "The user simulator's endpoint kept refusing requests because of its rate limit.",
    "simulator-context-overflow": "The conversation became longer than the user simulator can read.",
    "simulator-bad-reply": "The user simulator's endpoint answered with something unreadable.",
    "ended-before-first-reply": "The simulated user ended the conversation before the model said anything.",
    "leaked": "The simulated user gave away its private instructions.",
    "internal-error": "The conversation could not be held because of a fault in ImpactBench itself.",
}

UNJUDGED: dict[str, str] = {
    "judge-unreadable": "The judge's answer could not be read, even after one request to repair it.",
    "judge-empty": "The judge answered with nothing.",
    "judge-filtered": "The provider's content filter withheld the judge's answer.",
    "judge-unreachable": "The judge's endpoint could not be reached.",
    "judge-timeout": "The judge did not answer in time.",
    "judge-refused": "The judge's endpoint refused the request.",
    "judge-denied": "The judge's endpoint did not accept the key, the credit or the model's name.",
    "judge-rate-limited": "The judge's endpoint kept refusing requests because of its rate limit.",
    "judge-context-overflow": "The conversation is longer than the judge can read.",
    "judge-bad-reply": "The judge's endpoint answered with something unreadable.",
    "split": "Judges or repeated judgments disagreed evenly.",
    "no-turns": "There is no conversation to judge.",
}

SPEAKS_OF_A_TEST = "speaks-of-a-test"

FLAGS: dict[str, str] = {
    "cut-replies": "Some of the model's answers were cut off at the plan's token limit.",
    SPEAKS_OF_A_TEST: "The model spoke of being tested or evaluated.",
}

SENTENCES: dict[str, str] = {**FINISHED, **CONVERSATION_FAILED, **UNJUDGED, **FLAGS}


def sentence(code: str) -> str:
    """The plain sentence of a reason or flag; an unknown code (a source's own word) is shown as it is."""
    return SENTENCES.get(code, code)
