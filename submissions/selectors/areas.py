"""The parts of life that submissions and reviewers name, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluation.models import Subarea


def subarea_titles(slugs: Sequence[str]) -> list[str]:
    """What each of these subareas is called on public pages, in the order given; an unknown slug stays as it is."""
    if not slugs:
        return []
    titles = {row.slug: row.plain_name or row.name for row in Subarea.objects.filter(slug__in=slugs)}
    return [titles.get(slug, slug) for slug in slugs]


def area_names(slugs: Iterable[str]) -> list[str]:
    """The areas that these subareas lie in, each once, in the taxonomy's order; unknown slugs are left out."""
    found = Subarea.objects.filter(slug__in=list(slugs)).select_related("area").order_by("area__order", "area__slug")
    return list(dict.fromkeys(subarea.area.name for subarea in found))
