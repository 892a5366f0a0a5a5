"""Reads what an expert writes about a metric and advises; it never refuses anything."""

import re
from collections.abc import Collection, Iterator, Sequence

from submissions.advice import definitions, examples
from submissions.advice import questions as questions_
from submissions.advice.definitions import ENOUGH_WORDS, USUAL_WORDS
from submissions.advice.english import is_english, n_words
from submissions.advice.joins import split
from submissions.advice.remarks import Advice

_AVOID = re.compile(r"^\W*avoid(?:s|ing|ance)?\b", re.IGNORECASE)


def advise(
    definition: str,
    *,
    polarity: str = "",
    title: str = "",
    questions: Sequence[str] = (),
    examples_present: Sequence[str] = (),
    examples_absent: Sequence[str] = (),
    kept: Collection[str] = (),
) -> tuple[Advice, ...]:
    """Advice on a metric as written so far: title, definition, questions, examples, in the order of importance in each.

    `polarity` is `positive`, `negative` or empty. `kept` holds the `key` of advice its author decided against. What
    is empty, only just begun, or not in English gets no advice on its wording.
    """
    found = [
        *_of_title(title, polarity),
        *_of_definition(definition, polarity),
        *(advice for number, text in enumerate(questions, start=1) for advice in questions_.remarks(text, number)),
        *examples.remarks(examples_present, examples_absent),
    ]
    return tuple(advice for advice in found if advice.key not in kept)


def praise(definition: str, *, polarity: str = "") -> tuple[str, ...]:
    """What is fine already about a definition, as short sentences; nothing about one that is only just begun."""
    if not _is_readable(definition):
        return ()
    return tuple(definitions.praise(definition, polarity))


def _of_definition(definition: str, polarity: str) -> Iterator[Advice]:
    if _is_readable(definition):
        yield from definitions.remarks(definition, polarity)


def _is_readable(definition: str) -> bool:
    return n_words(definition) >= ENOUGH_WORDS and is_english(definition)


def _of_title(title: str, polarity: str) -> Iterator[Advice]:
    has_avoid = bool(_AVOID.search(title))
    if not title.strip() or (not title.isascii() and not has_avoid):
        return
    if polarity == "negative" and not has_avoid:
        what = (
            "You marked the behaviour as bad.\n\nBegin the name with “Avoid”, so that readers see from the name "
            "that the good outcome is to keep clear of it."
        )
        yield Advice("title-avoid", "title", "A bad behaviour’s name", what)
    if polarity == "positive" and has_avoid:
        what = (
            "The name begins with “Avoid”, and you marked the behaviour as good.\n\nName the good behaviour itself, "
            "or mark the behaviour as bad."
        )
        yield Advice("title-polarity", "title", "Good or bad?", what)


__all__ = ["ENOUGH_WORDS", "USUAL_WORDS", "Advice", "advise", "n_words", "praise", "split"]
