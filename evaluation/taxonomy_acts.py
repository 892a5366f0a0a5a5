"""What editors do to a taxonomy on its way to a next version: each act as a pure step from one content to another.

A draft keeps its acts, not its content: undoing is leaving the last act out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeVar

from django.utils.text import slugify

from evaluation.importers.formats.slugs import TAKEN_BY_PAGES
from impactbench.common.errors import DomainError

LONGEST_NAME = 200
LONGEST_SENTENCE = 400


@dataclass(frozen=True, slots=True)
class SubareaContent:
    """A subarea with the keys of the metrics that stand in it."""

    slug: str
    name: str
    plain_name: str = ""
    plain_sentence: str = ""
    metrics: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class AreaContent:
    """An area with its subareas, in their order."""

    slug: str
    name: str
    subareas: tuple[SubareaContent, ...] = ()


@dataclass(frozen=True, slots=True)
class TaxonomyContent:
    """All areas, in their order."""

    areas: tuple[AreaContent, ...] = ()

    @property
    def subareas(self) -> dict[str, SubareaContent]:
        """Every subarea by its slug."""
        return {subarea.slug: subarea for area in self.areas for subarea in area.subareas}

    @property
    def area_of(self) -> dict[str, str]:
        """The slug of each subarea's area."""
        return {subarea.slug: area.slug for area in self.areas for subarea in area.subareas}

    @property
    def placed(self) -> frozenset[int]:
        """The keys of the metrics that stand anywhere."""
        return frozenset().union(*(subarea.metrics for subarea in self.subareas.values()))


@dataclass(frozen=True, slots=True)
class Act:
    """One act: its kind (a name in ACTS), the slug it is about, a second slug or an area, and words."""

    kind: str
    about: str = ""
    other: str = ""
    name: str = ""
    plain_name: str = ""
    plain_sentence: str = ""


def applied(content: TaxonomyContent, acts: Iterable[Act]) -> TaxonomyContent:
    """The content after these acts, one after the other. Raises DomainError for one that cannot be done."""
    return reduce(lambda found, act: _step(act)(found, act), acts, content)


def in_words(before: TaxonomyContent, act: Act) -> str:
    """What an act did, for its line in the log: `Merged Law into Physical Safety`."""
    return ACTS[act.kind][1](before, act)


def _step(act: Act) -> Callable[[TaxonomyContent, Act], TaxonomyContent]:
    if act.kind not in ACTS:
        raise DomainError(f"there is no act {act.kind!r}; reload the page and try again")
    return ACTS[act.kind][0]


# --- What acts do


