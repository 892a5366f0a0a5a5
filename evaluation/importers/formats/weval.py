"""Weval blueprints, YAML and JSON: judged points become metric drafts, prompts become scenario drafts.

Functions, scripts and service calls of a blueprint are named as skipped; nothing of them is run, fetched or expanded.
"""

from collections.abc import Iterable
from pathlib import Path

from evaluation.importers.formats import weval_header, weval_recognition
from evaluation.importers.formats.draft_types import BenchmarkDraft, MetricDraft, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.equal_criteria import join_equal
from evaluation.importers.formats.notices_in_text import notices_in
from evaluation.importers.formats.types import FormatDescription, Remark
from evaluation.importers.formats.weval_prompts import Prompts
from evaluation.importers.formats.weval_structure import read_blueprint

__all__ = ["describe", "find", "read", "recognises"]


def describe() -> FormatDescription:
    return FormatDescription("weval", "Weval blueprint (YAML or JSON)", False)


def recognises(path: Path) -> bool:
    """A file whose beginning is built like a blueprint, broken or not, or a folder that holds one. Never raises."""
    if path.is_dir():
        return any(map(weval_recognition.is_blueprint, weval_recognition.candidates(path)))
    return weval_recognition.is_blueprint(path)


def find(path: Path) -> tuple[Path, ...]:
    """The blueprints below a folder, sorted; a file is itself."""
    if not path.is_dir():
        return (path,)
    return tuple(filter(weval_recognition.is_blueprint, weval_recognition.candidates(path)))


def read(file: Path) -> ReadDrafts:
    """Read one blueprint; equal criteria are joined, so that one metric has the scenarios of all its prompts.

    A blueprint may hold no criterion at all, which is flagged. Raises FileProblem with file, line and column for
    invalid YAML or JSON, a key that stands twice, a weight outside 0.1 to 10, a point that is both text and function,
    a prompt, message or list of points that is built wrongly.
    """
    blueprint = read_blueprint(file)
    header = weval_header.read(file, blueprint.header)
    prompts = Prompts(file, header)
    for node in blueprint.prompts:
        prompts.add(node)
    metrics, scenarios = join_equal(prompts.metrics, prompts.scenarios)
    benchmark = BenchmarkDraft(
        slug=weval_header.slug(file, header),
        name=header.name,
        description=header.description,
        sources=header.sources,
        contributors=header.contributors,
        content_notices=notices_in(_texts(header.description, metrics, scenarios)),
        metrics=metrics,
        scenarios=scenarios,
    )
    flags = (*header.flags, *prompts.flags, *_of_the_whole(metrics, prompts, len(blueprint.prompts)))
    return ReadDrafts(benchmark, flags, tuple(prompts.skipped))


def _texts(description: str, metrics: Iterable[MetricDraft], scenarios: Iterable[ScenarioDraft]) -> Iterable[str]:
    yield description
    yield from (metric.definition for metric in metrics)
    yield from (scenario.origin.text for scenario in scenarios)


def _of_the_whole(metrics: tuple[MetricDraft, ...], prompts: Prompts, n_prompts: int) -> list[Remark]:
    """What only the whole file shows: nothing to judge in it, or grades all over."""
    if not n_prompts:
        return [Remark("file", "holds no prompt, so it gives no metric")]
    if not metrics:
        found = (
            f"none of {prompts.n_points} points is a behaviour to judge" if prompts.n_points else "no prompt has points"
        )
        return [Remark("file", f"gives no metric: of {n_prompts} prompts read, {found}")]
    n_graded = sum(any(flag.startswith("speaks of a scale") for flag in metric.flags) for metric in metrics)
    if n_graded * 2 > len(metrics):
        return [Remark("file", "most criteria speak of a scale: it may describe models rather than say what is wanted")]
    return []
