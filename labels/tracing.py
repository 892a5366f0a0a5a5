"""One number of a label followed down to a single conversation, with the sums that lead back up."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Case, Exists, OuterRef, QuerySet, When
from django.utils.translation import gettext as _

from evaluation.models import Benchmark, LanguageModel, MetricVersion, Polarity, Release, Result, Turn, Verdict
from labels import bands
from labels.label import RowDefinition, model_results, row_definitions
from labels.row_titles import row_title

KEPT = 64
# Harm first: there "present" means not good, which needs explaining.
ORDER = (Polarity.NEGATIVE.value, Polarity.POSITIVE.value)


@dataclass(frozen=True)
class Part:
    """One line of a sum: good outcomes of judged chats; `version` for a metric, `slug` for a benchmark."""

    name: str
    n_passed: int
    n_judged: int
    version: MetricVersion | None = None
    slug: str = ""


@dataclass(frozen=True)
class Trace:
    """A conversation and the numbers it is part of, each one level higher.

    `chats` add up to `metric`, `metrics` to `row` (both None and empty where the release has no row with it) and
    `benchmarks` to `overall`. `is_readable` is False where no release has conversations to read.
    """

    release: Release
    model: LanguageModel
    polarity: str
    verdict: Verdict
    is_readable: bool
    chats: list[Verdict]
    metric: Result
    row: Result | None
    row_title: str
    metrics: list[Part]
    overall: Result
    benchmarks: list[Part]


def trace_rule() -> tuple[str, ...]:
    """How the number and the conversation are chosen, for readers."""
    return (
        _("The release: the one that is shown, if its conversations can be read; else the newest where they can be."),
        _("The model: the first by name that was tested on most of the metrics."),
        _("The kind: “Avoids harm” where a conversation of it can be read, for there “present” means “not good”."),
        _("The row: the first on the label in which a conversation of that model can be read."),
        _("The metric: the first of that row by the letters of its address. The conversation: its first scenario, in "
          "the order of people and repeats."),
    )  # fmt: skip


def trace(shown: Release | None, others: Iterable[Release]) -> Trace | None:
    """The trace by `trace_rule`; of `shown` without readable conversations where no release has any; None without
    a single verdict."""
    releases = [one for one in (shown, *others) if one]
    readable = next((one for one in releases if has_conversations(one.pk, one.content_hash)), None)
    for release in [readable] if readable else releases[:1]:
        for polarity in ORDER:
            found = _of_kind(release, polarity, is_readable=readable is not None)
            if found:
                return found
    return None


# Releases never change, so the answer is kept; the hash is part of the key.
@lru_cache(maxsize=KEPT)
def has_conversations(release: int, _content_hash: str) -> bool:
    """Whether any judged conversation of a release has turns to read."""
    return _readable(Verdict.objects.filter(release=release, passed__isnull=False)).exists()


def _readable(verdicts: QuerySet[Verdict]) -> QuerySet[Verdict]:
    return verdicts.filter(Exists(Turn.objects.filter(conversation=OuterRef("conversation"))))


def _of_kind(release: Release, polarity: str, *, is_readable: bool) -> Trace | None:
    overall = _overall(release, polarity)
    if overall is None or overall.model is None:
        return None
    own = Result.objects.filter(release=release, model=overall.model, polarity=polarity, profile="all")
    verdicts = Verdict.objects.filter(release=release, model=overall.model, passed__isnull=False)
    verdicts = _ordered(_readable(verdicts) if is_readable else verdicts, polarity)
    definition, verdict = _row_and_verdict(release, overall.model, polarity, verdicts)
    if verdict is None:
        return None
    slug = verdict.metric_version.metric.slug
    metric = own.filter(group=Result.Group.METRIC, key=slug).first()
    if metric is None:
        return None
    row = own.filter(group=Result.Group.LABEL_ROW, key=definition.slug).first() if definition else None
    return Trace(
        release=release,
        model=overall.model,
        polarity=polarity,
        verdict=verdict,
        is_readable=is_readable,
        chats=_chats(release, overall.model, slug),
        metric=metric,
        row=row,
        row_title=_title(definition),
        metrics=_metrics(release, own, _members(release, definition)) if definition and row else [],
        overall=overall,
        benchmarks=_benchmarks(own),
    )


def _overall(release: Release, polarity: str) -> Result | None:
    results = Result.objects.filter(release=release, group="overall", profile="all", polarity=polarity, n_judged__gt=0)
    ranked = results.exclude(model=None).annotate(
        is_full=Case(When(coverage__gte=bands.PARTIAL_BELOW, then=True), default=False)
    )
    return ranked.select_related("model").order_by("-is_full", "model__name", "model__slug").first()


def _ordered(verdicts: QuerySet[Verdict], polarity: str) -> QuerySet[Verdict]:
    return (
        verdicts.filter(metric_version__polarity=polarity)
        .select_related("metric_version__metric__benchmark", "conversation__scenario__base", "profile")
        .order_by(
            "metric_version__metric__slug", "conversation__scenario__base__number", "profile__order", "profile__slug",
            "conversation__sample", "pk",
        )
    )  # fmt: skip


def _row_and_verdict(
    release: Release, model: LanguageModel, polarity: str, verdicts: QuerySet[Verdict]
) -> tuple[RowDefinition | None, Verdict | None]:
    for definition in row_definitions(release, model_results(release, model)):
        if definition.polarity == polarity:
            found = verdicts.filter(metric_version__metric__slug__in=_members(release, definition)).first()
            if found:
                return definition, found
    return None, verdicts.first()


def _members(release: Release, definition: RowDefinition) -> list[str]:
    """The metrics of a label row; without rows of its own a release takes the subarea's."""
    rows = release.groups.get(Result.Group.LABEL_ROW, {})
    return list(rows.get(f"{definition.polarity} {definition.slug}", []))


def _title(definition: RowDefinition | None) -> str:
    if definition is None:
        return ""
    title = row_title(
        definition.title,
        definition.polarity,
        plain_name=definition.plain_name,
        plain_sentence=definition.plain_sentence,
    )
    return f"{title.name}: {title.gloss}" if title.gloss else title.name


def _chats(release: Release, model: LanguageModel, metric: str) -> list[Verdict]:
    """All judged chats of the metric: they add up to its counts."""
    found = Verdict.objects.filter(
        release=release, model=model, passed__isnull=False, metric_version__metric__slug=metric
    )
    return list(
        found.select_related("conversation__scenario__base", "profile").order_by(
            "conversation__scenario__base__number", "profile__order", "profile__slug", "conversation__sample", "pk"
        )
    )


def _metrics(release: Release, own: QuerySet[Result], members: Sequence[str]) -> list[Part]:
    versions = {
        version.metric.slug: version
        for version in release.metric_versions.filter(metric__slug__in=members).select_related("metric__benchmark")
    }
    results = own.filter(group=Result.Group.METRIC, key__in=members, n_judged__gt=0).order_by("key")
    return [
        Part(
            versions[result.key].plain_name or versions[result.key].name,
            result.n_passed,
            result.n_judged,
            version=versions[result.key],
        )
        for result in results
        if result.key in versions
    ]


def _benchmarks(own: QuerySet[Result]) -> list[Part]:
    """By benchmark: each metric belongs to one, so these add up to the headline."""
    results = list(own.filter(group=Result.Group.BENCHMARK, n_judged__gt=0).order_by("key"))
    names = dict(Benchmark.objects.filter(slug__in=[one.key for one in results]).values_list("slug", "name"))
    return [Part(names.get(one.key, one.key), one.n_passed, one.n_judged, slug=one.key) for one in results]
