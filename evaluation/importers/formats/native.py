"""The native benchmark folder (`benchmark.yaml` beside `scenarios.json`), and the first edition's narrower files."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from evaluation.importers.formats import native_scenarios
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.native_writing import FILE_NAMES, SCENARIOS, write
from evaluation.importers.formats.positions import Node, read_yaml
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.slugs import is_local_id, is_slug, metric_local_id, slugify
from evaluation.importers.formats.types import (
    BenchmarkFile,
    FormatDescription,
    MetricFile,
    Polarity,
    ReadBenchmark,
    Remark,
    Source,
)

__all__ = ["FILE_NAMES", "describe", "find", "read", "recognises", "write"]

BENCHMARK_KEYS = {
    "name", "slug", "description", "sources", "licence", "contributors", "metric_contributor", "scenario",
    "research_summary", "content_notices", "metrics",
}  # fmt: skip
METRIC_KEYS = {
    "id", "name", "type", "definition", "interpretive_clause", "judge_question", "examples", "examples_absent",
    "subareas", "rationale", "citations", "plain_name", "plain_definition",
}  # fmt: skip
POLARITIES: dict[str, Polarity] = {"positive": "positive", "negative": "negative"}


def describe() -> FormatDescription:
    return FormatDescription("native", "ImpactBench benchmark folder (benchmark.yaml, scenarios.json)", True)


def recognises(path: Path) -> bool:
    """A folder with a benchmark.yaml in it or below it, or a YAML file with a `metrics` key. Never raises."""
    if path.is_dir() or path.name in FILE_NAMES:
        return bool(find(path))
    if path.suffix not in (".yaml", ".yml"):
        return False
    try:
        root = read_yaml(path).value
    except FileProblem:
        return False
    return isinstance(root, dict) and "metrics" in root


def find(path: Path) -> tuple[Path, ...]:
    """The benchmark.yaml of a folder, or those of the folders below it; a file is itself."""
    if path.is_file():
        return (path,)
    own = [path / name for name in FILE_NAMES if (path / name).is_file()]
    if own:
        return (own[0],)
    return tuple(sorted(file for name in FILE_NAMES for file in path.rglob(name) if file.is_file()))


def read(file: Path) -> ReadBenchmark:
    """Read one benchmark; a folder stands for the benchmark.yaml in it.

    A benchmark may have no metrics. Raises FileProblem with file, line and column at the first thing that is
    wrong: bad YAML or JSON, an unknown key, a wrong type, a duplicate id, a metric without polarity or definition,
    a scenario of an unknown metric, an anchor outside turns 1 to 50.
    """
    if file.is_dir():
        file = next((file / name for name in FILE_NAMES if (file / name).is_file()), file / FILE_NAMES[0])
    fields = Fields(file, read_yaml(file), "the benchmark")
    fields.refuse_unknown(BENCHMARK_KEYS)
    metrics = _metrics(fields)
    scenarios, flags = _scenarios(file, metrics)
    context = fields.nested("scenario", "scenario")
    if context:
        context.refuse_unknown({"user_context"})
    benchmark = BenchmarkFile(
        slug=_slug(fields),
        name=fields.text("name"),
        description=fields.optional_text("description") or "",
        sources=tuple(_source(fields, node) for node in fields.items("sources")),
        licence=fields.optional_text("licence"),
        contributors=fields.texts("contributors") or fields.texts("metric_contributor"),
        user_context=context.optional_text("user_context") if context else None,
        research_summary=fields.optional_text("research_summary"),
        content_notices=fields.texts("content_notices"),
        metrics=metrics,
        scenarios=scenarios,
    )
    return ReadBenchmark(benchmark, tuple(flags))


def _slug(fields: Fields) -> str:
    """The stated slug, else that of the folder (or of a file not called benchmark.yaml)."""
    stated = fields.optional_text("slug")
    if stated is not None:
        if not is_slug(stated):
            fields.refuse(
                f"slug {stated!r} must be lower-case letters, digits and single hyphens", fields.entries["slug"]
            )
        return stated
    file = fields.file.resolve()
    slug = slugify(file.parent.name if file.name in FILE_NAMES else file.stem)
    if not slug:
        fields.refuse("the folder's name makes no slug; give the benchmark a slug")
    return slug


def _source(fields: Fields, node: Node) -> Source:
    source = Fields(fields.file, node, "a source")
    source.refuse_unknown({"title", "url", "doi"})
    return Source(source.text("title"), source.optional_text("url"), source.optional_text("doi"))


def _metrics(fields: Fields) -> tuple[MetricFile, ...]:
    metrics: dict[str, MetricFile] = {}
    for node in fields.items("metrics"):
        entry = Fields(fields.file, node, "a metric")
        metric = _metric(entry)
        if metric.local_id in metrics:
            entry.refuse(f"the metric id {metric.local_id!r} stands here twice", entry.entries["id"])
        metrics[metric.local_id] = metric
    return tuple(metrics.values())


def _metric(fields: Fields) -> MetricFile:
    stated = fields.text("id")
    fields.what = f"metric {stated}"
    fields.refuse_unknown(METRIC_KEYS)
    local_id = metric_local_id(stated)
    if not is_local_id(local_id):
        fields.refuse(f"the metric id {stated!r} must be letters, digits, hyphens, underscores", fields.entries["id"])
    return MetricFile(
        local_id=local_id,
        name=fields.text("name"),
        polarity=_polarity(fields),
        definition=fields.text("definition"),
        interpretive_clause=fields.optional_text("interpretive_clause"),
        judge_question=fields.optional_text("judge_question"),
        examples_present=fields.texts("examples"),
        examples_absent=fields.texts("examples_absent"),
        subareas=fields.texts("subareas"),
        rationale=fields.optional_text("rationale"),
        citations=fields.texts("citations"),
        plain_name=fields.optional_text("plain_name"),
        plain_definition=fields.optional_text("plain_definition"),
    )


def _polarity(fields: Fields) -> Polarity:
    stated = fields.optional_text("type")
    if stated is None:
        fields.refuse(f"{fields.what} has no type; write type: positive or type: negative")
    if stated not in POLARITIES:
        fields.refuse(f"type must be positive or negative in {fields.what}, not {stated!r}", fields.entries["type"])
    return POLARITIES[stated]


def _scenarios(
    file: Path, metrics: Iterable[MetricFile]
) -> tuple[tuple[native_scenarios.ScenarioFile, ...], list[Remark]]:
    beside = file.parent / SCENARIOS
    if file.name not in FILE_NAMES or not beside.is_file():
        return (), []
    scenarios, flags = native_scenarios.read(beside, {metric.local_id for metric in metrics})
    n_scenarios = Counter(scenario.metric_id for scenario in scenarios)
    flags += [
        Remark(f"metric {metric.local_id}", "has no scenario")
        for metric in metrics
        if scenarios and not n_scenarios[metric.local_id]
    ]
    return scenarios, flags
