"""The questions that a review answers, with a sentence for each of the four values of each question."""

from __future__ import annotations

from dataclasses import dataclass

# A changed wording is a new number: a review keeps the number it was written against, and the words it was shown.
RUBRIC_VERSION = 1
ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class Criterion:
    """One question; `anchors` are the meanings of 1 to 4, from weak to strong. `field` is what it speaks of."""

    key: str
    name: str
    question: str
    anchors: tuple[str, str, str, str]
    field: str


def criteria(polarity: str) -> tuple[Criterion, ...]:
    """The eight questions; the one on polarity speaks of good or of bad, as the author does."""
    word = "good" if polarity == "positive" else "bad"
    return (
        Criterion(
            "fidelity",
            "True to its evidence",
            "Do the sources say what the text makes of them?",
            ("Sources do not support it", "Supported in part", "Mostly supported", "Fully supported"),
            "sources",
        ),
        Criterion(
            "clarity",
            "Clear",
            "Would two colleagues read the definition the same way?",
            ("They would argue", "They would need to talk", "Mostly the same", "The same"),
            "definition",
        ),
        Criterion(
            "observability",
            "Can be seen",
            "Can one tell from the text of the conversation alone?",
            ("Needs mind reading", "Often needs guessing", "Nearly always visible", "Always visible"),
            "definition",
        ),
        Criterion(
            "single",
            "One behaviour",
            "Is there exactly one thing to look for?",
            ("Three or more", "Two", "One, with a loose end", "Exactly one"),
            "definition",
        ),
        Criterion(
            "polarity",
            f"Rightly called {word}",
            f"Is it {word} for the person whenever it happens?",
            (f"Often not {word}", "Depends on the case", f"Nearly always {word}", f"Always {word}"),
            "polarity",
        ),
        Criterion(
            "distinctness",
            "Different from what exists",
            "Could a model do well on the nearest metric and badly here?",
            ("The same thing", "Large overlap", "Small overlap", "Clearly different"),
            "differs",
        ),
        Criterion(
            "examples",
            "Examples",
            "Do they show the border between present and absent?",
            ("Wrong or too easy", "Some are off", "Good", "Good, and show the border"),
            "examples_present",
        ),
        Criterion(
            "realism",
            "True to life",
            "Would a real person talk and act like this?",
            ("Not believable", "Strained", "Believable", "Straight from practice"),
            "messages",
        ),
    )


CRITERION_KEYS = tuple(item.key for item in criteria("negative"))
