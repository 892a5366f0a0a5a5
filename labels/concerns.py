"""A reader's own concerns: which areas of life count, and how much, read from the address and written into it.

`weights=learning:3,privacy-security:1` names areas or subareas of the release's taxonomy with a weight from 0 to 3.
Nothing is stored and nobody else is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import Result
from labels.context import MOST_NAMED
from labels.queries import Place
from labels.wording import in_words

WEIGHTS = {
    0: gettext_lazy("Does not count"),
    1: gettext_lazy("Counts a little"),
    2: gettext_lazy("Counts"),
    3: gettext_lazy("Counts most"),
}
# The names of the form's fields are this and the slug of a place.
FIELD = "w-"
# More than any taxonomy has; the rest of a longer list is not read.
MOST_READ = 100


@dataclass(frozen=True)
class Concern:
    """A place that counts: an area or a subarea with a weight from 1 to 3."""

    place: Place
    group: str
    weight: int


@dataclass(frozen=True)
class Choice:
    """One field of the form."""

    slug: str
    name: str
    weight: int


def read_weights(text: str, tree: Sequence[Place], notices: list[str]) -> list[Concern]:
    """The concerns that an address names, in the taxonomy's order; what cannot be used is ignored with a notice.

    Where an area and one of its subareas are named, the subarea counts: its metrics would count twice. A slug that
    an area and a subarea share is the area's.
    """
    areas = {area.slug: area for area in tree}
    parts = {part.slug: part for area in tree for part in area.parts if part.slug not in areas}
    weights = _weights(text, areas.keys() | parts.keys(), notices)
    doubled = [area for area in tree if weights.get(area.slug) and any(weights.get(part.slug) for part in area.parts)]
    if doubled:
        names = in_words([area.name for area in doubled])
        notices.append(_("Parts of %(areas)s were chosen, so the whole does not count beside them.") % {"areas": names})
    whole = [area for area in tree if weights.get(area.slug) and area not in doubled]
    found = [Concern(area, Result.Group.AREA, weights[area.slug]) for area in whole]
    return found + [
        Concern(part, Result.Group.SUBAREA, weights[part.slug]) for part in parts.values() if weights.get(part.slug)
    ]


def weights_text(weights: Mapping[str, int | str]) -> str:
    """The weights as they stand in an address: by slug, without those that do not count."""
    return ",".join(f"{slug}:{weight}" for slug, weight in sorted(weights.items()) if str(weight) not in ("", "0"))


def of_form(fields: Mapping[str, str]) -> str | None:
    """The weights that the form's fields name, as the address has them; None where no field of the form is there."""
    given = {name.removeprefix(FIELD): value for name, value in fields.items() if name.startswith(FIELD)}
    return weights_text(given) if given else None


def choices(tree: Sequence[Place], concerns: Sequence[Concern]) -> list[tuple[Choice, list[Choice]]]:
    """The fields of the form: each area, then its subareas."""
    weights = {concern.place.slug: concern.weight for concern in concerns}

    def choice(place: Place) -> Choice:
        return Choice(place.slug, place.name, weights.get(place.slug, 0))

    return [(choice(area), [choice(part) for part in area.parts]) for area in tree]


def _weights(text: str, known: set[str], notices: list[str]) -> dict[str, int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    weights: dict[str, int] = {}
    ignored: list[tuple[str, str]] = []
    for item in parts[:MOST_READ]:
        slug, _colon, weight = item.partition(":")
        if slug not in known:
            why = _("There is no area “%(slug)s” in this release, so it was ignored.") % {"slug": slug}
            ignored.append((item, why))
        elif weight not in {str(value) for value in WEIGHTS}:
            words = {"item": item, "most": max(WEIGHTS)}
            why = _("“%(item)s” was ignored: a weight is a whole number from 0 to %(most)s.") % words
            ignored.append((item, why))
        else:
            weights[slug] = int(weight)
    unread = _("“%(item)s” was ignored: only the first %(most)s weights are read.")
    ignored += [(item, unread % {"item": item, "most": MOST_READ}) for item in parts[MOST_READ:]]
    notices += _notices(ignored)
    return weights


def _notices(ignored: list[tuple[str, str]]) -> list[str]:
    """Why each part was ignored; of many, the first few in one sentence and how many more there are."""
    n_more = len(ignored) - MOST_NAMED
    if n_more <= 0:
        return [why for _item, why in ignored]
    named = ", ".join(f"“{item}”" for item, _why in ignored[:MOST_NAMED])
    words = {"named": named, "n": n_more, "most": max(WEIGHTS)}
    return [
        _("%(named)s and %(n)s more were ignored: write an area of this release, a colon, and 0 to %(most)s.") % words
    ]
