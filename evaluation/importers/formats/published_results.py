"""The first edition's published folder: JSON files of verdicts, with or without archives of transcripts beside them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from evaluation.importers.formats.archives import json_members
from evaluation.importers.formats.base_numbers import Lineage, base_numbers
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.profiles import profile_of_age
from evaluation.importers.formats.published_taxonomy import (
    metric_parts,
    read_label_rows,
    read_metrics,
    read_models,
    read_taxonomy,
)
from evaluation.importers.formats.result_types import (
    ResultBenchmark,
    ResultConversation,
    ResultCounts,
    ResultMetric,
    ResultModel,
    ResultScenario,
    ResultsFile,
)
from evaluation.importers.formats.slugs import metric_local_id
from evaluation.importers.formats.source_json import as_dict, as_list, as_text, read_source
from evaluation.importers.formats.transcripts import clean, paired_turns, presence
from evaluation.importers.formats.types import Anchor, FormatDescription

INDEX, TAXONOMY, MODELS = "scenario-index.json", "taxonomy.json", "models.json"
ARCHIVE = ".tar.xz"

ScenarioKey = tuple[str, str]  # metric slug, the source's scenario id
VerdictKey = tuple[str, str, str]  # and the source's model id


@dataclass
class Index:
    """scenario-index.json: its rows by metric and scenario, its verdict words, its benchmarks' own names."""

    rows: dict[ScenarioKey, dict[str, Any]] = field(default_factory=dict)
    words: dict[VerdictKey, object] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)


@dataclass
class Survey:
    """What one pass over the archives tells, without keeping a transcript."""

    details: dict[ScenarioKey, dict[str, Any]] = field(default_factory=dict)
    metric_names: dict[str, str] = field(default_factory=dict)
    transcripts: int = 0
    extra_samples: int = 0
    without_verdict: int = 0
    disagreements: int = 0


def describe() -> FormatDescription:
    return FormatDescription("published-results", "published results of the first edition", False)


def recognises(path: Path) -> bool:
    return all((path / name).is_file() for name in (INDEX, TAXONOMY, MODELS))


def find(path: Path) -> tuple[Path, ...]:
    return (path,) if recognises(path) else ()


def read(path: Path) -> ResultsFile:
    """Read a published folder; verdicts come from scenario-index.json, transcripts from `<benchmark>.tar.xz`.

    The archives are passed once here, for counts and scenario texts, and once more by `conversations()`. Where an
    archive states another verdict than the index, the index stands and the difference is counted and flagged.
    Raises FileProblem.
    """
    index = _read_index(path / INDEX)
    survey = _survey(path, index)
    taxonomy = read_taxonomy(path / TAXONOMY)
    models = read_models(path / MODELS, {model for _, _, model in index.words})
    placed = set(taxonomy.polarities) | {metric for metric, _ in index.rows}
    metrics = read_metrics(path, placed, taxonomy, survey.metric_names)
    scenarios = _scenarios(index, survey)
    return ResultsFile(
        source=path,
        layout=describe().name,
        areas=taxonomy.areas,
        label_rows=read_label_rows(path / "nutrition-cat.json", taxonomy.polarities),
        benchmarks=_benchmarks(metrics),
        models=tuple(models.values()),
        metrics=metrics,
        scenarios=scenarios,
        counts=_counts(index, survey, models, metrics, scenarios),
        conversations=partial(_conversations, path, index, models),
    )


def _read_index(file: Path) -> Index:
    index = Index()
    for source_id, rows in as_dict(file, read_source(file), "the file").items():
        benchmark, local_id = metric_parts(file, source_id)
        for row in as_list(file, rows, source_id):
            row = as_dict(file, row, f"a row of {source_id}")
            scenario = as_text(file, row.get("scenario_id"), f"scenario_id in {source_id}")
            key = (f"{benchmark}/{local_id}", scenario)
            if key in index.rows:
                raise FileProblem(file, f"the scenario {scenario!r} stands twice under {source_id!r}")
            index.rows[key] = row
            index.sources.setdefault(benchmark, str(row.get("benchmark") or benchmark))
            for model, word in as_dict(file, row.get("verdicts"), f"verdicts of {scenario}").items():
                index.words[*key, model] = word
    return index


def _transcripts(folder: Path, index: Index) -> Iterator[tuple[VerdictKey, dict[str, Any]]]:
    """Every transcript file once, from the archive of each benchmark in turn."""
    for benchmark, source in sorted(index.sources.items()):
        archive = folder / f"{Path(source).name}{ARCHIVE}"
        if not archive.is_file():
            continue
        seen = set()
        for path, document in json_members(archive):
            inner = document.get("scenario")
            local_id = metric_local_id(str(inner.get("metric_id"))) if isinstance(inner, dict) else ""
            scenario = document.get("scenario_id") or path.stem
            key = (f"{benchmark}/{local_id}", str(scenario), path.parent.name)
            if key not in seen:
                seen.add(key)
                yield key, document


def _survey(folder: Path, index: Index) -> Survey:
    survey = Survey()
    for key, document in _transcripts(folder, index):
        metric, scenario, _ = key
        if key not in index.words:
            survey.without_verdict += 1
            continue
        survey.transcripts += 1
        survey.extra_samples += max(0, len(_samples(document)) - 1)
        survey.disagreements += _disagrees(document, index.words[key])
        inner = document["scenario"]
        survey.details.setdefault((metric, scenario), inner)
        name = clean(inner.get("metric"))
        if name:
            survey.metric_names.setdefault(metric, name)
    return survey


