"""Two texts that grew from a common one: what both changed, what goes together, and what a person has to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from submissions.advice.worddiff import Segment, diff, merge
from submissions.content import FIELD_NAMES, FIELDS, MOST_ITEMS, Content, text_of
from submissions.field_words import in_words

MINE, SAVED, TOGETHER = "mine", "saved", "together"


@dataclass(frozen=True)
class Clash:
    """A field that both sides changed. `together` is None where the two texts cannot be put together by themselves."""

    field: str
    name: str
    mine: tuple[Segment, ...]
    saved: tuple[Segment, ...]
    together: str | None
    can_be_written: bool
    draft: str

    @property
    def is_open(self) -> bool:
        """Whether the third text is worth showing at once."""
        return self.together is not None


@dataclass(frozen=True)
class Comparison:
    """Everything that two texts have in common and not: `merged` holds the saved text where a choice is to be made."""

    clashes: tuple[Clash, ...]
    merged: Content
    taken: tuple[str, ...]


def compare(base: Content | None, mine: Content, saved: Content) -> Comparison:
    """Compare field by field with the common version `base`; without one, every difference is a choice."""
    clashes, taken, merged = [], [], saved
    for field in _in_order():
        here, there = getattr(mine, field), getattr(saved, field)
        before = getattr(base, field) if base is not None else None
        if here == there or (base is not None and here == before):
            continue
        if base is not None and there == before:
            merged = replace(merged, **{field: here})
            taken.append(FIELD_NAMES[field])
        else:
            clashes.append(_clash(field, before, here, there))
    return Comparison(tuple(clashes), merged, tuple(taken))


def resolve(
    comparison: Comparison, mine: Content, base: Content | None, choices: Mapping[str, str], texts: Mapping[str, str]
) -> tuple[Content, tuple[str, ...]]:
    """The content after the choices (field -> mine, saved or together), and the names of fields without a choice.

    `texts` holds a third text written by hand for a field of plain text.
    """
    chosen, missing = comparison.merged, []
    for clash in comparison.clashes:
        choice = choices.get(clash.field)
        if choice == MINE:
            chosen = replace(chosen, **{clash.field: getattr(mine, clash.field)})
        elif choice == TOGETHER and (clash.can_be_written or clash.together is not None):
            value = _together_value(clash, base, mine, comparison.merged, texts)
            chosen = replace(chosen, **{clash.field: value})
        elif choice != SAVED:
            missing.append(clash.name)
    return chosen, tuple(missing)


def _clash(field: str, before: Any, mine: Any, saved: Any) -> Clash:
    here, there = in_words(field, mine), in_words(field, saved)
    together = _merged_value(before, mine, saved)
    return Clash(
        field=field,
        name=FIELD_NAMES[field],
        mine=_own_words(there, here),
        saved=_own_words(here, there),
        together=None if together is None else in_words(field, together),
        can_be_written=isinstance(mine, str) and field not in ("polarity", "credit", "licence"),
        draft=here if together is None else in_words(field, together),
    )


def _own_words(other: str, own: str) -> tuple[Segment, ...]:
    return tuple(segment for segment in diff(other, own) if segment.kind != "removed")


def _merged_value(before: Any, mine: Any, saved: Any) -> Any:
    """Both values together where each only adds to `before`; None where that cannot be said."""
    if before is None:
        return None
    if isinstance(mine, str):
        return merge(before, mine, saved) if before.strip() else None
    n_before = len(before)
    if mine[:n_before] != before or saved[:n_before] != before:
        return None
    both = (*mine, *(item for item in saved[n_before:] if item not in mine))
    return both if len(both) <= MOST_ITEMS else None


def _together_value(clash: Clash, base: Content | None, mine: Content, saved: Content, texts: Mapping[str, str]) -> Any:
    if clash.can_be_written:
        return text_of(texts.get(clash.field, clash.draft))
    before = getattr(base, clash.field) if base is not None else None
    return _merged_value(before, getattr(mine, clash.field), getattr(saved, clash.field))


def _in_order() -> list[str]:
    return [field for field in FIELD_NAMES if field in FIELDS]
