"""The AI Nutrition Label: which numbers of a release stand on it, in which order, with which words.

Two headlines that are never added, rows in an order fixed for all models, and what must be said beside them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.models import LabelRow, LanguageModel, Polarity, Profile, Release, Result, Subarea
from labels import bands
from labels.cells import Cell, cell, metrics_words
from labels.context import ALL_PROFILES
from labels.row_titles import RowTitle, row_title
from labels.wording import DEMONSTRATION, KINDS, LIMITS, NOT_PUBLISHED, Kind, count, in_words

# More profiles than this have no room beside each other on the card: then it shows everyone together.
COLUMNS_ON_CARD = 3
# (group, key, polarity, profile)
ResultKey = tuple[str, str, str, str]
Results = Mapping[ResultKey, Result]


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

    @property
    def metrics(self) -> str:
        """'5 metrics', or '3 of 5 metrics' where only a part has data."""
        result = self.pooled.result
        if result is None or not result.n_metrics:
            return "no metric with data"
        return metrics_words(result) if result.coverage < 1 else count(result.n_metrics, "metric")

    @property
    def gloss(self) -> str:
        """What goes on after the name: plain words, else how many acts of this block's kind stand behind it."""
        n_metrics = self.pooled.result.n_metrics if self.pooled.result else 0
        return self.title.gloss or (count(n_metrics, self.kind.one_act) if n_metrics else f"{self.kind.one_act}s")

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

    @property
    def sentences(self) -> list[str]:
        """The label's finding, one sentence a kind, and how much it rests on where that is a part only."""
        partial = [
            f"{headline.kind.name} rests on {headline.cell.coverage_words} only."
            for headline in self.headlines
            if headline.cell.is_partial
        ]
        return [headline.cell.sentence for headline in self.headlines] + partial

    @property
    def is_by_age(self) -> bool:
        """Whether the profiles tell people apart by their age."""
        return all("age" in profile.attributes for profile in self.profiles)

    @property
    def headline_cells(self) -> list[Cell]:
        return [headline.cell for headline in self.headlines]

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
    """The label of one model, read in three queries; `profile` 'all' puts the profiles side by side."""
    results = model_results(release, model)
    return compose_label(release, model, results, row_definitions(release, results), profiles=profiles, profile=profile)


def model_results(release: Release, model: LanguageModel) -> Results:
    """The headlines and rows of one model, by (group, key, polarity, profile)."""
    return several_results(release, [model])[model.pk]


def several_results(release: Release, models: list[LanguageModel]) -> dict[int, Results]:
    """The same for several models, in one query, by the model's primary key."""
    found: dict[int, dict[ResultKey, Result]] = {model.pk: {} for model in models}
    groups = [Result.Group.OVERALL, Result.Group.LABEL_ROW]
    for result in Result.objects.filter(release=release, model__in=models, group__in=groups):
        if result.model_id is not None:
            found[result.model_id][result.group, result.key, result.polarity, result.profile] = result
    return dict(found)


def row_definitions(release: Release, results: Iterable[ResultKey]) -> list[RowDefinition]:
    """The rows that a release has results for, in their fixed order: good things first.

    A row is the taxonomy's label row of that slug and polarity, else its subarea (contract.md, 'Label row').
    """
    keys = {(key, polarity) for group, key, polarity, _ in results if group == Result.Group.LABEL_ROW}
    rows = LabelRow.objects.filter(taxonomy=release.taxonomy_id)
    found = {(row.slug, row.polarity): _of_row(row) for row in rows if (row.slug, row.polarity) in keys}
    if keys - found.keys():
        for subarea in Subarea.objects.filter(taxonomy=release.taxonomy_id):
            for polarity in Polarity.values:
                if (subarea.slug, polarity) in keys - found.keys():
                    found[subarea.slug, polarity] = _of_subarea(subarea, polarity)
    return [row for polarity in KINDS for row in found.values() if row.polarity == polarity]


