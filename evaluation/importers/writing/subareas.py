"""The subareas that a native file may name: those of the paper's taxonomy."""

from collections.abc import Iterable
from pathlib import Path

from evaluation.importers.formats.positions import Node, read_yaml
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import MetricFile
from evaluation.models import Subarea
from evaluation.selectors.taxonomies import subareas_in_force


def known_subareas() -> dict[str, Subarea]:
    """The subareas of the paper's taxonomy, as it is in force, by slug and in its order."""
    return {subarea.slug: subarea for subarea in subareas_in_force()}


def refuse_unknown_subareas(metrics: Iterable[MetricFile], file: Path) -> None:
    """Raises FileProblem, with its place in a YAML file, for the first subarea that the taxonomy lacks."""
    known = known_subareas()
    for metric in metrics:
        for slug in metric.subareas:
            if slug not in known:
                raise FileProblem(
                    file,
                    f"metric {metric.local_id} names the subarea {slug!r}; known are {', '.join(known)}",
                    *_place(file, slug),
                )


def _place(file: Path, slug: str) -> tuple[int, int] | tuple[None, None]:
    """Line and column of the first entry of any `subareas` that says `slug`, where the file can be searched."""
    if file.suffix not in (".yaml", ".yml"):
        return None, None
    root = read_yaml(file).value
    metrics = root["metrics"].value if isinstance(root, dict) and "metrics" in root else None
    for metric in metrics if isinstance(metrics, list) else []:
        named = metric.value.get("subareas") if isinstance(metric.value, dict) else None
        for node in _entries(named):
            if str(node.value).strip() == slug:
                return node.line, node.column
    return None, None


def _entries(node: Node | None) -> list[Node]:
    if node is None:
        return []
    return node.value if isinstance(node.value, list) else [node]
