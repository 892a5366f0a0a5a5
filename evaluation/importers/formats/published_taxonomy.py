"""The published folder's models, taxonomy, metrics and label rows (everything but scenarios and verdicts)."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.result_types import (
    ResultArea,
    ResultLabelRow,
    ResultMetric,
    ResultModel,
    ResultSubarea,
)
from evaluation.importers.formats.slugs import TAKEN_BY_PAGES, metric_local_id, slugify
from evaluation.importers.formats.source_json import as_dict, as_list, as_text, read_source
from evaluation.importers.formats.transcripts import clean
from evaluation.importers.formats.types import Polarity

_METRIC_ID = re.compile(r"(.+?)(?:__|_(?=metric_\d))([A-Za-z0-9_-]+)")
_MODEL_FIELDS = {"id", "name", "provider", "version", "releaseYear"}


def metric_parts(file: Path, source_id: str) -> tuple[str, str]:
    """(benchmark slug, local id) of 'name-bias__m01' (July) or 'name-bias_metric_001' (April)."""
    match = _METRIC_ID.fullmatch(source_id)
    if match is None or not slugify(match[1]):
        raise FileProblem(file, f"the metric id {source_id!r} is not <benchmark>__<id>")
    return slugify(match[1]), metric_local_id(match[2])


def metric_slug(file: Path, source_id: str) -> str:
    return "/".join(metric_parts(file, source_id))


@dataclass
class Taxonomy:
    """Areas with placements, and what the placements say of each metric (by slug)."""

    areas: tuple[ResultArea, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    polarities: dict[str, Polarity | None] = field(default_factory=dict)


def read_taxonomy(file: Path) -> Taxonomy:
    """taxonomy.json; a metric whose placements contradict each other has no known polarity."""
    taxonomy = Taxonomy()
    areas = []
    for area in as_list(file, as_dict(file, read_source(file), "the file").get("areas"), "areas"):
        area = as_dict(file, area, "an area")
        area_id = as_text(file, area.get("id"), "an area's id")
        subareas = tuple(_subareas(file, area, taxonomy))
        areas.append(ResultArea(slugify(area_id), clean(area.get("name")) or area_id, subareas))
    taxonomy.areas = tuple(areas)
    return taxonomy


def _subareas(file: Path, area: dict[str, Any], taxonomy: Taxonomy) -> Iterator[ResultSubarea]:
    for subarea in as_list(file, area.get("subareas", []), "subareas"):
        subarea = as_dict(file, subarea, "a subarea")
        source_id = as_text(file, subarea.get("id"), "a subarea's id")
        placed = []
        for metric in as_list(file, subarea.get("metrics", []), "metrics"):
            metric = as_dict(file, metric, "a metric")
            slug = metric_slug(file, as_text(file, metric.get("id"), "a metric's id"))
            placed.append(slug)
            taxonomy.names.setdefault(slug, clean(metric.get("name")) or slug.split("/")[1])
            _remember_polarity(taxonomy.polarities, slug, polarity_of(metric))
        metrics = tuple(dict.fromkeys(placed))
        yield ResultSubarea(_row_slug(file, source_id), clean(subarea.get("name")) or source_id, source_id, metrics)


def _row_slug(file: Path, source_id: str) -> str:
    """The slug of what may stand as a row in a label."""
    slug = slugify(source_id)
    if slug in TAKEN_BY_PAGES:
        raise FileProblem(file, f"no row and no subarea can have the id {source_id!r}: another page has that address")
    return slug


def polarity_of(metric: Mapping[str, Any]) -> Polarity | None:
    """July says `type`, April says `harmful`; anything else is unknown."""
    for polarity in ("positive", "negative"):
        if metric.get("type") == polarity:
            return polarity
    if isinstance(metric.get("harmful"), bool):
        return "negative" if metric["harmful"] else "positive"
    return None


def _remember_polarity(known: dict[str, Polarity | None], slug: str, polarity: Polarity | None) -> None:
    if slug in known and known[slug] != polarity:
        polarity = None
    known[slug] = polarity


def read_models(file: Path, tested: Collection[str]) -> dict[str, ResultModel]:
    """The models by the source's id; one that has verdicts but no entry is known by its id only."""
    models = {}
    for entry in as_list(file, as_dict(file, read_source(file), "the file").get("models"), "models"):
        entry = as_dict(file, entry, "a model")
        source_id = as_text(file, entry.get("id"), "a model's id")
        year = entry.get("releaseYear")
        models[source_id] = ResultModel(
            slug=slugify(source_id),
            name=clean(entry.get("name")) or source_id,
            provider=clean(entry.get("provider")),
            version=clean(entry.get("version")),
            release_year=year if isinstance(year, int) else None,
            extra={key: value for key, value in entry.items() if key not in _MODEL_FIELDS},
        )
    for source_id in sorted(set(tested) - set(models)):
        models[source_id] = ResultModel(slugify(source_id), source_id)
    return models


def read_metrics(
    folder: Path, slugs: Collection[str], taxonomy: Taxonomy, names: Mapping[str, str]
) -> tuple[ResultMetric, ...]:
    """The metrics by slug. `names` (from transcripts) names those that stand in no taxonomy."""
    criteria = _by_slug(folder / "metric-criteria.json")
    meta = _by_slug(folder / "metric-meta.json")
    metrics = []
    for slug in sorted(slugs):
        benchmark, local_id = slug.split("/")
        entry = meta.get(slug)
        told: dict[str, Any] = entry if isinstance(entry, dict) else {}
        metrics.append(
            ResultMetric(
                benchmark=benchmark,
                local_id=local_id,
                name=taxonomy.names.get(slug) or names.get(slug) or local_id,
                polarity=taxonomy.polarities.get(slug),
                definition=clean(criteria.get(slug)),
                why_it_matters=clean(told.get("mattersBecause")),
                contributor=clean(told.get("contributor")),
            )
        )
    return tuple(metrics)


def _by_slug(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    return {metric_slug(file, key): value for key, value in as_dict(file, read_source(file), "it").items()}


def read_label_rows(file: Path, polarities: Mapping[str, Polarity | None]) -> tuple[ResultLabelRow, ...]:
    """nutrition-cat.json; a row of both polarities becomes two, each over its own metrics."""
    if not file.is_file():
        return ()
    rows = []
    for order, entry in enumerate(as_list(file, read_source(file), "the file"), start=1):
        entry = as_dict(file, entry, "a row")
        source_id = as_text(file, entry.get("id"), "a row's id")
        members: dict[str, Polarity | None] = {}
        for metric in as_list(file, entry.get("metrics", []), "metrics"):
            slug = metric_slug(file, as_text(file, as_dict(file, metric, "a metric").get("id"), "a metric's id"))
            members[slug] = polarities.get(slug)
        polarity: Polarity
        for polarity in ("positive", "negative"):
            metrics = tuple(slug for slug, known in members.items() if known == polarity)
            if metrics:
                title = clean(entry.get("label")) or source_id
                description = clean(entry.get("description"))
                rows.append(ResultLabelRow(_row_slug(file, source_id), title, polarity, metrics, order, description))
    return tuple(rows)
