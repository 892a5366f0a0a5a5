"""The first edition's pipeline folders: a benchmark's files with `runs/<model>/{conversations,scores}.json` below."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from evaluation.importers.formats import native
from evaluation.importers.formats.result_types import (
    ResultBenchmark,
    ResultConversation,
    ResultCounts,
    ResultMetric,
    ResultModel,
    ResultScenario,
    ResultsFile,
)
from evaluation.importers.formats.slugs import metric_local_id, slugify
from evaluation.importers.formats.source_json import as_dict, as_list, as_text, read_source
from evaluation.importers.formats.transcripts import clean, paired_turns
from evaluation.importers.formats.types import BenchmarkFile, FormatDescription, ScenarioFile

CONVERSATIONS, SCORES = "conversations.json", "scores.json"

SampleKey = tuple[str, int]  # the source's scenario id, the source's sample number


@dataclass(frozen=True)
class Folder:
    """One benchmark with its run folders, one a model."""

    benchmark: BenchmarkFile
    runs: tuple[Path, ...]


@dataclass
class RunFiles:
    """The two files of one model's run, by scenario and sample."""

    scores: dict[SampleKey, dict[str, Any]] = field(default_factory=dict)
    transcripts: dict[SampleKey, list[object]] = field(default_factory=dict)


def describe() -> FormatDescription:
    return FormatDescription("pipeline-results", "pipeline folders of the first edition with runs/", True)


def recognises(path: Path) -> bool:
    return bool(find(path))


def find(path: Path) -> tuple[Path, ...]:
    """The path itself when it is or holds (also in `benchmarks/`) benchmark folders with a `runs` folder."""
    return (path,) if any((file.parent / "runs").is_dir() for file in _definitions(path)) else ()


