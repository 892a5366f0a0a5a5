"""HealthBench: criteria become metric drafts by the sign of their points, conversations become scenario drafts."""

from pathlib import Path

from evaluation.importers.formats.beginnings import beginning, files_to_read, is_or_holds, json_keys, one_benchmark
from evaluation.importers.formats.draft_types import ReadDrafts
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.healthbench_examples import Examples
from evaluation.importers.formats.json_lines import read_json_lines
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.types import FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="healthbench",
    name="HealthBench",
    source=Source("HealthBench (OpenAI simple-evals)", "https://github.com/openai/simple-evals"),
    licence="MIT",
)
_SIGNS = {"prompt", "rubrics", "criterion", "points"}


def describe() -> FormatDescription:
    return FormatDescription("healthbench", "HealthBench examples (JSON Lines)", False)


def recognises(path: Path) -> bool:
    """A file of HealthBench examples or a folder that holds one. Never raises."""
    return is_or_holds(path, _is_own)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return one_benchmark(path, _is_own)


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder as one benchmark; equal criteria are joined under the first one's key.

    Raises FileProblem with file, line and column; points must be whole numbers from -10 to 10, and a
    criterion of 0 points is left out.
    """
    found = Gathering(path)
    examples = Examples(found)
    for file in files_to_read(path, _is_own):
        for node in read_json_lines(file):
            examples.add(Fields(file, node, "an example"))
    if not found.must_keep:
        found.flag("file", "holds no canary, which the published files have on every line: do not spread it without")
    return drafts(PUBLICATION, found)


def _is_own(file: Path) -> bool:
    return json_keys(beginning(file)) >= _SIGNS
