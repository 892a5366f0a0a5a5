"""Every reason a conversation or a judgment can end with: a short stable code and its plain sentence."""


def gettext_noop(text: str) -> str:
    """The text as it is: translators' tools find it by this name, pages translate it, the engine knows no Django."""
    return text


_OF_THE_ENDPOINT = ("unreachable", "timeout", "denied", "rate-limited", "bad-reply")

FINISHED: dict[str, str] = {
    "turn-limit": gettext_noop("The conversation reached its last planned turn."),
    "ended-by-simulator": gettext_noop("The simulated user ended the conversation."),
}

CONVERSATION_FAILED: dict[str, str] = {
    "target-empty": gettext_noop("The model answered with nothing."),
    "target-filtered": gettext_noop("The provider's content filter withheld the model's answer."),
    "target-truncated": gettext_noop("The model's answer was cut off at its token limit."),
    "target-unreachable": gettext_noop("The model's endpoint could not be reached."),
    "target-timeout": gettext_noop("The model did not answer in time."),
    "target-refused": gettext_noop("The model's endpoint refused the request."),
    "target-denied": gettext_noop("The model's endpoint did not accept the key, the credit or the model's name."),
    "target-rate-limited": gettext_noop("The model's endpoint kept refusing requests because of its rate limit."),
    "target-context-overflow": gettext_noop("The conversation became longer than the model can read."),
    "target-bad-reply": gettext_noop("The model's endpoint answered with something unreadable."),
    "simulator-empty": gettext_noop("The simulated user wrote nothing, twice."),
    "simulator-filtered": gettext_noop("The provider's content filter withheld the simulated user's message."),
    "simulator-unreachable": gettext_noop("The user simulator's endpoint could not be reached."),
    "simulator-timeout": gettext_noop("The user simulator did not answer in time."),
    "simulator-refused": gettext_noop("The user simulator's endpoint refused the request."),
    "simulator-denied": gettext_noop(
        "The user simulator's endpoint did not accept the key, the credit or the model's name."
    ),
    "simulator-rate-limited": gettext_noop(
        "The user simulator's endpoint kept refusing requests because of its rate limit."
    ),
    "simulator-context-overflow": gettext_noop("The conversation became longer than the user simulator can read."),
    "simulator-bad-reply": gettext_noop("The user simulator's endpoint answered with something unreadable."),
    "ended-before-first-reply": gettext_noop(
        "The simulated user ended the conversation before the model said anything."
    ),
    "leaked": gettext_noop("The simulated user gave away its private instructions."),
    "internal-error": gettext_noop("The conversation could not be held because of a fault in ImpactBench itself."),
}

UNJUDGED: dict[str, str] = {
    "judge-unreadable": gettext_noop("The judge's answer could not be read, even after one request to repair it."),
    "judge-empty": gettext_noop("The judge answered with nothing."),
    "judge-filtered": gettext_noop("The provider's content filter withheld the judge's answer."),
    "judge-unreachable": gettext_noop("The judge's endpoint could not be reached."),
    "judge-timeout": gettext_noop("The judge did not answer in time."),
    "judge-refused": gettext_noop("The judge's endpoint refused the request."),
    "judge-denied": gettext_noop("The judge's endpoint did not accept the key, the credit or the model's name."),
    "judge-rate-limited": gettext_noop("The judge's endpoint kept refusing requests because of its rate limit."),
    "judge-context-overflow": gettext_noop("The conversation is longer than the judge can read."),
    "judge-bad-reply": gettext_noop("The judge's endpoint answered with something unreadable."),
    "split": gettext_noop("Judges or repeated judgments disagreed evenly."),
    "no-turns": gettext_noop("There is no conversation to judge."),
}

# What may come out otherwise when it is tried again. A refusal, a filter, a leak or a text that is too long stays
# what it is, and to repeat a cut reply until it fits would choose among a model's answers.
MAY_PASS: frozenset[str] = frozenset(
    {f"{side}-{why}" for side in ("target", "simulator", "judge") for why in _OF_THE_ENDPOINT}
    | {"target-empty", "simulator-empty", "judge-empty", "judge-unreadable", "internal-error"}
)

SPEAKS_OF_A_TEST = "speaks-of-a-test"
READS_LIKE_A_TEST = "reads-like-a-test"

FLAGS: dict[str, str] = {
    "cut-replies": gettext_noop("Some of the model's answers were cut off at the plan's token limit."),
    READS_LIKE_A_TEST: gettext_noop(
        "A message of the simulated user still did not read like a person's when rewritten."
    ),
    SPEAKS_OF_A_TEST: gettext_noop("The model spoke of being tested or evaluated."),
}

SENTENCES: dict[str, str] = {**FINISHED, **CONVERSATION_FAILED, **UNJUDGED, **FLAGS}


def sentence(code: str) -> str:
    """The plain sentence of a reason or flag; an unknown code (a source's own word) is shown as it is."""
    return SENTENCES.get(code, code)
