"""One row of a label in depth: its metrics, and a chat from the lowest, the middle and the highest of them."""

from collections import defaultdict
from dataclasses import dataclass

from django.urls import reverse

from evaluation.models import LanguageModel, MetricVersion, Release, Result, Verdict
from labels.context import BOTH, State
from labels.errors import PageNotFound
from labels.label import Row, read_label
from labels.wording import Kind


@dataclass(frozen=True)
class RowMetric:
    """One metric of the row: how many of its chats came out well, in each column."""

    version: MetricVersion
    counts: list[tuple[str, str]]
    pooled: Result | None

    @property
    def path(self) -> str:
        benchmark, _, local_id = self.version.metric.slug.partition("/")
        return reverse("labels:metric", args=[benchmark, local_id])

    @property
    def name(self) -> str:
        return self.version.plain_name or self.version.name


@dataclass(frozen=True)
class Example:
    """A chat that the fixed rule picked."""

    place: str
    metric: RowMetric
    verdict: Verdict

    @property
    def title(self) -> str:
        scenario = self.verdict.conversation.scenario
        return scenario.title or scenario.base.title or f"Scenario {scenario.base.number}"

    @property
    def path(self) -> str:
        return reverse("labels:conversation", args=[self.verdict.conversation.public_id])


@dataclass(frozen=True)
class RowBlock:
    """The row in one kind."""

    kind: Kind
    row: Row
    metrics: list[RowMetric]
    examples: list[Example]


@dataclass(frozen=True)
class RowPage:
    """The row in both kinds, where it has both."""

    name: str
    given: str
    columns: list[str]
    blocks: list[RowBlock]


def read_row_page(state: State, release: Release, model: LanguageModel, slug: str) -> RowPage:
    """The row of that slug; raises PageNotFound, with the label's rows, where the release has none."""
    label = read_label(release, model, profiles=state.profiles, profile=state.result_profile)
    rows = [row for block in label.blocks for row in block.rows]
    found = [row for row in rows if row.slug == slug]
    if not found:
        links = {row.title.name: reverse("labels:label-row", args=[model.slug, row.slug]) for row in rows}
        raise PageNotFound(f"This label has no row named “{slug}”.", links.items(), "Its rows")
    metrics = _metrics(release, model, state, found)
    return RowPage(
        name=found[0].title.name,
        given=found[0].title.given,
        columns=label.columns,
        blocks=[_block(release, model, state, row, metrics[row.kind.polarity]) for row in found],
    )


def _metrics(release: Release, model: LanguageModel, state: State, rows: list[Row]) -> dict[str, list[RowMetric]]:
    """The metrics of the rows by polarity, in the order of their names; two queries and the release's groups."""
    groups = release.groups.get("label-row", {})
    members = {row.kind.polarity: groups.get(f"{row.kind.polarity} {row.slug}", []) for row in rows}
    slugs = {slug for metrics in members.values() for slug in metrics}
    versions = release.metric_versions.filter(metric__slug__in=slugs).select_related("metric")
    results: dict[str, dict[str, Result]] = defaultdict(dict)
    wanted = Result.objects.filter(release=release, model=model, group=Result.Group.METRIC, key__in=slugs)
    for result in wanted:
        results[result.key][result.profile] = result
    found = [_row_metric(version, results[version.metric.slug], state) for version in versions]
    found.sort(key=lambda metric: (metric.name.casefold(), metric.version.metric.slug))
    return {
        polarity: [metric for metric in found if metric.version.metric.slug in metrics]
        for polarity, metrics in members.items()
    }


def _row_metric(version: MetricVersion, results: dict[str, Result], state: State) -> RowMetric:
    shown = [profile for profile in state.profiles if state.profile in (BOTH, profile.slug)]
    counts = [(profile.name, _counts(results.get(profile.slug))) for profile in shown]
    return RowMetric(version, counts, results.get(state.result_profile))


def _counts(result: Result | None) -> str:
    """'2 of 3', or why there is nothing to count."""
    if result is None or not result.n_planned:
        return "not tested"
    return f"{result.n_passed:,} of {result.n_judged:,}" if result.n_judged else "none judged"


def _block(release: Release, model: LanguageModel, state: State, row: Row, metrics: list[RowMetric]) -> RowBlock:
    return RowBlock(row.kind, row, metrics, _examples(release, model, state, metrics))


def _examples(release: Release, model: LanguageModel, state: State, metrics: list[RowMetric]) -> list[Example]:
    """The first judged chat, by scenario, of the metrics with the lowest, the middle and the highest rate."""
    rated = sorted((metric for metric in metrics if _rate(metric) is not None), key=_by_rate)
    if not rated:
        return []
    places = {0: "lowest", len(rated) // 2: "middle", len(rated) - 1: "highest"}
    picked = {rated[position].version.pk: (name, rated[position]) for position, name in places.items()}
    chats = Verdict.objects.filter(release=release, model=model, metric_version__in=picked, passed__isnull=False)
    if state.profile != BOTH:
        chats = chats.filter(profile__slug=state.profile)
    first: dict[int, Verdict] = {}
    order = ("conversation__scenario__base__number", "profile__order", "profile__slug", "conversation__sample")
    for chat in chats.select_related("conversation__scenario__base", "profile").order_by(*order):
        first.setdefault(chat.metric_version_id, chat)
    return [Example(name, metric, first[pk]) for pk, (name, metric) in picked.items() if pk in first]


def _rate(metric: RowMetric) -> float | None:
    return metric.pooled.pass_rate if metric.pooled else None


def _by_rate(metric: RowMetric) -> tuple[float, str]:
    return (_rate(metric) or 0.0, metric.version.metric.slug)