def _samples(document: Mapping[str, Any]) -> list[list[object]]:
    samples = document.get("samples")
    return [sample for sample in samples if isinstance(sample, list)] if isinstance(samples, list) else []


def _stated(document: Mapping[str, Any]) -> Mapping[str, Any]:
    verdict = document.get("verdict")
    return verdict if isinstance(verdict, dict) else {}


def _disagrees(document: Mapping[str, Any], word: object) -> bool:
    stated = _stated(document).get("result")
    return stated is not None and presence(stated) != presence(word)


def _scenarios(index: Index, survey: Survey) -> tuple[ResultScenario, ...]:
    drafts = [_scenario(key, row, survey.details.get(key, {})) for key, row in index.rows.items()]
    lineages = [
        Lineage(draft.metric, draft.profile_slug, (draft.source_id,), (draft.goal or draft.title or "",))
        for draft in drafts
    ]
    return tuple(
        ResultScenario(**{**vars(draft), "base_number": number})
        for draft, (number, _) in zip(drafts, base_numbers(lineages), strict=True)
    )


def _scenario(key: ScenarioKey, row: Mapping[str, Any], details: Mapping[str, Any]) -> ResultScenario:
    """A scenario from its row and, where a transcript was published, from the scenario saved with it."""
    metric, source_id = key
    demographic = details.get("demographic")
    demographic = demographic if isinstance(demographic, dict) else {}
    profile = profile_of_age(str(row.get("age") or demographic.get("age") or "unknown"))
    others = {name: clean(value) for name, value in demographic.items() if name != "age"}
    return ResultScenario(
        benchmark=metric.split("/")[0],
        metric=metric,
        source_id=source_id,
        base_number=0,
        profile_slug=profile.slug,
        profile_name=profile.name,
        profile_attributes=profile.attributes,
        attributes={name: value for name, value in others.items() if value},
        title=clean(row.get("title")) or clean(details.get("title")),
        description=clean(details.get("description")),
        persona=clean(details.get("user_persona")) or clean(details.get("persona")),
        goal=clean(details.get("user_goal")),
        latent_adversarial_goal=clean(details.get("latent_adversarial_goal")),
        anchors=_anchors(details.get("landmarks")),
        target_system_prompt=clean(details.get("target_system_prompt")),
    )


def _anchors(landmarks: object) -> tuple[Anchor, ...] | None:
    if not isinstance(landmarks, list):
        return None
    entries = [(entry.get("turn"), clean(entry.get("instruction"))) for entry in landmarks if isinstance(entry, dict)]
    return tuple(Anchor(turn, text) for turn, text in entries if isinstance(turn, int) and 1 <= turn <= 50 and text)


def _benchmarks(metrics: tuple[ResultMetric, ...]) -> tuple[ResultBenchmark, ...]:
    """The benchmarks; the contributor named in metric-meta.json is the benchmark's full name."""
    names: dict[str, str] = {}
    for metric in metrics:
        spelled = metric.benchmark.replace("-", " ").capitalize()
        if metric.contributor or metric.benchmark not in names:
            names[metric.benchmark] = metric.contributor or spelled
    return tuple(ResultBenchmark(slug, name) for slug, name in sorted(names.items()))


def _counts(
    index: Index,
    survey: Survey,
    models: Mapping[str, ResultModel],
    metrics: tuple[ResultMetric, ...],
    scenarios: tuple[ResultScenario, ...],
) -> ResultCounts:
    reasons = Counter(presence(word)[1] for word in index.words.values())
    n_judged = reasons.pop(None, 0)
    return ResultCounts(
        models=len(models),
        benchmarks=len({metric.benchmark for metric in metrics}),
        metrics=len(metrics),
        metrics_of_unknown_polarity=sum(metric.polarity is None for metric in metrics),
        scenarios=len(scenarios),
        conversations=len(index.words),
        judged=n_judged,
        unjudged={str(reason): n for reason, n in sorted(reasons.items(), key=str)},
        extra_samples=survey.extra_samples,
        transcripts=survey.transcripts,
        transcripts_without_verdict=survey.without_verdict,
        verdict_disagreements=survey.disagreements,
    )


def _conversations(folder: Path, index: Index, models: Mapping[str, ResultModel]) -> Iterator[ResultConversation]:
    """Those with a transcript in the archives' order, then those without in the index's."""
    told = set()
    for key, document in _transcripts(folder, index):
        if key in index.words:
            told.add(key)
            yield from _samples_of(key, document, index.words[key], models[key[2]].slug)
    for key, word in index.words.items():
        if key not in told:
            metric, scenario, model = key
            present, reason = presence(word)
            yield ResultConversation(metric, scenario, models[model].slug, 1, present, reason)


def _samples_of(key: VerdictKey, document: Mapping[str, Any], word: object, model: str) -> Iterator[ResultConversation]:
    """Sample 1 with the verdict, then any further samples, which the source left without one."""
    metric, scenario, _ = key
    present, reason = presence(word)
    samples = _samples(document)
    turns, flags = paired_turns(samples[0]) if samples else (None, ("the file has no transcript",))
    if _disagrees(document, word):
        stated = clean(_stated(document).get("result")) or "another verdict"
        flags = (*flags, f"the transcript's file states the verdict {stated[:40]!r}")
    justification = clean(_stated(document).get("justification"))
    yield ResultConversation(metric, scenario, model, 1, present, reason, justification, turns, flags=flags)
    for number, messages in enumerate(samples[1:], start=2):
        turns, flags = paired_turns(messages)
        yield ResultConversation(
            metric, scenario, model, number, None, "no-verdict", None, turns, counts=False, flags=flags
        )
