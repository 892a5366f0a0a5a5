"""Several models metric by metric: counts and squares, never a rate; and the scenarios that ended differently."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, F, Max, Min, Q, QuerySet, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evaluation.models import LanguageModel, MetricVersion, Polarity, Release, Result, Verdict
from labels import queries
from labels.addresses import other_page
from labels.comparing import chosen
from labels.context import ALL_PROFILES, State
from labels.exploring import metric_name, metric_path
from labels.metric_page import MOST_SQUARES, squares_of
from labels.wording import KINDS, Kind, in_words, part_of

PAGE_SIZE, SCENARIOS_SHOWN = 25, 10
# What the name, the kind and the address of a metric need.
NAMING = (
    "polarity", "name", "plain_name", "metric__slug", "metric__local_id", "metric__benchmark__slug",
)  # fmt: skip
# The scenarios of so many metrics are looked through: their chats are few, however many there are in all.
METRICS_SEARCHED = 12


@dataclass(frozen=True)
class MetricRow:
    """One metric: for each model its squares, and its count of good outcomes."""

    version: MetricVersion
    kind: Kind
    name: str
    href: str
    cells: list[tuple[LanguageModel, SafeString | str, str]]


@dataclass(frozen=True)
class Counted:
    """A metric with (good outcomes, judged chats) of each model, None where nothing was judged."""

    version: MetricVersion
    counts: tuple[tuple[int, int] | None, ...]

    @property
    def differs(self) -> bool:
        """Whether two models have other counts; that alone says nothing of chance."""
        shares = {passed / judged for passed, judged in filter(None, self.counts)}
        return len(shares) > 1


def metric_page(request: HttpRequest, state: State, *, only_differing: bool) -> "Page[Counted]":
    """One page of `counted_metrics`."""
    found = counted_metrics(state, only_differing=only_differing)
    return Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))


def counted_metrics(state: State, *, only_differing: bool) -> list[Counted]:
    """The release's metrics by kind and name with the counts of the chosen models; or those whose counts differ."""
    assert state.release is not None
    models = chosen(state)
    found = Result.objects.filter(
        release=state.release, group=Result.Group.METRIC, model__in=models, profile=state.result_profile
    ).order_by()
    counts = {
        (key, model): (passed, judged)
        for key, model, passed, judged in found.values_list("key", "model_id", "n_passed", "n_judged")
        if judged
    }
    named = queries.release_versions(state.release).only(*NAMING)
    versions = [version for version in named if version.polarity]
    listed = [
        Counted(version, tuple(counts.get((version.metric.slug, model.pk)) for model in models))
        for version in sorted(versions, key=_kind_and_name)
    ]
    return [one for one in listed if one.differs] if only_differing else listed


def metric_rows(request: HttpRequest, state: State, page: "Page[Counted]") -> list[MetricRow]:
    """The rows of a page, with a square for each verdict, in one query."""
    assert state.release is not None
    models = chosen(state)
    squares: dict[tuple[int, int], list[Verdict]] = {}
    for verdict in _verdicts(state.release, [one.version for one in page], models, state.result_profile):
        squares.setdefault((verdict.metric_version_id, verdict.model_id), []).append(verdict)
    return [
        MetricRow(
            one.version,
            KINDS[str(one.version.polarity)],
            metric_name(one.version),
            other_page(request, metric_path(one.version)),
            [
                (
                    model,
                    squares_of(
                        request,
                        one.version.polarity,
                        squares.get((one.version.pk, model.pk), []),
                        rest=other_page(request, metric_path(one.version)),
                    ),
                    part_of(*counted) if counted else "",
                )
                for model, counted in zip(models, one.counts, strict=True)
            ],
        )
        for one in page
    ]


@dataclass(frozen=True)
class SplitScenario:
    """A scenario that ended well with some of the models and not with others; `href` shows two side by side."""

    kind: Kind
    title: str
    who: str
    metric: str
    words: str
    href: str


@dataclass(frozen=True)
class Split:
    """Scenarios that ended differently: the first of them, how many there are in the metrics that were searched.

    `is_all` says that these are all metrics in which there can be any.
    """

    shown: list[SplitScenario]
    n: int
    is_all: bool


def split_scenarios(request: HttpRequest, state: State) -> Split:
    """The first scenarios whose verdicts differ between the models, by kind, metric and number.

    A scenario counts where one model's chat ended well and another's did not, in the same sample. The frozen counts say
    in which metrics that can be, those of unlike counts first; only the chats of `METRICS_SEARCHED` of them are read.
    """
    assert state.release is not None
    metrics = _metrics_to_search(state)
    searched = state.release.metric_versions.filter(metric__slug__in=metrics[:METRICS_SEARCHED])
    verdicts = _of_models(state.release, chosen(state), state.result_profile).filter(
        metric_version__in=list(searched.values_list("pk", flat=True)), passed__isnull=False
    )
    keys = _split_keys(verdicts)
    shown = keys[:SCENARIOS_SHOWN]
    found = verdicts.filter(conversation__scenario__in=[scenario for scenario, _sample in shown]).select_related(
        "conversation__scenario__base", "metric_version__metric", "profile"
    )
    by_key: dict[tuple[int, int], list[Verdict]] = {}
    for verdict in found:
        by_key.setdefault((verdict.conversation.scenario_id, verdict.conversation.sample), []).append(verdict)
    listed = [_split(request, chosen(state), by_key[key]) for key in shown]
    return Split(listed, len(keys), is_all=len(metrics) <= METRICS_SEARCHED)


