"""Puts together what an Explore page shows: rows of dots, the grid, and what is inside a place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString

from evaluation.models import LanguageModel, MetricVersion, Result
from labels import queries
from labels.addresses import other_page
from labels.charts.strips import strip
from labels.context import State
from labels.numbers import Number, number
from labels.queries import Place
from labels.sentences import all_models, finding, how_sure, spread
from labels.wording import KINDS, Kind

# Step of the grid's scale, the numbers it stands for.
SHADES = ((1, "0–19"), (2, "20–39"), (3, "40–59"), (4, "60–79"), (5, "80–100"))
VIEWS = {"dots": "Dots", "grid": "Grid", "table": "Table"}


@dataclass(frozen=True)
class Row:
    """One model's number of one kind."""

    model: LanguageModel
    number: Number

    @property
    def model_path(self) -> str:
        """The address of the model's label."""
        return f"/labels/{self.model.slug}/"


@dataclass(frozen=True)
class Block:
    """All models of one kind; the two kinds are never mixed."""

    kind: Kind
    n_metrics: int
    rows: list[Row]
    pooled: Number | None


@dataclass(frozen=True)
class Grid:
    """Models by places for one kind; `rows` has one number or None for each of `places`."""

    kind: Kind
    groups: list[tuple[str, int]]
    places: list[tuple[Place, str, str]]
    rows: list[tuple[LanguageModel, list[Number | None]]]


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


def by_name(models: Iterable[LanguageModel]) -> list[LanguageModel]:
    """The only order that models are listed in."""
    return sorted(models, key=lambda model: (model.name.casefold(), model.slug))


def blocks(state: State, results: Iterable[Result], n: Mapping[str | None, int]) -> list[Block]:
    """The rows of each shown kind, models by name."""
    found = {(result.polarity, result.model_id): result for result in results}
    made = []
    for polarity in state.polarities:
        n_metrics = n.get(polarity, 0)
        rows = [
            Row(model, number(found[polarity, model.pk]))
            for model in shown_models(state)
            if (polarity, model.pk) in found
        ]
        pooled = found.get((polarity, None))
        if rows:
            made.append(Block(KINDS[polarity], n_metrics, rows, number(pooled) if pooled is not None else None))
    return made


def say(state: State, made: list[Block], where: str) -> tuple[str, str]:
    """The finding and the small line below it."""
    models = shown_models(state)
    if len(models) == len(state.targets) and len(models) > 1:
        pooled = [block.pooled for block in made if block.pooled is not None]
        who = f"{all_models(len(models))} together, {_whose(state)}"
        return finding("these models", pooled, where=where), how_sure(pooled, who)
    if len(models) == 1:
        own = [block.rows[0].number for block in made]
        return finding(models[0].name, own, where=where), how_sure(own, f"{models[0].name}, {_whose(state)}")
    rows = [row.number for block in made for row in block.rows]
    return spread(len(models), rows, where=where), f"{len(models)} chosen models, {_whose(state)}."


def _whose(state: State) -> str:
    if state.profile != "both":
        return f"chats of {state.who} only"
    names = [profile.name for profile in state.profiles]
    return (
        f"chats of {' and '.join(names)} together"
        if len(names) > 1
        else f"chats of {names[0]}"
        if names
        else "all chats"
    )


def grids(state: State, tree: list[Place], results: Iterable[Result], request: HttpRequest) -> list[Grid]:
    """One grid a kind: the shown models by the subareas of `tree`."""
    found = {(result.polarity, result.model_id, result.key): result for result in results}
    made = []
    for polarity in state.polarities:
        groups = [(area.name, [part for part in area.parts if part.n.get(polarity)]) for area in tree]
        groups = [(name, parts) for name, parts in groups if parts]
        columns = [
            (part, other_page(request, reverse("labels:explore-subarea", args=[area.slug, part.slug])))
            for area in tree
            for part in area.parts
            if part.n.get(polarity)
        ]
        rows = [
            (model, [_cell(found.get((polarity, model.pk, part.slug))) for part, _ in columns])
            for model in shown_models(state)
        ]
        with_n = [(part, path, _chats(cells[at] for _, cells in rows)) for at, (part, path) in enumerate(columns)]
        if columns:
            made.append(Grid(KINDS[polarity], [(name, len(parts)) for name, parts in groups], with_n, rows))
    return made


def _chats(cells: Iterable[Number | None]) -> str:
    """How many judged chats stand behind the numbers of a column: 'n 84', or 'n up to 84' where they differ."""
    counts = {cell.result.n_judged for cell in cells if cell is not None}
    return f"n {'' if len(counts) == 1 else 'up to '}{max(counts):,}" if counts else ""


def _cell(result: Result | None) -> Number | None:
    return None if result is None else number(result)


def inside(state: State, place: Place, request: HttpRequest) -> list[Inside]:
    """The metrics of a place by kind and name, each with its count of models."""
    assert state.release is not None
    shown = {model.pk for model in shown_models(state)}
    by_metric = queries.latest_by_metric(place.metrics, state.release, state.result_profile)
    versions = queries.release_versions(state.release).filter(metric__slug__in=place.metrics)
    wanted = [version for version in versions if version.polarity is None or version.polarity in state.polarities]
    return listed_metrics(wanted, by_metric, shown, request)


def listed_metrics(
    versions: Iterable[MetricVersion], by_metric: Mapping[str, list[Result]], shown: set[int], request: HttpRequest
) -> list[Inside]:
    """Metrics by kind and name, each with its count of models."""
    listed = [listed_metric(version, by_metric.get(version.metric.slug, []), shown, request) for version in versions]
    return sorted(listed, key=lambda item: (_kind_order(item.version.polarity), item.name.casefold()))


def listed_metric(version: MetricVersion, results: list[Result], shown: set[int], request: HttpRequest) -> Inside:
    """A metric with its count of models and its address."""
    n_good, n_tested = most_chats_good(results, shown)
    picture = strip(version.polarity, n_good, n_tested, len(shown)) if version.polarity else ""
    return Inside(version, metric_name(version), other_page(request, metric_path(version)), n_good, n_tested, picture)


def most_chats_good(results: Iterable[Result], shown: set[int]) -> tuple[int, int]:
    """Of the shown models: how many had a good outcome in most of their judged chats, and how many were judged."""
    judged = [result for result in results if result.model_id in shown and result.n_judged]
    return sum(2 * result.n_passed > result.n_judged for result in judged), len(judged)


def metric_name(version: MetricVersion) -> str:
    """The plain name, or the source's, which may be written like_a_variable or be missing."""
    if version.plain_name:
        return version.plain_name
    if version.name == version.metric.local_id:
        return f"Metric {version.name}"
    words = version.name if " " in version.name else version.name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def metric_path(version: MetricVersion) -> str:
    """The address of a metric's page."""
    return reverse("labels:metric", args=[version.metric.benchmark.slug, version.metric.local_id])


def _kind_order(polarity: str | None) -> int:
    return 2 if polarity is None else list(KINDS).index(polarity)
