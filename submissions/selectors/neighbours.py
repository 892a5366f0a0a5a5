"""The public metrics that come nearest to what an expert is writing."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum
from django.urls import reverse

from evaluation.models import MetricVersion, Release

if TYPE_CHECKING:
    from evaluation.generation.neighbours import Index

# Fewer words say too little: everything would seem near.
ENOUGH_WORDS = 12
_CONTENT = ("pk", "metric__slug", "name", "plain_name", "definition", "plain_definition")


@dataclass(frozen=True)
class Neighbour:
    """A public metric near to a text. `polarity` is None where its source does not tell it."""

    slug: str
    name: str
    definition: str
    polarity: str | None
    benchmark: str
    path: str
    closeness: str


@dataclass(frozen=True)
class Neighbours:
    """The nearest metrics, nearest first, and with how many the text was compared.

    `n_words_missing` is how many more words it takes before anything is compared, 0 from then on.
    """

    items: tuple[Neighbour, ...]
    n_compared: int
    n_words_missing: int = 0


@dataclass(frozen=True)
class _Kept:
    fingerprint: tuple[object, ...]
    slugs: tuple[str, ...]
    versions: tuple[int, ...]
    index: Index


_building = threading.Lock()
_kept: _Kept | None = None


def nearest_metrics(text: str, *, limit: int = 5, leave_out: Collection[str] = ()) -> Neighbours:
    """The public metrics nearest to a text (its title, construct and definition together), `limit` at most.

    `leave_out` names metrics by their slugs, such as the one that is being edited. Both polarities are compared and
    each item says its own. What is shown is read anew and only if it is public now; the index only ranks.
    """
    missing = ENOUGH_WORDS - len(text.split())
    if missing > 0:
        return Neighbours((), 0, missing)
    kept = _current_index()
    left_out = {slug for slug in kept.slugs if slug in leave_out}
    near = _nearest(kept, text, limit, left_out)
    shown = public_versions().filter(pk__in=near).select_related("metric__benchmark").in_bulk()
    items = tuple(_neighbour(shown[pk], word) for pk, word in near.items() if pk in shown)
    return Neighbours(items, len(kept.slugs) - len(left_out))


def warm() -> None:
    """Build the index of this process before anybody asks: the first question costs a second or two, later ones
    milliseconds. For a thread of a web process that begins; it lets go of its connection."""
    try:
        _current_index()
    finally:
        connection.close()


def public_versions() -> QuerySet[MetricVersion]:
    """All wordings that anybody may read: published ones, and those that a published release measured."""
    in_release = Release.metric_versions.through.objects.filter(
        metricversion=OuterRef("pk"), release__status=Release.Status.PUBLISHED
    )
    return MetricVersion.objects.filter(Q(is_published=True) | Exists(in_release))


def _latest_public_versions() -> QuerySet[MetricVersion]:
    return public_versions().order_by("metric_id", "-number").distinct("metric_id")


def _fingerprint() -> tuple[object, ...]:
    """Differs whenever the set of public versions does, without reading any of their text."""
    published = MetricVersion.objects.filter(is_published=True).aggregate(
        n=Count("pk"), last=Max("pk"), total=Sum(F("pk"))
    )
    releases = Release.objects.filter(status=Release.Status.PUBLISHED).aggregate(n=Count("pk"), total=Sum(F("pk")))
    return (*published.values(), *releases.values())


def _current_index() -> _Kept:
    """The index of this process, built anew where the public set changed.

    While one thread builds, the others go on with the index they have: it ranks, it never decides what is shown.
    """
    global _kept
    fingerprint, kept = _fingerprint(), _kept
    if kept is not None and kept.fingerprint == fingerprint:
        return kept
    if not _building.acquire(blocking=kept is None):
        assert kept is not None
        return kept
    try:
        if _kept is None or _kept.fingerprint != fingerprint:
            _kept = _built(fingerprint)
        return _kept
    finally:
        _building.release()


def _built(fingerprint: tuple[object, ...]) -> _Kept:
    from evaluation.generation.neighbours import Index  # noqa: PLC0415  (numpy, only for those who ask for neighbours)

    rows = list(_latest_public_versions().values_list(*_CONTENT))
    texts = ["\n".join(dict.fromkeys(part for part in row[2:] if part)) for row in rows]
    return _Kept(fingerprint, tuple(row[1] for row in rows), tuple(row[0] for row in rows), Index(texts))


def _nearest(kept: _Kept, text: str, limit: int, left_out: Collection[str]) -> dict[int, str]:
    """Version id -> word of closeness, nearest first; those that are not near are left out."""
    from evaluation.generation.neighbours import closeness  # noqa: PLC0415  (numpy, only for those who ask for neighbours)

    scores = kept.index.scores(text)
    near: dict[int, str] = {}
    for place in (-scores).argsort(kind="stable"):
        word = closeness(float(scores[place]))
        if not word or len(near) == limit:
            return near
        if kept.slugs[place] not in left_out:
            near[kept.versions[place]] = word
    return near


def _neighbour(version: MetricVersion, word: str) -> Neighbour:
    metric = version.metric
    return Neighbour(
        slug=metric.slug,
        name=version.plain_name or version.name,
        definition=version.definition or version.plain_definition,
        polarity=version.polarity,
        benchmark=metric.benchmark.name,
        path=reverse("labels:metric", args=[metric.benchmark.slug, metric.local_id]),
        closeness=word,
    )
