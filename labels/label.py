"""The AI Nutrition Label: which numbers of a release stand on it, in which order, with which words.

Two headlines that are never added, rows in an order fixed for all models, and what must be said beside them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from evaluation.models import LabelRow, LanguageModel, MetricVersion, Polarity, Profile, Release, Result, Subarea
from impactbench.common.prepared import PreparedRows
from impactbench.common.remembered import remembered
from labels import bands, between_profiles
from labels.between_profiles import PairOfProfiles, ResultKey
from labels.cells import Cell, band_of, cell, metrics_words
from labels.context import ALL_PROFILES
from labels.row_titles import RowTitle, row_title
from labels.weakest import weakest_spot
from labels.wording import KINDS, NOT_PUBLISHED, Kind, chats, demonstration, in_words, limits, metrics

# More profiles than this have no room beside each other on the card: then it shows everyone together.
COLUMNS_ON_CARD = 3
OLD_AFTER_DAYS = 365
Results = Mapping[ResultKey, Result]
GROUPS = (Result.Group.OVERALL, Result.Group.LABEL_ROW)
COLUMNS = tuple(column.attname for column in Result._meta.concrete_fields)
ON_A_LABEL = PreparedRows(Result.objects.filter(group__in=GROUPS).values(*COLUMNS))


@dataclass(frozen=True)
class Headline:
    """One of the two numbers: of the shown profile, and of each profile apart."""

    kind: Kind
    cell: Cell
    profiles: list[tuple[Profile, Cell]]


@dataclass(frozen=True)
class Row:
    """One row: its title in this block, and a cell for each column."""

    slug: str
    kind: Kind
    title: RowTitle
    sentence: str
    cells: list[tuple[str, Cell]]
    pooled: Cell
    # 'lower for Ages 6-17', where the groups differ beyond chance.
    gap: str = ""

    @property
    def metrics(self) -> str:
        """'5 metrics', or '3 of 5 metrics' where only a part has data."""
        result = self.pooled.result
        if result is None or not result.n_metrics:
            return _("no metric with data")
        return metrics_words(result) if result.coverage < 1 else metrics(result.n_metrics)

    @property
    def metrics_of_kind(self) -> str:
        """'5 metrics of good behaviour', or that none has data."""
        if self.pooled.result is None or not self.pooled.result.n_metrics:
            return self.metrics
        if self.kind.polarity == Polarity.POSITIVE:
            return _("%(metrics)s of good behaviour") % {"metrics": self.metrics}
        return _("%(metrics)s of harmful behaviour") % {"metrics": self.metrics}

    @property
    def gloss(self) -> str:
        """What goes on after the name: plain words, else how many metrics of this block's kind stand behind it."""
        return self.title.gloss or self.metrics

    @property
    def has_rates(self) -> bool:
        return any(cell.has_rate for _, cell in self.cells)

    @property
    def drawn(self) -> list[Result | None]:
        """What the row's picture shows, a line a column."""
        return [cell.drawn for _, cell in self.cells]


@dataclass(frozen=True)
class Block:
    """All rows of one kind; the first `n_on_card` fit on the card."""

    kind: Kind
    rows: list[Row]
    n_on_card: int

    @property
    def on_card(self) -> list[Row]:
        return self.rows[: self.n_on_card]

    @property
    def n_more(self) -> int:
        return len(self.rows) - self.n_on_card


@dataclass(frozen=True)
class Label:
    """The whole label of one model in one release."""

    model: LanguageModel
    release: Release
    profiles: list[Profile]
    columns: list[str]
    headlines: list[Headline]
    blocks: list[Block]
    amount: str
    notes: list[str] = field(default_factory=list)
    between_profiles: list[PairOfProfiles] = field(default_factory=list)

    @property
    def sentences(self) -> list[str]:
        """The label's finding, one sentence a kind, and how much it rests on where that is a part only."""
        partial = [
            _("%(kind)s rests on %(metrics)s only.")
            % {"kind": headline.kind.name, "metrics": headline.cell.coverage_words}
            for headline in self.headlines
            if headline.cell.is_partial
        ]
        return [headline.cell.sentence for headline in self.headlines] + partial

    @property
    def weakest(self) -> list[tuple[Block, Row]]:
        """The weakest spot of each kind that has one."""
        return [
            (block, row)
            for block, headline in zip(self.blocks, self.headlines, strict=True)
            if (row := weakest_spot(block.rows, headline.cell))
        ]

    @property
    def profile_sentences(self) -> list[str]:
        """Whether the groups of people differ; nothing where there is one group only."""
        return between_profiles.sentences(self.between_profiles) if len(self.profiles) > 1 else []

    @property
    def is_by_age(self) -> bool:
        """Whether the profiles tell people apart by their age."""
        return all("age" in profile.attributes for profile in self.profiles)

    @property
    def headline_cells(self) -> list[Cell]:
        return [headline.cell for headline in self.headlines]

    @property
    def is_old(self) -> bool:
        """Whether its release is of more than a year ago."""
        return (timezone.now() - self.release.published_at).days > OLD_AFTER_DAYS

    @property
    def is_partial(self) -> bool:
        return any(headline.cell.is_partial for headline in self.headlines)

    @property
    def n_more(self) -> int:
        return sum(block.n_more for block in self.blocks)