def _add_area(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    area = AreaContent(_new_slug(content, act.name), _name(act))
    return replace(content, areas=(*content.areas, area))


def _rename_area(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    _area(content, act.about)
    return _with_area(content, act.about, lambda area: replace(area, name=_name(act)))


def _merge_areas(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    gone, kept = _two(_area(content, act.about), _area(content, act.other))
    content = _with_area(content, kept.slug, lambda area: replace(area, subareas=area.subareas + gone.subareas))
    return replace(content, areas=tuple(area for area in content.areas if area.slug != gone.slug))


def _retire_area(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    area = _area(content, act.about)
    if area.subareas:
        names = ", ".join(subarea.name for subarea in area.subareas)
        raise DomainError(f"{area.name} still has subareas ({names}); move, merge or retire them first")
    return replace(content, areas=tuple(each for each in content.areas if each.slug != area.slug))


def _add_subarea(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    _area(content, act.other)
    new = SubareaContent(_new_slug(content, act.name), _name(act), *_plain_words(act))
    return _with_area(content, act.other, lambda area: replace(area, subareas=(*area.subareas, new)))


def _rename_subarea(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    plain_name, plain_sentence = _plain_words(act)
    named = replace(_subarea(content, act.about), name=_name(act), plain_name=plain_name, plain_sentence=plain_sentence)
    return _with_subarea(content, act.about, named)


def _move_subarea(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    subarea, area = _subarea(content, act.about), _area(content, act.other)
    if content.area_of[subarea.slug] == area.slug:
        raise DomainError(f"{subarea.name} is in {area.name} already; choose another area")
    content = _with_subarea(content, subarea.slug, None)
    return _with_area(content, area.slug, lambda found: replace(found, subareas=(*found.subareas, subarea)))


def _merge_subareas(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    gone, kept = _two(_subarea(content, act.about), _subarea(content, act.other))
    content = _with_subarea(content, gone.slug, None)
    return _with_subarea(content, kept.slug, replace(kept, metrics=kept.metrics | gone.metrics))


def _retire_subarea(content: TaxonomyContent, act: Act) -> TaxonomyContent:
    return _with_subarea(content, _subarea(content, act.about).slug, None)


# How each act is done, and what it is called afterwards.
ACTS: dict[str, tuple[Callable[[TaxonomyContent, Act], TaxonomyContent], Callable[[TaxonomyContent, Act], str]]] = {
    "add-area": (_add_area, lambda _, act: f"Added the area {act.name.strip()}"),
    "rename-area": (
        _rename_area,
        lambda before, act: f"Renamed the area {_area(before, act.about).name} to {act.name.strip()}",
    ),
    "merge-areas": (
        _merge_areas,
        lambda before, act: f"Merged {_area(before, act.about).name} into {_area(before, act.other).name}",
    ),
    "retire-area": (_retire_area, lambda before, act: f"Retired the area {_area(before, act.about).name}"),
    "add-subarea": (
        _add_subarea,
        lambda before, act: f"Added {act.name.strip()} to {_area(before, act.other).name}",
    ),
    "rename-subarea": (
        _rename_subarea,
        lambda before, act: f"Reworded {_subarea(before, act.about).name}, now {act.name.strip()}",
    ),
    "move-subarea": (
        _move_subarea,
        lambda before, act: f"Moved {_subarea(before, act.about).name} to {_area(before, act.other).name}",
    ),
    "merge-subareas": (
        _merge_subareas,
        lambda before, act: f"Merged {_subarea(before, act.about).name} into {_subarea(before, act.other).name}",
    ),
    "retire-subarea": (_retire_subarea, lambda before, act: f"Retired {_subarea(before, act.about).name}"),
}


# --- What changes


@dataclass(frozen=True, slots=True)
class Counts:
    """How many metrics of each polarity; `unknown` are those whose source does not tell it."""

    positive: int = 0
    negative: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        return self.positive + self.negative + self.unknown


def counts(metrics: Iterable[int], polarity: Mapping[int, str | None]) -> Counts:
    """The counts of these metrics; `polarity` is that of every metric by its key."""
    found = [polarity.get(metric) for metric in metrics]
    return Counts(found.count("positive"), found.count("negative"), found.count(None))


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one subarea: its counts before and after, None where it was not or is no more."""

    name: str
    before: Counts | None
    after: Counts | None
    area_before: str = ""
    area_after: str = ""


def changes(before: TaxonomyContent, after: TaxonomyContent, polarity: Mapping[int, str | None]) -> list[Change]:
    """The subareas that an act or many changed in their metrics or their area, or made, or took away."""
    areas = [{area.slug: area.name for area in content.areas} for content in (before, after)]
    found = []
    for slug in dict.fromkeys([*before.subareas, *after.subareas]):
        old, new = before.subareas.get(slug), after.subareas.get(slug)
        places = [content.area_of.get(slug, "") for content in (before, after)]
        if old and new and old.metrics == new.metrics and places[0] == places[1]:
            continue
        shown = new or old
        assert shown is not None
        found.append(
            Change(
                name=shown.name,
                before=counts(old.metrics, polarity) if old else None,
                after=counts(new.metrics, polarity) if new else None,
                area_before=areas[0].get(places[0], ""),
                area_after=areas[1].get(places[1], ""),
            )
        )
    return found


# --- Parts

Part = TypeVar("Part", AreaContent, SubareaContent)


def _area(content: TaxonomyContent, slug: str) -> AreaContent:
    for area in content.areas:
        if area.slug == slug:
            return area
    raise DomainError("choose an area of this draft")


def _subarea(content: TaxonomyContent, slug: str) -> SubareaContent:
    if slug not in content.subareas:
        raise DomainError("choose a subarea of this draft")
    return content.subareas[slug]


def _two(gone: Part, kept: Part) -> tuple[Part, Part]:
    if gone.slug == kept.slug:
        raise DomainError(f"{gone.name} cannot be merged into itself; choose another")
    return gone, kept


def _name(act: Act) -> str:
    name = " ".join(act.name.split())
    if not name:
        raise DomainError("give it a name")
    if len(name) > LONGEST_NAME:
        raise DomainError(f"a name has at most {LONGEST_NAME} characters; this one has {len(name)}")
    return name


def _plain_words(act: Act) -> tuple[str, str]:
    plain_name, sentence = " ".join(act.plain_name.split()), " ".join(act.plain_sentence.split())
    if len(plain_name) > LONGEST_NAME or len(sentence) > LONGEST_SENTENCE:
        raise DomainError(
            f"a plain name has at most {LONGEST_NAME} characters, its sentence at most {LONGEST_SENTENCE}"
        )
    return plain_name, sentence


def _new_slug(content: TaxonomyContent, name: str) -> str:
    slug = slugify(name)[:100]
    if not slug:
        raise DomainError("give it a name with letters of the Latin alphabet: its address is made of them")
    if slug in TAKEN_BY_PAGES:
        raise DomainError(f"another page has the address {slug!r}; give this one another name")
    taken = {area.slug for area in content.areas} | set(content.subareas)
    if slug in taken:
        raise DomainError(f"there is an area or subarea {slug!r} already; give this one another name")
    return slug


def _with_area(content: TaxonomyContent, slug: str, changed: Callable[[AreaContent], AreaContent]) -> TaxonomyContent:
    """The area of that slug `changed`, all others as they are."""
    areas = (changed(area) if area.slug == slug else area for area in content.areas)
    return replace(content, areas=tuple(areas))


def _with_subarea(content: TaxonomyContent, slug: str, new: SubareaContent | None) -> TaxonomyContent:
    """`new` in the place of the subarea of that slug, or nothing."""

    def changed(area: AreaContent) -> AreaContent:
        kept = (new if subarea.slug == slug else subarea for subarea in area.subareas)
        return replace(area, subareas=tuple(subarea for subarea in kept if subarea is not None))

    return _with_area(content, content.area_of[slug], changed)
