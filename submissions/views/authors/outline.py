"""The parts of the form and how far each is, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

from submissions.checks import Problem
from submissions.content import Content
from submissions.views.authors.places import PART_NAMES, PART_OF, PARTS, ROWS, part_of

DONE, LOOK, TODO, ERR = "is-done", "is-look", "is-todo", "is-err"


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its class says by a square what `state` says in words."""

    slug: str
    name: str
    css: str
    state: str
    rows: tuple[tuple[str, str], ...]


def outline(
    content: Content, missing: Sequence[Problem], *, n_looks: int = 0, tried: str = "", refused: bool = False
) -> list[Part]:
    """The five parts. `missing` is what keeps it from being sent, `n_looks` what the linter would look at again.

    After a refused sending (`refused`) what is missing is called a problem.
    """
    counts = Counter(part_of(problem) for problem in missing)
    found = []
    for slug in PARTS:
        if slug == "try":
            css, state = _tried(tried)
        else:
            css, state = _state(slug, counts[slug], content, refused, n_looks if slug == "scoring" else 0)
        found.append(Part(slug, PART_NAMES[slug], css, state, ROWS[slug]))
    return found


def _state(slug: str, n_missing: int, content: Content, refused: bool, n_looks: int) -> tuple[str, str]:
    if refused and n_missing:
        return ERR, f"{n_missing} problem{'' if n_missing == 1 else 's'}"
    if slug == "send":
        return TODO, "not yet"
    if _is_untouched(slug, content):
        return TODO, "not begun"
    if n_missing:
        return LOOK, f"{n_missing} missing"
    if n_looks:
        return LOOK, f"{n_looks} thing{'' if n_looks == 1 else 's'} to look at"
    return DONE, "complete"


def _tried(tried: str) -> tuple[str, str]:
    if not tried:
        return TODO, "not tried yet"
    return (LOOK if "differ" in tried or "not judged" in tried else DONE), tried


def _is_untouched(slug: str, content: Content) -> bool:
    empty = Content()
    tidy = content.without_empty_lines()
    names = [item.name for item in fields(Content) if PART_OF[item.name] == slug and item.name != "title"]
    return all(getattr(tidy, name) == getattr(empty, name) for name in names)
