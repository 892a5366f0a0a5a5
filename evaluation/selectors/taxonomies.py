"""Which version of a taxonomy is in force, and what it holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import QuerySet, Subquery

from evaluation.models import Area, MetricVersion, Placement, Subarea, Taxonomy
from evaluation.services import paper_taxonomy
from evaluation.taxonomy_acts import AreaContent, SubareaContent, TaxonomyContent


def in_force(slug: str = paper_taxonomy.SLUG) -> Taxonomy:
    """The newest version: new metrics are placed in it, and new releases use it. Raises Taxonomy.DoesNotExist."""
    return Taxonomy.objects.filter(slug=slug).order_by("-version")[:1].get()


def areas_in_force(slug: str = paper_taxonomy.SLUG) -> QuerySet[Area]:
    """Its areas, in their order."""
    return Area.objects.filter(taxonomy=_newest(slug)).order_by("order", "slug")


def subareas_in_force(slug: str = paper_taxonomy.SLUG) -> QuerySet[Subarea]:
    """Its subareas, in the order of their areas and their own."""
    return Subarea.objects.filter(taxonomy=_newest(slug)).order_by("area__order", "order", "slug")


def subareas_by_slug(slugs: Iterable[str]) -> dict[str, Subarea]:
    """The subareas of these slugs with their areas, in the order of the taxonomy: as they are in force.

    One that is in force no more is taken from the newest version of any taxonomy that has it. No query for no slug.
    """
    wanted = set(slugs)
    if not wanted:
        return {}
    found = Subarea.objects.filter(slug__in=wanted).select_related("area", "taxonomy")
    newest_last = sorted(found, key=lambda one: (one.taxonomy.slug == paper_taxonomy.SLUG, one.taxonomy.version))
    by_slug = {subarea.slug: subarea for subarea in newest_last}
    return {one.slug: one for one in sorted(by_slug.values(), key=lambda one: (one.area.order, one.order, one.slug))}


def content_of(taxonomy: Taxonomy) -> TaxonomyContent:
    """The areas and subareas of a version with the keys of the metrics placed in them; three queries."""
    metrics = defaultdict(set)
    for subarea, metric in Placement.objects.filter(subarea__taxonomy=taxonomy).values_list("subarea", "metric"):
        metrics[subarea].add(metric)
    return TaxonomyContent(
        tuple(
            AreaContent(
                area.slug,
                area.name,
                tuple(
                    SubareaContent(
                        subarea.slug,
                        subarea.name,
                        subarea.plain_name,
                        subarea.plain_sentence,
                        frozenset(metrics[subarea.pk]),
                    )
                    for subarea in area.subareas.all()
                ),
            )
            for area in taxonomy.areas.prefetch_related("subareas").order_by("order", "slug")
        )
    )


def polarities(metrics: frozenset[int]) -> dict[int, str | None]:
    """The polarity of each metric by its key, from its newest version."""
    versions = MetricVersion.objects.filter(metric__in=metrics).order_by("metric", "-number").distinct("metric")
    return dict(versions.values_list("metric", "polarity"))


def _newest(slug: str) -> Subquery:
    return Subquery(Taxonomy.objects.filter(slug=slug).order_by("-version").values("pk")[:1])