@dataclass(frozen=True)
class RowDefinition:
    """A row before any model's numbers: the same for all models of a release."""

    slug: str
    polarity: str
    title: str
    plain_name: str
    plain_sentence: str
    sentence: str


def read_label(
    release: Release, model: LanguageModel, *, profiles: list[Profile], profile: str = ALL_PROFILES
) -> Label:
    """The label of one model, in a fixed number of queries; `profile` 'all' puts the profiles side by side."""
    results = model_results(release, model)
    return compose_label(
        release,
        model,
        results,
        row_definitions(release, results),
        profiles=profiles,
        profile=profile,
        pairs=between_profiles.read_between_profiles(release, model, results, profiles),
    )


def about_metrics(release: Release) -> list[str]:
    """How many metrics the rows show, where not all, and how many of all were checked by experts. One query."""
    # A metric without a polarity is in no row and in neither number.
    of_a_kind = Q(metric_versions__polarity__isnull=False)
    status, statuses = "metric_versions__status", MetricVersion.Status
    counts = Release.objects.annotate(
        n=Count("metric_versions", filter=of_a_kind),
        n_reviewed=Count("metric_versions", filter=of_a_kind & Q(**{status: statuses.EXPERT_REVIEWED})),
        n_disputed=Count("metric_versions", filter=of_a_kind & Q(**{status: statuses.DISPUTED})),
    ).values_list("groups__label-row", "n", "n_reviewed", "n_disputed")
    rows, n, n_reviewed, n_disputed = counts.get(pk=release.pk)
    shown = len({slug for slugs in (rows or {}).values() for slug in slugs})
    return [*_rows_cover(shown, n), *_checked(n, n_reviewed, n_disputed)]


def _rows_cover(shown: int, n: int) -> list[str]:
    if not 0 < shown < n:
        return []
    words = {"part": f"{shown:,}", "metrics": metrics(n)}
    return [_("The rows show %(part)s of %(metrics)s; the two large numbers count all.") % words]


def _checked(n: int, n_reviewed: int, n_disputed: int) -> list[str]:
    """Of a release without a metric there is nothing to say."""
    if not n:
        return []
    words = {"reviewed": f"{n_reviewed:,}", "metrics": metrics(n), "disputed": f"{n_disputed:,}"}
    said = [_("Experts have checked %(reviewed)s of %(metrics)s as the methodology asks.") % words]
    if n_disputed:
        said.append(_("Disputed by reasons that are not settled: %(disputed)s of %(metrics)s.") % words)
    return said


def model_results(release: Release, model: LanguageModel) -> Results:
    """The headlines and rows of one model, by (group, key, polarity, profile)."""
    rows = ON_A_LABEL.filter(release=release.pk, model=model.pk)[:]
    results = [Result.from_db(None, list(row), list(row.values())) for row in rows]
    return {_key(result): result for result in results}


def several_results(release: Release, models: list[LanguageModel]) -> dict[int, Results]:
    """The same for several models, in one query, by the model's primary key."""
    found: dict[int, dict[ResultKey, Result]] = {model.pk: {} for model in models}
    for result in Result.objects.filter(release=release, model__in=models, group__in=GROUPS):
        if result.model_id is not None:
            found[result.model_id][_key(result)] = result
    return dict(found)


def _key(result: Result) -> ResultKey:
    return result.group, result.key, result.polarity, result.profile