def compose_label(
    release: Release,
    model: LanguageModel,
    results: Results,
    definitions: list[RowDefinition],
    *,
    profiles: list[Profile],
    profile: str = ALL_PROFILES,
) -> Label:
    """The label from its numbers; asks the database nothing but who judged."""
    columns = _columns(profiles, profile)
    headlines = [_headline(polarity, results, profiles, profile) for polarity in KINDS]
    rows = [_row(definition, results, columns, profile) for definition in definitions]
    return Label(
        model=model,
        release=release,
        profiles=profiles,
        columns=[name for _, name in columns],
        headlines=headlines,
        blocks=_blocks(rows),
        amount=amount_tested(headlines),
        notes=label_notes(release),
    )


def label_notes(release: Release) -> list[str]:
    """What must be said beside the numbers wherever they go: the limits first, then what is special here."""
    notes = list(LIMITS)
    if release.is_demonstration:
        notes.append(DEMONSTRATION)
    if release.status == Release.Status.RETRACTED:
        notes.append(f"This release was retracted: {release.retraction_reason}")
    notes.append(f"Judge: {judge_name(release)}. Simulated users played by: {simulator_name(release)}.")
    notes.extend(f"Not everything in this release was tested alike: {difference}" for difference in release.unlike)
    return notes


def judge_name(release: Release) -> str:
    """Who judged, in words: one model, a panel, or 'not published'."""
    if release.judge is not None:
        model = release.judge.language_model
        return model.name if model else NOT_PUBLISHED
    if release.is_imported:
        return NOT_PUBLISHED
    names = release.runs.values_list("judges__language_model__name", flat=True).distinct()
    return in_words(sorted(name for name in names if name)) or NOT_PUBLISHED


def simulator_name(release: Release) -> str:
    """Which model played the users, or 'not published'."""
    return release.user_simulator.name if release.user_simulator else NOT_PUBLISHED


def amount_tested(headlines: list[Headline]) -> str:
    """'2,160 chats, 360 metrics'; with 'of' where chats that were held could not be judged."""
    results = [headline.cell.result for headline in headlines if headline.cell.result]
    judged = sum(result.n_judged for result in results)
    planned = sum(result.n_planned for result in results)
    chats = count(judged, "chat") if judged == planned else f"{judged:,} of {count(planned, 'chat')}"
    return f"{chats}, {count(sum(result.n_metrics for result in results), 'metric')}"


def lowest_row(block: Block) -> Row | None:
    """The row that lies clearly lowest in its block: its range is wholly below the range of every other row.

    Only rows that carry a word and have most of their metrics take part; None where no row stands out.
    """
    ranked = [row for row in block.rows if row.pooled.band and not row.pooled.is_partial]
    results = [(row.pooled.result, row) for row in ranked if row.pooled.result]
    for result, row in results:
        others = [other.ci_low for other, _ in results if other is not result]
        high = result.ci_high
        if others and high is not None and all(low is not None and high < low for low in others):
            return row
    return None


def label_document(release: Release, model: LanguageModel) -> dict[str, Any]:
    """The label as data, in the shape of the API's `labels/<model>/` (contract.md); rates stay between 0 and 1."""
    profiles = list(release.profiles.all())
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
            shown = cell(result, polarity=row.polarity)
            cells.append({**result_item(result, model), "band": str(shown.band) if shown.band else None})
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
    return [(ALL_PROFILES, "Everyone")]


def _headline(polarity: str, results: Results, profiles: list[Profile], profile: str) -> Headline:
    def of(slug: str) -> Cell:
        return cell(results.get((Result.Group.OVERALL, "", polarity, slug)), polarity=polarity, needs_coverage=False)

    apart = [(each, of(each.slug)) for each in profiles] if profile == ALL_PROFILES and len(profiles) > 1 else []
    return Headline(KINDS[polarity], of(profile), apart)


def _row(definition: RowDefinition, results: Results, columns: list[tuple[str, str]], profile: str) -> Row:
    def of(slug: str) -> Cell:
        key = (Result.Group.LABEL_ROW, definition.slug, definition.polarity, slug)
        return cell(results.get(key), polarity=definition.polarity)

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