def _metrics_to_search(state: State) -> list[str]:
    """Slugs of metrics in which a chat of one model ended well and one of another not, one more than are searched."""
    judged = Result.objects.filter(
        release=state.release,
        group=Result.Group.METRIC,
        model__in=chosen(state),
        profile=state.result_profile,
        n_judged__gt=0,
    )
    counted = (
        judged.order_by()
        .values("polarity", "key")
        .annotate(
            n=Count("pk"),
            n_with_good=Count("pk", filter=Q(n_passed__gt=0)),
            n_with_other=Count("pk", filter=Q(n_passed__lt=F("n_judged"))),
            spread=Max("pass_rate") - Min("pass_rate"),
        )
        .filter(n__gt=1, n_with_good__gt=0, n_with_other__gt=0)
    )
    unlike_first = Case(When(spread__gt=0, then=0), default=1)
    return [row["key"] for row in counted.order_by(unlike_first, "-polarity", "key")[: METRICS_SEARCHED + 1]]


def _split_keys(verdicts: QuerySet[Verdict]) -> list[tuple[int, int]]:
    """(scenario, sample) of those that ended well with one model and not with another."""
    split = (
        verdicts.values("conversation__scenario", "conversation__sample")
        .annotate(n_good=Count("pk", filter=Q(passed=True)), n_other=Count("pk", filter=Q(passed=False)))
        .filter(n_good__gt=0, n_other__gt=0)
        .annotate(
            polarity=F("metric_version__polarity"),
            metric=F("metric_version__metric__slug"),
            number=F("conversation__scenario__base__number"),
            profile_order=F("profile__order"),
        )
        .order_by("-polarity", "metric", "number", "profile_order", "conversation__scenario", "conversation__sample")
    )
    return [(row["conversation__scenario"], row["conversation__sample"]) for row in split]


def _split(request: HttpRequest, models: Sequence[LanguageModel], verdicts: list[Verdict]) -> SplitScenario:
    by_model = {verdict.model_id: verdict for verdict in verdicts}
    good = [model for model in models if model.pk in by_model and by_model[model.pk].passed]
    other = [model for model in models if model.pk in by_model and not by_model[model.pk].passed]
    one, beside = by_model[good[0].pk], by_model[other[0].pk]
    scenario, kind = one.conversation.scenario, KINDS[str(one.metric_version.polarity)]
    path = reverse("labels:conversation", args=[one.conversation.public_id])
    return SplitScenario(
        kind=kind,
        title=scenario.title or scenario.base.title or _("Scenario %(number)s") % {"number": scenario.base.number},
        who=one.profile.name,
        metric=metric_name(one.metric_version),
        words=_split_words(kind, good, other),
        href=other_page(request, path, **{"with": beside.conversation.public_id}),
    )


def _split_words(kind: Kind, good: list[LanguageModel], other: list[LanguageModel]) -> str:
    names = {"good": in_words([model.name for model in good]), "other": in_words([model.name for model in other])}
    if kind.polarity == Polarity.POSITIVE:
        return _("Did the helpful thing: %(good)s. Did not: %(other)s.") % names
    return _("Kept clear of the harmful thing: %(good)s. Did not: %(other)s.") % names


def _verdicts(
    release: Release, versions: Sequence[MetricVersion], models: Sequence[LanguageModel], profile: str
) -> list[Verdict]:
    found = _of_models(release, models, profile).filter(metric_version__in=versions)
    first = queries.first_of_each(found, MOST_SQUARES, "metric_version", "model")
    return list(
        first.select_related("model", "profile", "conversation__scenario__base")
        .only(*queries.OF_SQUARES)
        .order_by(
            "profile__order", "profile__slug", "conversation__scenario__base__number", "conversation__sample", "pk"
        )
    )


def _of_models(release: Release, models: Sequence[LanguageModel], profile: str) -> QuerySet[Verdict]:
    found = Verdict.objects.filter(release=release, model__in=models)
    return found if profile == ALL_PROFILES else found.filter(profile__slug=profile)


def _kind_and_name(version: MetricVersion) -> tuple[int, str, str]:
    return list(KINDS).index(str(version.polarity)), metric_name(version).casefold(), version.metric.slug
