"""The parts of life that submissions and reviewers name, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluation.selectors.taxonomies import subareas_by_slug


def subarea_titles(slugs: Sequence[str]) -> list[str]:
    """What each of these subareas is called on public pages, in the order given; an unknown slug stays as it is."""
    found = subareas_by_slug(slugs)
    return [(found[slug].plain_name or found[slug].name) if slug in found else slug for slug in slugs]


def area_names(slugs: Iterable[str]) -> list[str]:
    """The areas that these subareas lie in, each once, in the taxonomy's order; unknown slugs are left out."""
    found = subareas_by_slug(slugs).values()
    return list(dict.fromkeys(subarea.area.name for subarea in found))