def _definitions(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return ()
    patterns = [f"{below}{name}" for below in ("", "*/", "benchmarks/*/") for name in native.FILE_NAMES]
    return tuple(sorted({file for pattern in patterns for file in path.glob(pattern)}))


def read(path: Path) -> ResultsFile:
    """Read every benchmark below `path` that has a `runs` folder. Raises FileProblem.

    A verdict belongs to the conversation of its scenario and sample; scores of a conversation on other metrics than
    its scenario's own are left out, as is a conversation of a scenario that scenarios.json lacks. The first sample
    is number 1.
    """
    folders = tuple(_folder(file) for file in _definitions(path) if (file.parent / "runs").is_dir())
    models = {run.name: ResultModel(slugify(run.name), run.name) for folder in folders for run in folder.runs}
    scenarios = tuple(_scenario(folder.benchmark, row) for folder in folders for row in folder.benchmark.scenarios)
    metrics = tuple(
        ResultMetric(folder.benchmark.slug, metric.local_id, metric.name, metric.polarity, metric.definition)
        for folder in folders
        for metric in folder.benchmark.metrics
    )
    return ResultsFile(
        source=path,
        layout=describe().name,
        areas=(),
        label_rows=(),
        benchmarks=tuple(
            ResultBenchmark(folder.benchmark.slug, folder.benchmark.name, folder.benchmark) for folder in folders
        ),
        models=tuple(models.values()),
        metrics=metrics,
        scenarios=scenarios,
        counts=_counts(folders, n_models=len(models), n_metrics=len(metrics), n_scenarios=len(scenarios)),
        conversations=partial(_conversations, folders),
    )


def _folder(definition: Path) -> Folder:
    runs = sorted(run for run in (definition.parent / "runs").iterdir() if (run / SCORES).is_file())
    return Folder(native.read(definition).benchmark, tuple(runs))


def _scenario(benchmark: BenchmarkFile, row: ScenarioFile) -> ResultScenario:
    return ResultScenario(
        benchmark=benchmark.slug,
        metric=f"{benchmark.slug}/{row.metric_id}",
        source_id=row.id,
        base_number=row.base_number,
        profile_slug=row.profile_slug,
        profile_name=row.profile_name,
        profile_attributes=row.profile_attributes,
        attributes=row.attributes,
        title=row.title,
        persona=row.persona,
        goal=row.goal,
        latent_adversarial_goal=row.latent_adversarial_goal,
        anchors=row.anchors,
        target_system_prompt=row.target_system_prompt,
    )


def _run_files(run: Path, metric_of: Mapping[str, str]) -> RunFiles:
    """Both files of a run; `metric_of` maps the known scenarios to their metric."""
    files = RunFiles()
    for row in _rows(run / SCORES):
        key = _sample_key(run / SCORES, row, "sample")
        metric = metric_local_id(str(row.get("metric_id")))
        if metric_of.get(key[0]) == metric:
            files.scores[key] = row
    if (run / CONVERSATIONS).is_file():
        for row in _rows(run / CONVERSATIONS):
            key = _sample_key(run / CONVERSATIONS, row, "_sample")
            transcript = row.get("transcript")
            if key[0] in metric_of and isinstance(transcript, list):
                files.transcripts[key] = transcript
    return files


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    for row in as_list(file, read_source(file), "the file"):
        yield as_dict(file, row, "a row")


def _sample_key(file: Path, row: Mapping[str, Any], sample: str) -> SampleKey:
    number = row.get(sample, row.get("sample", 0))
    scenario = as_text(file, row.get("scenario_id") or row.get("id"), "a row's id")
    return scenario, number if isinstance(number, int) else 0


def _of_benchmark(folder: Folder) -> Iterator[ResultConversation]:
    metric_of = {row.id: row.metric_id for row in folder.benchmark.scenarios}
    for run in folder.runs:
        files = _run_files(run, metric_of)
        keys = sorted({*files.scores, *files.transcripts})
        # The pipeline counts samples from 0; other tools that write this layout count from 1.
        first = min((sample for _, sample in keys), default=0)
        for scenario, sample in keys:
            yield _conversation(
                metric=f"{folder.benchmark.slug}/{metric_of[scenario]}",
                scenario=scenario,
                model=slugify(run.name),
                sample=sample - first + 1,
                score=files.scores.get((scenario, sample)),
                transcript=files.transcripts.get((scenario, sample)),
            )


def _conversation(
    *,
    metric: str,
    scenario: str,
    model: str,
    sample: int,
    score: Mapping[str, Any] | None,
    transcript: list[object] | None,
) -> ResultConversation:
    turns, flags = paired_turns(transcript) if transcript is not None else (None, ())
    if score is None:
        # The first sample without a verdict is an unjudged conversation; a further one only kept.
        return ResultConversation(
            metric, scenario, model, sample, None, "no-verdict", None, turns, counts=sample == 1, flags=flags
        )
    present = score.get("present")
    reason = None if isinstance(present, bool) else (clean(present) or "no-verdict")[:100]
    return ResultConversation(
        metric=metric,
        scenario=scenario,
        model=model,
        sample=sample,
        present=present if isinstance(present, bool) else None,
        reason=reason,
        justification=clean(score.get("justification")),
        turns=turns,
        flags=flags,
    )


def _conversations(folders: tuple[Folder, ...]) -> Iterator[ResultConversation]:
    for folder in folders:
        yield from _of_benchmark(folder)


def _counts(folders: tuple[Folder, ...], *, n_models: int, n_metrics: int, n_scenarios: int) -> ResultCounts:
    numbers: Counter[str] = Counter()
    unjudged: Counter[str] = Counter()
    for conversation in _conversations(folders):
        numbers["conversations"] += conversation.counts
        numbers["extra_samples"] += not conversation.counts
        numbers["judged"] += conversation.present is not None
        numbers["transcripts"] += conversation.counts and conversation.turns is not None
        if conversation.counts and conversation.present is None:
            unjudged[str(conversation.reason)] += 1
    return ResultCounts(
        models=n_models,
        benchmarks=len(folders),
        metrics=n_metrics,
        metrics_of_unknown_polarity=0,
        scenarios=n_scenarios,
        conversations=numbers["conversations"],
        judged=numbers["judged"],
        unjudged=dict(sorted(unjudged.items())),
        extra_samples=numbers["extra_samples"],
        transcripts=numbers["transcripts"],
        transcripts_without_verdict=0,
        verdict_disagreements=0,
    )
