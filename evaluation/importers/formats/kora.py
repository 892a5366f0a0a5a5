"""KORA: each risk becomes a negative metric draft, each scenario of a child illustrates its risk.

Risks, scenarios and seeds stand in files of their own; read as a folder they are one benchmark.
"""

from pathlib import Path

from evaluation.importers.formats import kora_risks, kora_scenarios
from evaluation.importers.formats.beginnings import beginning, json_keys, kinds_in, own_files
from evaluation.importers.formats.draft_types import ReadDrafts
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.json_lines import is_in_lines, read_json_lines
from evaluation.importers.formats.nodes import Node
from evaluation.importers.formats.positions import read_json, read_text
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.types import FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="kora",
    name="KORA",
    source=Source("KORA benchmark", "https://github.com/korabench/benchmark"),
    licence="Apache-2.0",
)
_RISKS = {"risks", "conversationLength"}
_SCENARIOS = {"seed", "firstUserMessage", "evaluationCriteria"}
_SEEDS = {"riskId", "coreBehavior", "ageRange"}
_MOTIVATIONS = {"name", "description"}
# Scenarios repeat what their seeds say, so they are read first.
_ORDER = ("risks", "scenarios", "seeds", "motivations")


def describe() -> FormatDescription:
    return FormatDescription("kora", "KORA risks, scenarios and seeds (JSON, JSON Lines)", False)


def recognises(path: Path) -> bool:
    """A file of KORA, or a folder that holds one besides its list of motivations. Never raises."""
    return _kind(path) is not None if path.is_file() else bool(find(path))


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    if path.is_file():
        return (path,)
    kinds = {_kind(file) for file in own_files(path, lambda file: _kind(file) is not None)}
    return (path,) if kinds - {"motivations"} else ()


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder as one benchmark. Raises FileProblem with file, line and column."""
    found = Gathering(path)
    lengths: dict[str, int] = {}
    for kind, file in kinds_in(path, _kind, _ORDER, PUBLICATION.name):
        nodes = _nodes(file)
        match kind:
            case "risks":
                lengths |= kora_risks.add(found, file, nodes)
            case "scenarios":
                kora_scenarios.add(found, file, nodes, lengths)
            case "seeds":
                kora_scenarios.add_seeds(found, file, nodes, lengths)
            case _:
                for node in nodes:
                    name = Fields(file, node, "a motivation").text("name")
                    place = found.place(file, f"line {node.line}")
                    found.skip(place, f"{name}: says why a child asks, which is no behaviour of an assistant")
    return drafts(PUBLICATION, found)


def _kind(file: Path) -> str | None:
    text = beginning(file)
    keys = json_keys(text)
    if keys >= _SCENARIOS:
        return "scenarios"
    if keys >= _SEEDS:
        return "seeds"
    if keys >= _RISKS:
        return "risks"
    return "motivations" if keys == _MOTIVATIONS and text.lstrip().startswith("[") else None


def _nodes(file: Path) -> list[Node]:
    if is_in_lines(read_text(file)):
        return read_json_lines(file)
    node = read_json(file)
    if isinstance(node.value, dict) and "risks" not in node.value:
        return [node]
    if not isinstance(node.value, list):
        raise FileProblem(file, "must be a list", node.line, node.column)
    return node.value
