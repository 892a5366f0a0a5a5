"""One row of a label in depth: its metrics one by one, and the three conversations that the rule chooses."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import LanguageModel, MetricVersion, Release, Result
from labels import bands
from labels.charts.metric_dots import metric_dots
from labels.charts.strips import strip
from labels.chosen import Chat, Chosen
from labels.context import BOTH, State
from labels.errors import PageNotFound
from labels.label import Row, read_label
from labels.row_chats import ShownChat, chats_that_count, chosen_of, metric_path, missing_places, shown_chats
from labels.wording import NO_DATA, Kind, hundred, metrics, part_of

# More chats than this are not drawn one by one.
DRAWN_ONE_BY_ONE = 12


@dataclass(frozen=True)
class Counts:
    """Good outcomes of the judged chats of one metric: '2 of 3' in words and, where they are few, in squares."""

    words: str
    squares: SafeString | None = None


@dataclass(frozen=True)
class RowMetric:
    """One metric of the row: its counts in each column, and all shown chats together with their range."""

    version: MetricVersion
    counts: list[tuple[str, Counts]]
    pooled: Result | None
    # All that is shown of it: together, then by profile.
    results: list[Result]

    @property
    def path(self) -> str:
        return metric_path(self.version)

    @property
    def name(self) -> str:
        return self.version.plain_name or self.version.name

    @property
    def rate(self) -> float | None:
        return self.pooled.pass_rate if self.pooled else None

    @property
    def together(self) -> str:
        """'4 of 6' over all that is shown."""
        return _counts(self.pooled).words

    @property
    def range(self) -> str:
        """'30-90', or a dash where nothing was judged."""
        return (bands.range_in_100(self.pooled.ci_low, self.pooled.ci_high) if self.pooled else "") or NO_DATA

    @property
    def is_few(self) -> bool:
        return bool(self.pooled and 0 < self.pooled.n_judged < bands.HOLLOW_BELOW)


@dataclass(frozen=True)
class RowBlock:
    """The row in one kind; `missing` names the places for which there is no conversation, with the reason."""

    kind: Kind
    row: Row
    metrics: list[RowMetric]
    chats: list[ShownChat]
    missing: list[tuple[str, str]]

    @property
    def rates(self) -> list[float]:
        return sorted(metric.rate for metric in self.metrics if metric.rate is not None)

    @property
    def picture(self) -> SafeString:
        """One mark a metric, and a line at the row's own number where it has one."""
        drawn = self.row.pooled.drawn
        return metric_dots(self.kind.polarity, self.rates, drawn.pass_rate if drawn else None)

    @property
    def spread(self) -> str:
        """The picture as a sentence."""
        rates = self.rates
        if not rates:
            return _("No metric of this row has a verdict.")
        words = {"n": len(rates), "low": hundred(rates[0]), "high": hundred(rates[-1]), "metrics": metrics(len(rates))}
        if rates[0] == rates[-1]:
            return ngettext(
                "The one metric with verdicts lies at %(low)s in 100 chats.",
                "All %(n)s metrics with verdicts lie at %(low)s in 100 chats.",
                len(rates),
            ) % words  # fmt: skip
        middle = {"middle": hundred(rates[len(rates) // 2])}
        said = _(
            "%(metrics)s: the lowest at %(low)s, the middle one at %(middle)s, the highest at %(high)s in 100 chats."
        )
        return said % {**words, **middle}


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
        raise PageNotFound(_("This label has no row named “%(slug)s”.") % {"slug": slug}, links.items(), _("Its rows"))
    members = _metrics(release, model, state, found, label.columns)
    versions: dict[Hashable, MetricVersion] = {
        one.version.pk: one.version for of_kind in members.values() for one in of_kind
    }
    chats = chats_that_count(release, model, [one.pk for one in versions.values()], state.result_profile)
    return RowPage(
        name=found[0].title.name,
        given=found[0].title.given,
        columns=label.columns,
        blocks=_blocks(release, found, members, versions, chats),
    )


def _blocks(
    release: Release,
    rows: list[Row],
    members: dict[str, list[RowMetric]],
    versions: dict[Hashable, MetricVersion],
    chats: list[Chat],
) -> list[RowBlock]:
    chosen: list[Chosen] = [chosen_of(chats, (one.version for one in members[row.kind.polarity])) for row in rows]
    shown = shown_chats(release, chosen, versions)
    return [
        RowBlock(row.kind, row, members[row.kind.polarity], of_row, missing_places(choice))
        for row, choice, of_row in zip(rows, chosen, shown, strict=True)
    ]


def _metrics(
    release: Release, model: LanguageModel, state: State, rows: list[Row], columns: list[str]
) -> dict[str, list[RowMetric]]:
    """The metrics of the rows by polarity, in the order of their names; two queries and the release's groups."""
    groups = release.groups.get("label-row", {})
    members = {row.kind.polarity: groups.get(f"{row.kind.polarity} {row.slug}", []) for row in rows}
    slugs = {slug for of_kind in members.values() for slug in of_kind}
    versions = release.metric_versions.filter(metric__slug__in=slugs).select_related("metric__benchmark")
    results: dict[str, dict[str, Result]] = defaultdict(dict)
    wanted = Result.objects.filter(release=release, model=model, group=Result.Group.METRIC, key__in=slugs)
    for result in wanted:
        results[result.key][result.profile] = result
    found = [_row_metric(version, results[version.metric.slug], state, columns) for version in versions]
    found.sort(key=lambda metric: (metric.name.casefold(), metric.version.metric.slug))
    return {
        polarity: [metric for metric in found if metric.version.metric.slug in of_kind]
        for polarity, of_kind in members.items()
    }


def _row_metric(version: MetricVersion, results: dict[str, Result], state: State, columns: list[str]) -> RowMetric:
    """The metric in the columns of the label: the profiles, or everyone where they are too many."""
    shown = {profile.name: profile.slug for profile in state.profiles if state.profile in (BOTH, profile.slug)}
    counts = [(column, _counts(results.get(shown.get(column, state.result_profile)))) for column in columns]
    names = dict.fromkeys([state.result_profile, *shown.values()])
    kept = [results[name] for name in names if name in results]
    return RowMetric(version, counts, results.get(state.result_profile), kept)


def _counts(result: Result | None) -> Counts:
    """'2 of 3', or why there is nothing to count."""
    if result is None or not result.n_planned:
        return Counts(_("not tested"))
    if not result.n_judged:
        return Counts(_("none judged"))
    words = part_of(result.n_passed, result.n_judged)
    if result.n_judged > DRAWN_ONE_BY_ONE:
        return Counts(words)
    return Counts(words, strip(result.polarity, result.n_passed, result.n_judged, result.n_judged))
