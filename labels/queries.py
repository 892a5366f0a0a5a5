"""Questions that Explore, metrics and conversations ask of published releases; the database does the counting."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import Lower, RowNumber

from evaluation.models import (
    Benchmark,
    Conversation,
    MetricVersion,
    Release,
    Result,
    Subarea,
    Verdict,
)
from evaluation.selectors.taxonomies import subareas_in_force
from impactbench.common.prepared import Given

Group = Result.Group


# What the square of a verdict needs, and the words and the address behind it.
OF_SQUARES = (
    "metric_version_id", "present", "passed", "reason", "has_ended",
    "model__slug", "model__name", "profile__slug", "profile__name", "profile__order",
    "conversation__public_id", "conversation__sample",
    "conversation__scenario__base__number",
)  # fmt: skip


@dataclass
class Place:
    """An area or subarea of a release and the metrics in it, by kind."""

    slug: str
    name: str
    sentence: str = ""
    metrics: list[str] = field(default_factory=list)
    n: dict[str | None, int] = field(default_factory=dict)
    parts: list["Place"] = field(default_factory=list)

    @property
    def n_metrics(self) -> int:
        return len(self.metrics)


def releases() -> QuerySet[Release]:
    """All releases by date, newest first, with what a choice of releases shows."""
    return Release.objects.only("slug", "title", "status")


def places(release: Release, polarity: dict[str, str | None] | None = None) -> list[Place]:
    """The areas of a release with their subareas, in the taxonomy's order; places without a metric are left out.

    `polarity` spares a question to who has asked for `metric_polarities` already.
    """
    polarity = metric_polarities(release) if polarity is None else polarity
    subareas = Subarea.objects.filter(taxonomy_id=release.taxonomy_id).select_related("area")
    tree = []
    for area, members in groupby(subareas.order_by("area__order", "area__slug", "order", "slug"), lambda one: one.area):
        parts = [
            _place(
                subarea.slug, subarea.plain_name or subarea.name, subarea.plain_sentence, release, "subarea", polarity
            )
            for subarea in members
        ]
        place = _place(area.slug, area.name, "", release, "area", polarity)
        place.parts = [part for part in parts if part.metrics]
        tree.append(place)
    return [place for place in tree if place.metrics]


def _place(slug: str, name: str, sentence: str, release: Release, group: str, polarity: dict[str, str | None]) -> Place:
    metrics = release.groups.get(group, {}).get(slug, [])
    kinds = [polarity.get(metric) for metric in metrics]
    return Place(slug, name, sentence, metrics, {kind: kinds.count(kind) for kind in set(kinds)})


def metric_polarities(release: Release) -> dict[str, str | None]:
    """Metric slug -> polarity of the version that the release measured."""
    return dict(release.metric_versions.values_list("metric__slug", "polarity"))


def results(
    release: Release, group: str, *, keys: Collection[str] | None = None, profile: str = "all"
) -> QuerySet[Result]:
    """Results of one group, all models and the pooled ones, in one profile; of all its keys unless some are named."""
    found = Result.objects.filter(release=release, group=group, profile=profile).order_by("key", "polarity", "model")
    return found if keys is None else found.filter(key__in=keys)


def release_versions(release: Release) -> QuerySet[MetricVersion]:
    """The metric versions that a release measured."""
    return release.metric_versions.select_related("metric__benchmark")


def listed_versions(release: Release | Given | None) -> QuerySet[MetricVersion]:
    """What the list of metrics shows: the release's metrics, and published ones that no release has measured yet.

    Annotated with `is_in_release`. Imported metrics stand in their own releases only.
    """
    waiting = MetricVersion.objects.filter(is_published=True, is_imported_result=False).exclude(
        Exists(
            MetricVersion.objects.filter(metric=OuterRef("metric"), is_published=True, number__gt=OuterRef("number"))
        )
    )
    versions = MetricVersion.objects.select_related("metric__benchmark")
    if release is None:
        return versions.filter(pk__in=waiting.values("pk")).annotate(is_in_release=Exists(Release.objects.none()))
    members = Release.metric_versions.through.objects.filter(release=release)
    measured = Exists(members.filter(metricversion=OuterRef("pk")))
    other_version = Exists(members.filter(metricversion__metric=OuterRef("metric")))
    return versions.filter(measured | (Q(pk__in=waiting.values("pk")) & ~other_version)).annotate(
        is_in_release=measured
    )


def listed_benchmarks(release: Release | None) -> list[Benchmark]:
    """The benchmarks of the listed metrics, by name."""
    listed = listed_versions(release).values("metric__benchmark")
    return list(Benchmark.objects.filter(pk__in=listed).order_by(Lower("name"), "slug"))


def shown_versions(slug: str, release: Release | None) -> list[MetricVersion]:
    """The versions of a metric that have, or had, a page, by number: published ones and those a release measured.

    Annotated with `is_in_release`.
    """
    members = Release.metric_versions.through.objects.filter(metricversion=OuterRef("pk"))
    versions = MetricVersion.objects.filter(Q(is_published=True) | Exists(members), metric__slug=slug)
    in_release = Exists(members.filter(release=release)) if release else Exists(Release.objects.none())
    found = versions.select_related("metric__benchmark").annotate(is_in_release=in_release)
    return list(found.order_by("number"))


def chosen_version(versions: list[MetricVersion], number: int | None = None) -> MetricVersion | None:
    """Of `shown_versions`, the one that a page shows: that of the number, else the release's own, else the newest."""
    if number is not None:
        return next((version for version in versions if version.number == number), None)
    measured = [version for version in versions if version.is_in_release]  # type: ignore[attr-defined]
    return next(iter(measured or versions[::-1]), None)