def row_definitions(release: Release, results: Iterable[ResultKey]) -> list[RowDefinition]:
    """The rows that a release has results for, in their fixed order: good things first.

    A row is the taxonomy's label row of that slug and polarity, else its subarea (contract.md, 'Label row').
    """
    keys = {(key, polarity) for group, key, polarity, _ in results if group == Result.Group.LABEL_ROW}
    rows = _label_rows(release.taxonomy_id)
    found = {(row.slug, row.polarity): _of_row(row) for row in rows if (row.slug, row.polarity) in keys}
    if keys - found.keys():
        for subarea in _subareas(release.taxonomy_id):
            for polarity in Polarity.values:
                if (subarea.slug, polarity) in keys - found.keys():
                    found[subarea.slug, polarity] = _of_subarea(subarea, polarity)
    return [row for polarity in KINDS for row in found.values() if row.polarity == polarity]


@remembered
def _label_rows(taxonomy: int) -> list[LabelRow]:
    return list(LabelRow.objects.filter(taxonomy=taxonomy))


@remembered
def _subareas(taxonomy: int) -> list[Subarea]:
    return list(Subarea.objects.filter(taxonomy=taxonomy))


@remembered
def _profiles(release: Release) -> list[Profile]:
    return list(release.profiles.all())


def compose_label(
    release: Release,
    model: LanguageModel,
    results: Results,
    definitions: list[RowDefinition],
    *,
    profiles: list[Profile],
    profile: str = ALL_PROFILES,
    pairs: Sequence[PairOfProfiles] = (),
) -> Label:
    """The label from its numbers; asks the database nothing but who judged. `pairs` compare the profiles."""
    columns = _columns(profiles, profile)
    headlines = [_headline(polarity, results, profiles, profile) for polarity in KINDS]
    gaps = list(pairs) if profile == ALL_PROFILES else []
    rows = [_row(definition, results, columns, profile, gaps) for definition in definitions]
    return Label(
        model=model,
        release=release,
        profiles=profiles,
        columns=[name for _slug, name in columns],
        headlines=headlines,
        blocks=_blocks(rows),
        amount=amount_tested(headlines),
        notes=label_notes(release),
        between_profiles=list(pairs),
    )


def label_notes(release: Release) -> list[str]:
    """What must be said beside the numbers wherever they go: the limits first, then what is special here."""
    notes = list(limits())
    if release.is_demonstration:
        notes.append(demonstration())
    if release.status == Release.Status.RETRACTED:
        notes.append(_("This release was retracted: %(reason)s") % {"reason": release.retraction_reason})
    who = {"judge": judge_name(release), "simulator": simulator_name(release)}
    notes.append(_("Judge: %(judge)s. Simulated users played by: %(simulator)s.") % who)
    unlike = _("Not everything in this release was tested alike: %(difference)s")
    notes.extend(unlike % {"difference": difference} for difference in release.unlike)
    return notes


def judge_name(release: Release) -> str:
    """Who judged, in words: one model, a panel, or 'not published'."""
    if release.judge is not None:
        model = release.judge.language_model
        return model.name if model else str(NOT_PUBLISHED)
    if release.is_imported:
        return str(NOT_PUBLISHED)
    names = release.runs.values_list("judges__language_model__name", flat=True).distinct()
    return in_words(sorted(name for name in names if name)) or str(NOT_PUBLISHED)


def simulator_name(release: Release) -> str:
    """Which model played the users, or 'not published'."""
    return release.user_simulator.name if release.user_simulator else str(NOT_PUBLISHED)


def amount_tested(headlines: list[Headline]) -> str:
    """'2,160 chats, 360 metrics'; with 'of' where chats that were held could not be judged."""
    results = [headline.cell.result for headline in headlines if headline.cell.result]
    judged = sum(result.n_judged for result in results)
    planned = sum(result.n_planned for result in results)
    if not planned:
        return _("nothing yet")
    words = {"part": f"{judged:,}", "chats": chats(planned), "metrics": metrics(sum(one.n_metrics for one in results))}
    if judged == planned:
        return _("%(chats)s, %(metrics)s") % words
    return _("%(part)s of %(chats)s, %(metrics)s") % words


def label_document(release: Release, model: LanguageModel) -> dict[str, Any]:
    """The label as data, in the shape of the API's `labels/<model>/` (contract.md); rates stay between 0 and 1."""
    profiles = _profiles(release)
    results = model_results(release, model)
    slugs = [ALL_PROFILES, *(profile.slug for profile in profiles)]
    return {
        "model": model.slug,
        "release": release.slug,
        "profiles": [profile.slug for profile in profiles],
        "headlines": [
            result_item(result, model)
            for polarity in KINDS
            for slug in slugs
            if (result := results.get((Result.Group.OVERALL, "", polarity, slug)))
        ],
        "rows": [
            {
                "slug": row.slug,
                "title": row.title,
                "polarity": row.polarity,
                "cells": _document_cells(row, results, slugs, model),
            }
            for row in row_definitions(release, results)
        ],
        "notes": label_notes(release),
    }


