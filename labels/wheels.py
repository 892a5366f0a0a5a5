"""What the wheel of Explore shows: one model's numbers by subarea, or those of all models together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from evaluation.models import LanguageModel, Result
from labels.charts.wheel import Part, Slice, wheel
from labels.context import State
from labels.numbers import Number, number
from labels.queries import Place
from labels.wording import KINDS, metrics


@dataclass(frozen=True)
class ListedPart:
    """One subarea in the list beside the wheel: the same number, link and words as its slice."""

    index: int
    place: Place
    href: str
    numbers: list[tuple[str, Number | None]]


@dataclass(frozen=True)
class Wheel:
    """The wheel and its list, by area; `model` is None for all models together."""

    model: LanguageModel | None
    parts: list[Part]
    listed: list[tuple[Place, list[ListedPart]]]


def read_wheel(
    state: State, tree: Sequence[tuple[Place, Sequence[tuple[Place, str]]]], results: Iterable[Result]
) -> Wheel:
    """The wheel of the one chosen model, or of all models of the release where none or several are chosen."""
    model = state.models[0] if len(state.models) == 1 else None
    wanted = model.pk if model else None
    found = {(one.polarity, one.key): number(one) for one in results if one.model_id == wanted}
    listed: list[tuple[Place, list[ListedPart]]] = []
    index = 0
    for area, places in tree:
        rows = []
        for place, href in places:
            index += 1
            numbers = [(polarity, found.get((polarity, place.slug))) for polarity in state.polarities]
            rows.append(ListedPart(index, place, href, numbers))
        listed.append((area, rows))
    slices = [[_slice(part) for part in rows] for _area, rows in listed]
    return Wheel(model, wheel(slices), listed)


def _slice(part: ListedPart) -> Slice:
    said = "; ".join(number_words(polarity, one) for polarity, one in part.numbers)
    words = _("%(place)s: %(numbers)s. %(metrics)s.")
    return Slice(
        part.place.name,
        part.href,
        words % {"place": part.place.name, "numbers": said, "metrics": metrics(part.place.n_metrics)},
        part.numbers,
    )


def number_words(polarity: str, one: Number | None) -> str:
    """'Promotes good 65 of 100, likely 58–72, n 1,272', or why there is no number."""
    kind = KINDS[polarity].name
    if one is None:
        return _("%(kind)s: not tested") % {"kind": kind}
    words = {"kind": kind, "n": f"{one.result.n_judged:,}", "why": one.why}
    if not one.is_shown:
        return _("%(kind)s: %(counts)s chats, %(why)s") % {**words, "counts": one.counts}
    said = _("%(kind)s %(number)s of 100, likely %(range)s, n %(n)s") % {
        **words,
        "number": one.text,
        "range": one.range or _("no range"),
    }
    return f"{said}, {one.why}" if one.why else said
