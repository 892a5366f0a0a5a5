"""What differs between two versions of a submission, field by field, for everybody who may read both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from submissions.advice.worddiff import Segment, diff, diff_lists
from submissions.content import ABOUT_THE_AUTHOR, FIELD_NAMES, Content
from submissions.field_words import CHOICES, item_text


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that differs. Of a text, `old` and `new` are its segments; of a list, the items lost and gained."""

    field: str
    name: str
    old: tuple[Segment, ...] = ()
    new: tuple[Segment, ...] = ()
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    n_same: int = 0
    is_list: bool = False
    requests: tuple[int, ...] = ()

    @property
    def n_old(self) -> int:
        return self.n_same + len(self.removed)


@dataclass(frozen=True, slots=True)
class Changes:
    """The fields that differ, in the order of the form, and how many are the same."""

    items: tuple[FieldChange, ...]
    n_same: int


def changes(
    old: Content,
    new: Content,
    *,
    answered: Mapping[str, tuple[int, ...]] | None = None,
    leave_out: frozenset[str] = ABOUT_THE_AUTHOR,
) -> Changes:
    """Compare two versions; empty lines count for nothing, and what says who the author is is left out.

    `answered` maps a field to the numbers of the requests that spoke of it.
    """
    old, new = old.without_empty_lines(), new.without_empty_lines()
    names = [name for name in FIELD_NAMES if name not in leave_out]
    found = [
        _change(name, getattr(old, name), getattr(new, name), (answered or {}).get(name, ()))
        for name in names
        if getattr(old, name) != getattr(new, name)
    ]
    return Changes(tuple(found), len(names) - len(found))


def _change(name: str, old: object, new: object, requests: tuple[int, ...]) -> FieldChange:
    words = FIELD_NAMES[name]
    if isinstance(old, tuple) and isinstance(new, tuple):
        lists = diff_lists([item_text(item) for item in old], [item_text(item) for item in new])
        return FieldChange(
            name, words, removed=lists.removed, added=lists.added, n_same=lists.n_same, is_list=True, requests=requests
        )
    known = CHOICES.get(name, {})
    segments = diff(known.get(str(old), str(old)), known.get(str(new), str(new)))
    return FieldChange(
        name,
        words,
        old=tuple(segment for segment in segments if segment.kind != "added"),
        new=tuple(segment for segment in segments if segment.kind != "removed"),
        requests=requests,
    )
