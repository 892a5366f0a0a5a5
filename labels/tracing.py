"""One number of a release followed from the label down to a single conversation, for the methodology page."""

from dataclasses import dataclass

from django.db.models import Case, When

from evaluation.models import LanguageModel, Release, Result, Verdict
from labels import bands


@dataclass(frozen=True)
class Trace:
    """A conversation and the results it is part of, each one level higher."""

    verdict: Verdict
    model: LanguageModel
    metric: Result
    subarea: Result | None
    subarea_name: str
    area_slug: str
    overall: Result


def trace(release: Release) -> Trace | None:
    """Follow the fully tested model that comes first by name down to a judged conversation; None without a verdict.

    The kind is 'avoids harm' where the release has it, because there present means not good, which needs explaining.
    """
    for polarity in ("negative", "positive"):
        overall = (
            Result.objects.filter(release=release, group="overall", profile="all", polarity=polarity, n_judged__gt=0)
            .exclude(model=None)
            .annotate(is_full=Case(When(coverage__gte=bands.PARTIAL_BELOW, then=True), default=False))
            .select_related("model")
            .order_by("-is_full", "model__name", "model__slug")
            .first()
        )
        if overall is not None and overall.model is not None:
            return _down_from(overall, overall.model, release)
    return None


def _down_from(overall: Result, model: LanguageModel, release: Release) -> Trace | None:
    own = Result.objects.filter(release=release, model=model, profile="all", polarity=overall.polarity)
    metric = own.filter(group="metric", n_judged__gt=0).order_by("key").first()
    if metric is None:
        return None
    verdict = (
        Verdict.objects.filter(
            release=release, model=model, metric_version__metric__slug=metric.key, passed__isnull=False
        )
        .select_related("metric_version__metric__benchmark", "conversation", "profile")
        .order_by("passed", "pk")
        .first()
    )
    if verdict is None:
        return None
    slug = next((key for key, metrics in release.groups.get("subarea", {}).items() if metric.key in metrics), "")
    place = release.taxonomy.subareas.filter(slug=slug).select_related("area").first()
    return Trace(
        verdict=verdict,
        model=model,
        metric=metric,
        subarea=own.filter(group="subarea", key=slug).first() if slug else None,
        subarea_name=(place.plain_name or place.name) if place else "",
        area_slug=place.area.slug if place else "",
        overall=overall,
    )
