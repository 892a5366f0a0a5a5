"""What a trial reads of a submission: what has to be written first, and what makes a result an older one."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.services.trial_costs import TRIAL_TURNS
from submissions.composition import anchors
from submissions.content import FIELD_NAMES, Content
from submissions.models import Trial

# A trial of more judgments is refused; 20 examples with 3 questions are 60.
MOST_JUDGMENTS = 60

_JUDGED = ("definition", "questions", "hard_cases")
_READ = {
    Trial.Kind.EXAMPLES: (*_JUDGED, "messages", "examples_present", "examples_absent"),
    Trial.Kind.CONVERSATION: (*_JUDGED, "title", "polarity", "demographics", "known", "unknown", "messages"),
}
_IN_A_SENTENCE = {
    "definition": "the behaviour",
    "questions": "the question to the judge",
    "hard_cases": "the hard cases",
    "messages": "what the user says",
    "examples_present": "the examples where it is there",
    "examples_absent": "the examples where it is not there",
    "title": "the name",
    "polarity": "whether it is good or bad",
    "demographics": "who is asking",
    "known": "what the AI knows",
    "unknown": "what it does not know",
}


@dataclass(frozen=True, slots=True)
class AuthorsExample:
    """One example as it stands in the form: `number` is its line."""

    kind: str
    number: int
    text: str

    @property
    def expected(self) -> bool:
        """Whether its author says that the behaviour is there."""
        return self.kind == "present"


def examples_of(content: Content) -> list[AuthorsExample]:
    """The examples that hold text, the present ones first."""
    return [
        AuthorsExample(kind, number, text.strip())
        for kind, texts in (("present", content.examples_present), ("absent", content.examples_absent))
        for number, text in enumerate(texts, start=1)
        if text.strip()
    ]


def first_message(content: Content) -> str:
    """The user message that every example is an answer to."""
    return next((message.text.strip() for message in content.messages if not message.is_empty), "")


def unreached_turns(content: Content) -> list[int]:
    """The turns of messages that come later than a trial conversation ends."""
    return sorted({anchor.turn for anchor in anchors(content) if anchor.turn > TRIAL_TURNS})


def missing(kind: str, content: Content) -> list[str]:
    """The names of the fields to fill in before such a trial; [] when it can begin."""
    tidy = content.without_empty_lines()
    needed = ["definition", "questions", "messages"]
    if kind == Trial.Kind.CONVERSATION:
        needed += ["title", "polarity"]
    lacking = [name for name in FIELD_NAMES if name in needed and not getattr(tidy, name)]
    if kind == Trial.Kind.EXAMPLES and not examples_of(content):
        lacking.append("examples_present")
    return [FIELD_NAMES[name] for name in lacking]


def changed_fields(kind: str, tried: Content, now: Content) -> list[str]:
    """The fields that such a trial reads and that are no longer as they were tried."""
    return [name for name in _READ[Trial.Kind(kind)] if _read(kind, name, tried) != _read(kind, name, now)]


def in_a_sentence(names: list[str]) -> str:
    """Fields as words: 'the behaviour, the hard cases and the name'."""
    words = [_IN_A_SENTENCE[name] for name in names]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _read(kind: str, name: str, content: Content) -> object:
    if kind == Trial.Kind.EXAMPLES and name == "messages":
        return first_message(content)
    return getattr(content.without_empty_lines(), name)
