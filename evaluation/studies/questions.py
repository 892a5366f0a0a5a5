"""What a rater is asked: questions of five kinds, forms made of them, and what makes an answer valid."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

MOST_TURN = 1_000


class QuestionKind(StrEnum):
    """How a question is answered: a number of a scale, one word, several, free text, or numbers of turns."""

    SCALE = "scale"
    CHOICE = "choice"
    SEVERAL = "several"
    TEXT = "text"
    TURNS = "turns"


def gettext_noop(text: str) -> str:
    """The text as it is: translators' tools find it by this name, pages translate it; nothing here knows Django."""
    return text


@dataclass(frozen=True)
class Option:
    """One answer to choose: the value that is kept and the words that are shown."""

    value: str
    words: str


@dataclass(frozen=True)
class Question:
    """One question of a form.

    `asked_when` names another question and those of its values at which this one must be answered (for several and
    turns: any of them); at other values an answer is welcome and kept. Otherwise `required` decides.
    """

    key: str
    words: str
    kind: QuestionKind
    options: tuple[Option, ...] = ()
    required: bool = True
    help: str = ""
    most_letters: int = 20_000
    asked_when: tuple[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Form:
    """The questions put to a rater about one item, in their order."""

    slug: str
    title: str
    questions: tuple[Question, ...]


def problems(form: Form, answers: Mapping[str, object], *, say: Callable[[str], str] = gettext_noop) -> dict[str, str]:
    """For each question that is not answered as it should be, what to do; empty when the form can be submitted.

    `say` gives a sentence in the language of who reads it.
    """
    kept = cleaned(form, answers)
    found = {}
    for question in form.questions:
        given = answers.get(question.key)
        if _is_empty(given):
            if _is_needed(question, kept):
                found[question.key] = say(_MISSING[question.kind])
        elif question.kind is QuestionKind.TEXT and len(str(given)) > question.most_letters:
            sizes = {"most": f"{question.most_letters:,}", "n": f"{len(str(given)):,}"}
            found[question.key] = say(_TOO_LONG) % sizes
        elif not _is_whole(question, given):
            found[question.key] = say(_IMPOSSIBLE[question.kind])
    return found


def cleaned(form: Form, answers: Mapping[str, object]) -> dict[str, object]:
    """The answers that can be kept, in their types: int of a scale, str, sorted list of str, sorted list of int.

    Drops what the form does not ask and what is no possible value. A text keeps its letters, be they too many:
    `problems` says so, and nothing that a rater wrote is lost.
    """
    found = {}
    for question in form.questions:
        value = _value(question, answers.get(question.key))
        if not _is_empty(value):
            found[question.key] = value
    return found


def _value(question: Question, given: object) -> object:
    if _is_empty(given):
        return None
    if question.kind is QuestionKind.TEXT:
        return given if isinstance(given, str) else None
    if question.kind is QuestionKind.TURNS:
        return sorted({turn for turn in map(_turn, _listed(given)) if turn is not None})
    possible = {option.value for option in question.options}
    if question.kind is QuestionKind.SEVERAL:
        return sorted({str(value) for value in _listed(given)} & possible)
    if isinstance(given, bool) or not isinstance(given, str | int) or str(given) not in possible:
        return None
    return int(given) if question.kind is QuestionKind.SCALE else str(given)


def _turn(given: object) -> int | None:
    if isinstance(given, bool) or not isinstance(given, str | int):
        return None
    text = str(given).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= MOST_TURN else None


def _listed(given: object) -> list[object]:
    return list(given) if isinstance(given, list | tuple | set | frozenset) else [given]


def _is_empty(given: object) -> bool:
    return given is None or (isinstance(given, str) and not given.strip()) or given in ([], (), set())


def _is_needed(question: Question, kept: Mapping[str, object]) -> bool:
    if question.asked_when is None:
        return question.required
    key, values = question.asked_when
    return bool({str(value) for value in _listed(kept.get(key))} & set(values))


def _is_whole(question: Question, given: object) -> bool:
    """Whether all of what was given could be kept."""
    value = _value(question, given)
    if _is_empty(value):
        return False
    return not isinstance(value, list) or len({str(one).strip() for one in _listed(given)}) == len(value)


_TOO_LONG = gettext_noop("Shorten this to %(most)s letters; it has %(n)s.")
_MISSING = {
    QuestionKind.SCALE: gettext_noop("Choose a number."),
    QuestionKind.CHOICE: gettext_noop("Choose one answer."),
    QuestionKind.SEVERAL: gettext_noop("Choose at least one answer."),
    QuestionKind.TEXT: gettext_noop("Write at least a few words."),
    QuestionKind.TURNS: gettext_noop("Tick at least one turn."),
}
_IMPOSSIBLE = {
    QuestionKind.SCALE: gettext_noop("Choose one of the numbers shown."),
    QuestionKind.CHOICE: gettext_noop("Choose one of the answers shown."),
    QuestionKind.SEVERAL: gettext_noop("Choose only answers that are shown."),
    QuestionKind.TEXT: gettext_noop("Write your answer as text."),
    QuestionKind.TURNS: gettext_noop("Tick only turns of this conversation."),
}
