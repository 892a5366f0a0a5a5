"""Puts together what an Explore page shows: models by kind and in groups, the finding, what is inside a place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import LanguageModel, MetricVersion, Result
from labels import queries
from labels.addresses import other_page
from labels.back_path import origin
from labels.charts.strips import strip
from labels.context import State
from labels.differences import Place as Standing
from labels.differences import model_differences, places_among
from labels.numbers import Number, number
from labels.ordering import NAME, Row, RowGroup, by_name, row_groups
from labels.queries import Place
from labels.sentences import all_models, finding, how_sure, spread
from labels.transcripts import visible
from labels.wording import KINDS, Kind, in_words

VIEWS = {
    "dots": gettext_lazy("Dots"),
    "grid": gettext_lazy("Grid"),
    "wheel": gettext_lazy("Wheel"),
    "table": gettext_lazy("Table"),
}
# What a list of metrics shows of each.
_LISTED = ("name", "plain_name", "polarity", "metric__slug", "metric__local_id", "metric__benchmark__slug")
INSIDE_SORTS = {"name": gettext_lazy("Name"), "most": gettext_lazy("Most good outcomes")}


@dataclass(frozen=True)
class Block:
    """All shown models of one kind, in groups; the two kinds are never mixed. `pooled` is all models together."""

    kind: Kind
    n_metrics: int
    groups: list[RowGroup]
    pooled: Number | None

    @property
    def rows(self) -> list[Row]:
        """The rows of all groups, in their order."""
        return [row for group in self.groups for row in group.rows]


@dataclass(frozen=True)
class Inside:
    """One metric of a place: how many models had a good outcome in most of their chats."""

    version: MetricVersion
    name: str
    href: str
    n_good: int
    n_tested: int
    strip: SafeString | str


def shown_models(state: State) -> list[LanguageModel]:
    """The chosen models, or all of the release, by name."""
    return by_name(state.models or state.targets)


def standings(state: State, results: Iterable[Result], *, group: str, key: str) -> dict[tuple[str, int], Standing]:
    """The place of each shown model among the others, by polarity and model; one query."""
    assert state.release is not None
    models = shown_models(state)
    found = {(result.polarity, result.model_id): result for result in results}
    differences = model_differences(state.release, models, [group], profile=state.result_profile, keys=[key])
    return {
        (polarity, place.model.pk): place
        for polarity in state.polarities
        for place in places_among(differences, [(model, found.get((polarity, model.pk))) for model in models])
    }


def blocks(
    state: State,
    results: Iterable[Result],
    n: Mapping[str | None, int],
    *,
    sort: str = NAME,
    places: Mapping[tuple[str, int], Standing] | None = None,
) -> list[Block]:
    """The rows of each shown kind in the order of `sort`; with `places` (of `standings`) in groups, where asked."""
    found = {(result.polarity, result.model_id): result for result in results}
    made = []
    for polarity in state.polarities:
        rows = [
            Row(model, number(found[polarity, model.pk]), (places or {}).get((polarity, model.pk)))
            for model in shown_models(state)
            if (polarity, model.pk) in found
        ]
        pooled = found.get((polarity, None))
        if rows:
            every = number(pooled) if pooled is not None else None
            made.append(Block(KINDS[polarity], n.get(polarity, 0), row_groups(rows, sort), every))
    return made


def say(state: State, made: Sequence[Block], where: str) -> tuple[str, str]:
    """The finding and the small line below it."""
    models = shown_models(state)
    if len(models) == len(state.targets) and len(models) > 1:
        pooled = [block.pooled for block in made if block.pooled is not None]
        who = _("%(models)s together, %(chats)s") % {"models": all_models(len(models)), "chats": _whose(state)}
        return finding("these models", pooled, where=where), how_sure(pooled, who)
    if len(models) == 1:
        name = models[0].name
        own = [block.rows[0].number for block in made]
        return finding(name, own, where=where), how_sure(own, f"{name}, {_whose(state)}")
    rows = [row.number for block in made for row in block.rows]
    line = _("%(n)s chosen models, %(chats)s.") % {"n": len(models), "chats": _whose(state)}
    return spread(len(models), rows, where=where), line


def _whose(state: State) -> str:
    if state.profile != "both":
        return _("chats of %(who)s only") % {"who": state.who}
    names = [profile.name for profile in state.profiles]
    if not names:
        return _("all chats")
    who = {"who": in_words(names)}
    return _("chats of %(who)s together") % who if len(names) > 1 else _("chats of %(who)s") % who


def inside(
    state: State, place: Place, request: HttpRequest, *, sort: str = "name", size: int = 50
) -> tuple[Page[MetricVersion], list[Inside]]:
    """A page of the metrics of a place by kind and name, or by how many models did well, with what it shows."""
    assert state.release is not None
    shown = [model.pk for model in shown_models(state)]
    counts = queries.most_chats_good(place.metrics, state.release, state.result_profile, shown)
    versions = [
        version
        for version in queries.release_versions(state.release).filter(metric__slug__in=place.metrics).only(*_LISTED)
        if version.polarity is None or version.polarity in state.polarities
    ]
    versions.sort(key=lambda version: (_kind_order(version.polarity), metric_name(version).casefold()))
    if sort == "most":
        versions.sort(key=lambda version: (_kind_order(version.polarity), -_share(counts.get(version.metric.slug))))
    page = Paginator(versions, size).get_page(request.GET.get("page"))
    none = (0, 0)
    listed = [_listed(one, counts.get(one.metric.slug, none), len(shown), request) for one in page.object_list]
    return page, listed


def _share(counts: tuple[int, int] | None) -> float:
    return counts[0] / counts[1] if counts else -1.0


def listed_metrics(
    versions: Iterable[MetricVersion], by_metric: Mapping[str, list[Result]], shown: set[int], request: HttpRequest
) -> list[Inside]:
    """Metrics by kind and name, each with its count of models."""
    listed = [listed_metric(version, by_metric.get(version.metric.slug, []), shown, request) for version in versions]
    return sorted(listed, key=lambda item: (_kind_order(item.version.polarity), item.name.casefold()))


def listed_metric(version: MetricVersion, results: list[Result], shown: set[int], request: HttpRequest) -> Inside:
    """A metric with its count of models and its address."""
    return _listed(version, most_chats_good(results, shown), len(shown), request)


def _listed(version: MetricVersion, counts: tuple[int, int], n_models: int, request: HttpRequest) -> Inside:
    n_good, n_tested = counts
    picture = strip(version.polarity, n_good, n_tested, n_models) if version.polarity else ""
    address = other_page(request, metric_path(version), **{"from": origin(request)})
    return Inside(version, metric_name(version), address, n_good, n_tested, picture)


def most_chats_good(results: Iterable[Result], shown: set[int]) -> tuple[int, int]:
    """Of the shown models: how many had a good outcome in most of their judged chats, and how many were judged."""
    judged = [result for result in results if result.model_id in shown and result.n_judged]
    return sum(2 * result.n_passed > result.n_judged for result in judged), len(judged)


def metric_name(version: MetricVersion) -> str:
    """The plain name, or the source's, which may be written like_a_variable or be missing; nothing in it hides."""
    if version.plain_name:
        return visible(version.plain_name)
    if version.name == version.metric.local_id:
        return _("Metric %(name)s") % {"name": version.name}
    words = visible(version.name if " " in version.name else version.name.replace("_", " ").strip())
    return words[:1].upper() + words[1:]


def metric_path(version: MetricVersion) -> str:
    """The address of a metric's page."""
    return reverse("labels:metric", args=[version.metric.benchmark.slug, version.metric.local_id])


def _kind_order(polarity: str | None) -> int:
    return 2 if polarity is None else list(KINDS).index(polarity)