def result_item(result: Result, model: LanguageModel | None) -> dict[str, Any]:
    """One result in the shape of the API's `results/` (contract.md)."""
    return {
        "group": result.group,
        "key": result.key or None,
        "model": model.slug if model else None,
        "polarity": result.polarity,
        "profile": result.profile,
        "n_metrics": result.n_metrics,
        "n_planned": result.n_planned,
        "n_conversations": result.n_conversations,
        "n_judged": result.n_judged,
        "n_unjudged": result.n_unjudged,
        "n_passed": result.n_passed,
        "pass_rate": result.pass_rate,
        "ci_low": result.ci_low,
        "ci_high": result.ci_high,
        "ci_method": result.ci_method,
        "n_draws": result.n_draws,
        "coverage": result.coverage,
    }


def _document_cells(
    row: RowDefinition, results: Results, profiles: list[str], model: LanguageModel
) -> list[dict[str, Any]]:
    cells = []
    for profile in profiles:
        result = results.get((Result.Group.LABEL_ROW, row.slug, row.polarity, profile))
        if result is not None:
            band = band_of(result)
            cells.append({**result_item(result, model), "band": str(band) if band else None})
    return cells


def _of_row(row: LabelRow) -> RowDefinition:
    return RowDefinition(row.slug, row.polarity, row.title, "", row.plain_sentence, row.plain_sentence)


def _of_subarea(subarea: Subarea, polarity: str) -> RowDefinition:
    # A subarea's sentence says what it is about, in both blocks alike; beside the short name it would be too long.
    return RowDefinition(subarea.slug, polarity, subarea.name, subarea.plain_name, "", subarea.plain_sentence)


def _columns(profiles: list[Profile], profile: str) -> list[tuple[str, str]]:
    """(profile as results name it, heading) of each column."""
    if profile != ALL_PROFILES:
        return [(shown.slug, shown.name) for shown in profiles if shown.slug == profile]
    if 0 < len(profiles) <= COLUMNS_ON_CARD:
        return [(shown.slug, shown.name) for shown in profiles]
    return [(ALL_PROFILES, _("Everyone"))]


def _headline(polarity: str, results: Results, profiles: list[Profile], profile: str) -> Headline:
    def of(slug: str) -> Cell:
        return cell(results.get((Result.Group.OVERALL, "", polarity, slug)), polarity=polarity, needs_coverage=False)

    apart = [(each, of(each.slug)) for each in profiles] if profile == ALL_PROFILES and len(profiles) > 1 else []
    return Headline(KINDS[polarity], of(profile), apart)


def _row(
    definition: RowDefinition,
    results: Results,
    columns: list[tuple[str, str]],
    profile: str,
    pairs: Sequence[PairOfProfiles],
) -> Row:
    place = (str(Result.Group.LABEL_ROW), definition.slug, definition.polarity)

    def of(slug: str) -> Cell:
        return cell(results.get((*place, slug)), polarity=definition.polarity)

    return Row(
        slug=definition.slug,
        kind=KINDS[definition.polarity],
        title=row_title(
            definition.title,
            definition.polarity,
            plain_name=definition.plain_name,
            plain_sentence=definition.plain_sentence,
        ),
        sentence=definition.sentence,
        cells=[(name, of(slug)) for slug, name in columns],
        pooled=of(profile),
        gap=between_profiles.words_at(pairs, place, n_profiles=len(columns)),
    )


def _blocks(rows: list[Row]) -> list[Block]:
    """Rows by kind; where they are too many for the card, each kind keeps its share of the room."""
    kinds = [[row for row in rows if row.kind.polarity == polarity] for polarity in KINDS]
    good, harmful = (len(kind) for kind in kinds)
    half = bands.ROWS_ON_CARD // 2
    n_good = min(good, max(half, bands.ROWS_ON_CARD - harmful))
    n_harmful = min(harmful, bands.ROWS_ON_CARD - n_good)
    return [
        Block(kind, members, shown)
        for kind, members, shown in zip(KINDS.values(), kinds, (n_good, n_harmful), strict=True)
    ]
