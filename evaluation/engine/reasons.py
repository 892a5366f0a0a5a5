"""Every reason a conversation or a judgment can end with: a short stable code and its plain sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FINISHED: dict[str, _StrPromise] = {
    "turn-limit": _("The conversation reached its last planned turn."),
    "ended-by-simulator": _("The simulated user ended the conversation."),
}

CONVERSATION_FAILED: dict[str, _StrPromise] = {
    "target-empty": _("The model answered with nothing."),
    "target-filtered": _("The provider's content filter withheld the model's answer."),
    "target-truncated": _("The model's answer was cut off at its token limit."),
    "target-unreachable": _("The model's endpoint could not be reached."),
    "target-timeout": _("The model did not answer in time."),
    "target-refused": _("The model's endpoint refused the request."),
    "target-denied": _("The model's endpoint did not accept the key, the credit or the model's name."),
    "target-rate-limited": _("The model's endpoint kept refusing requests because of its rate limit."),
    "target-context-overflow": _("The conversation became longer than the model can read."),
    "target-bad-reply": _("The model's endpoint answered with something unreadable."),
    "simulator-empty": _("The simulated user wrote nothing, twice."),
    "simulator-filtered": _("The provider's content filter withheld the simulated user's message."),
    "simulator-unreachable": _("The user simulator's endpoint could not be reached."),
    "simulator-timeout": _("The user simulator did not answer in time."),
    "simulator-refused": _("The user simulator's endpoint refused the request."),
    "simulator-denied": _("The user simulator's endpoint did not accept the key, the credit or the model's name."),
    "simulator-rate-limited": _("The user simulator's endpoint kept refusing requests because of its rate limit."),
    "simulator-context-overflow": _("The conversation became longer than the user simulator can read."),
    "simulator-bad-reply": _("The user simulator's endpoint answered with something unreadable."),
    "ended-before-first-reply": _("The simulated user ended the conversation before the model said anything."),
    "leaked": _("The simulated user gave away its private instructions."),
    "internal-error": _("The conversation could not be held because of a fault in ImpactBench itself."),
}

UNJUDGED: dict[str, _StrPromise] = {
    "judge-unreadable": _("The judge's answer could not be read, even after one request to repair it."),
    "judge-empty": _("The judge answered with nothing."),
    "judge-filtered": _("The provider's content filter withheld the judge's answer."),
    "judge-unreachable": _("The judge's endpoint could not be reached."),
    "judge-timeout": _("The judge did not answer in time."),
    "judge-refused": _("The judge's endpoint refused the request."),
    "judge-denied": _("The judge's endpoint did not accept the key, the credit or the model's name."),
    "judge-rate-limited": _("The judge's endpoint kept refusing requests because of its rate limit."),
    "judge-context-overflow": _("The conversation is longer than the judge can read."),
    "judge-bad-reply": _("The judge's endpoint answered with something unreadable."),
    "split": _("Judges or repeated judgments disagreed evenly."),
    "no-turns": _("There is no conversation to judge."),
}

SPEAKS_OF_A_TEST = "speaks-of-a-test"

FLAGS: dict[str, _StrPromise] = {
    "cut-replies": _("Some of the model's answers were cut off at the plan's token limit."),
    SPEAKS_OF_A_TEST: _("The model spoke of being tested or evaluated."),
}

SENTENCES: dict[str, _StrPromise] = {**FINISHED, **CONVERSATION_FAILED, **UNJUDGED, **FLAGS}


def sentence(code: str) -> str:
    """The plain sentence of a reason or flag; an unknown code (a source's own word) is shown as it is."""
    return str(SENTENCES.get(code, code))