def places_today(version: MetricVersion) -> QuerySet[Subarea]:
    """The subareas of the paper's taxonomy that the metric stands in now; a release keeps those of its own day."""
    return subareas_in_force().filter(placements__metric=version.metric).select_related("area")


def verdicts_of(release: Release, version: MetricVersion) -> QuerySet[Verdict]:
    """The verdicts of one metric, ordered by model, profile and scenario, with what their squares need."""
    return (
        Verdict.objects.filter(release=release, metric_version=version)
        .select_related("model", "profile", "conversation__scenario__base")
        .only(*OF_SQUARES)
        .order_by(Lower("model__name"), "model__slug", "profile__order", "profile__slug",
                  "conversation__scenario__base__number", "conversation__sample", "pk")
    )  # fmt: skip


def first_of_each(verdicts: QuerySet[Verdict], most: int, *cell: str) -> QuerySet[Verdict]:
    """Of verdicts, the first `most` by scenario and sample of each cell, which is what these fields tell apart.

    Each knows as `n_of_cell` how many there are in its cell.
    """
    order = ("conversation__scenario__base__number", "conversation__sample", "pk")
    return verdicts.annotate(
        n_of_cell=Window(Count("pk"), partition_by=list(cell)),
        place_in_cell=Window(RowNumber(), partition_by=list(cell), order_by=order),
    ).filter(place_in_cell__lte=most)


@dataclass(frozen=True)
class VerdictCount:
    """How many verdicts a model has in one scenario with one profile, and what they say.

    `n_yes` counts good outcomes, or the behaviour present where good and bad are unknown.
    """

    model: int
    profile: int
    number: int
    n: int
    n_judged: int
    n_yes: int


def verdict_counts(release: Release, version: MetricVersion, number: int | None = None) -> list[VerdictCount]:
    """The verdicts of a metric, or of its scenario of that number, counted by model, profile and scenario."""
    answer = "passed" if version.polarity else "present"
    found = Verdict.objects.filter(release=release, metric_version=version)
    if number is not None:
        found = found.filter(conversation__scenario__base__number=number)
    counted = found.order_by().values_list("model_id", "profile_id", "conversation__scenario__base__number")
    said = counted.annotate(n=Count("pk"), n_judged=Count(answer), n_yes=Count("pk", filter=Q(**{answer: True})))
    return [VerdictCount(*row) for row in said]


def verdict_of(release: Release | None, conversation: Conversation) -> Verdict | None:
    """The verdict that counts for a conversation in a release."""
    return Verdict.objects.filter(release=release, conversation=conversation).first() if release else None


def public_conversation(public_id: str) -> Conversation | None:
    """A conversation that a release shows; None for one that does not exist or is in no release."""
    in_release = Exists(Verdict.objects.filter(conversation=OuterRef("pk")))
    beside_release = Q(state=Conversation.State.EXTRA) & Exists(Release.objects.filter(runs=OuterRef("run")))
    return (
        Conversation.objects.filter(in_release | beside_release, public_id=public_id)
        .select_related(
            "target", "run__user_simulator", "scenario__profile", "scenario__base__metric_version__metric__benchmark",
        )
        .defer("run__spec")
        .first()
    )  # fmt: skip


def release_of_conversation(conversation: Conversation, preferred: Release | None) -> Release | None:
    """The release a conversation is shown in: the preferred one if it is there, else the newest that has it."""
    releases = Release.objects.defer("groups").select_related("judge__language_model", "taxonomy")
    if conversation.state == Conversation.State.EXTRA:
        having = releases.filter(runs=conversation.run)
    else:
        having = releases.filter(verdicts__conversation=conversation)
    found = list(having)
    return next((release for release in found if preferred and release.pk == preferred.pk), found[0] if found else None)


def latest_by_metric(slugs: Iterable[str], release: Release, profile: str) -> dict[str, list[Result]]:
    """Results of metrics by their slug: one a model, and the pooled one (model None)."""
    by_metric: dict[str, list[Result]] = {}
    for result in results(release, Group.METRIC, keys=list(slugs), profile=profile):
        by_metric.setdefault(result.key, []).append(result)
    return by_metric


def most_chats_good(
    slugs: Collection[str], release: Release, profile: str, models: Collection[int]
) -> dict[str, tuple[int, int]]:
    """Of some models (their keys), for each metric: how many had a good outcome in most of their chats, of how many."""
    judged = results(release, Group.METRIC, keys=slugs, profile=profile).filter(model__in=models, n_judged__gt=0)
    good = Count("pk", filter=Q(n_passed__gt=F("n_judged") / 2.0))
    counted = judged.order_by().values("key").annotate(n_good=good, n_tested=Count("pk"))
    return {row["key"]: (row["n_good"], row["n_tested"]) for row in counted}


def unjudged_reasons(release: Release) -> list[tuple[str, int]]:
    """Why chats of a release have no verdict, and how many each; the commonest first."""
    unjudged = Verdict.objects.filter(release=release, has_ended=True, present=None)
    counted = unjudged.values("reason").annotate(n=Count("pk")).order_by("-n", "reason")
    return [(row["reason"], row["n"]) for row in counted]
