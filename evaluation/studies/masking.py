"""What keeps a rater blind and the order fair: letters for models, orders by chance, both frozen by a seed."""

from collections.abc import Iterable, Sequence

from evaluation.studies.chance import shuffled
from evaluation.studies.questions import Option, Question, QuestionKind

_ALWAYS_LAST = ("not-sure", "unsure", "borderline")


def letters(targets: Sequence[str], *, key: str, seed: int) -> dict[str, str]:
    """A letter for each target, A first, dealt out by chance; after Z come AA, AB and so on.

    `key` names rater, metric and scenario: within it a letter stands for one model, and for any model elsewhere.
    """
    return {target: _letter(place) for place, target in enumerate(shuffled(targets, key=key, seed=seed))}


def order(items: Iterable[str], *, key: str, seed: int) -> list[str]:
    """The items in an order by chance; `key` names whose order it is. A new item moves none of the others."""
    return shuffled(items, key=key, seed=seed)


def options_order(question: Question, *, rater: str, seed: int) -> tuple[Option, ...]:
    """The options of a question as this rater sees them in the whole study.

    Two opposite answers (pass and fail, yes and no) stand in an order by chance, one for all such questions of a
    rater; "not sure" and "borderline" are always last. Scales and longer lists keep their order.
    """
    sides = [option for option in question.options if option.value not in _ALWAYS_LAST]
    if question.kind is not QuestionKind.CHOICE or len(sides) != 2:
        return question.options
    turned = shuffled(("as-written", "turned"), key=rater, seed=seed)[0] == "turned"
    last = [option for option in question.options if option.value in _ALWAYS_LAST]
    return (*(reversed(sides) if turned else sides), *last)


def _letter(place: int) -> str:
    text = ""
    while place >= 0:
        text = chr(ord("A") + place % 26) + text
        place = place // 26 - 1
    return text
