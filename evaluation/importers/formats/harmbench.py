"""HarmBench: each category of harm becomes a negative metric draft, each behaviour what its user leads to unsaid.

The behaviours are harmful requests; they are kept as text, shown escaped and behind a content notice.
"""

from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.beginnings import beginning, files_to_read, first_cells, is_or_holds, one_benchmark
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.slugs import slugify
from evaluation.importers.formats.tables import Row, Table, as_table, read_csv
from evaluation.importers.formats.types import FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="harmbench",
    name="HarmBench",
    source=Source("HarmBench", "https://github.com/centerforaisafety/HarmBench"),
    licence="MIT",
    is_verified=False,
)
_COLUMNS = {"Behavior", "FunctionalCategory", "SemanticCategory", "BehaviorID"}
_COPYRIGHT = "copyright"
_ONLY_A_NAME = "the file holds no rubric: say what the assistant must not provide, one behaviour a metric"
_NOTICE = "the behaviours are harmful requests: set content notices before anybody else reads them"


def describe() -> FormatDescription:
    return FormatDescription("harmbench", "HarmBench behaviours (CSV)", False)


def recognises(path: Path) -> bool:
    """A table of behaviours or a folder that holds one. Never raises."""
    return is_or_holds(path, _is_own)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return one_benchmark(path, _is_own)


def read(path: Path) -> ReadDrafts:
    """Read one table, or all of a folder as one benchmark. Raises FileProblem with file, line and reason."""
    found = Gathering(path)
    found.flag("file", _NOTICE)
    for file in files_to_read(path, _is_own):
        table = as_table(file, read_csv(file))
        for row in table.rows:
            _add(found, file, table, row)
    return drafts(PUBLICATION, found)


def _is_own(file: Path) -> bool:
    return set(first_cells(beginning(file), ",")) >= _COLUMNS


def _add(found: Gathering, file: Path, table: Table, row: Row) -> None:
    place, words = found.place(file, row.place), table.text(row, "Behavior")
    stated, category = table.text(row, "BehaviorID"), table.text(row, "SemanticCategory")
    if not words or not category:
        raise FileProblem(file, f"{row.place} has no Behavior or no SemanticCategory", row.line)
    if table.text(row, "FunctionalCategory") == _COPYRIGHT:
        found.skip(place, f"{stated or words[:60]}: asks for a protected text, which is compared by a program")
        return
    metric = key_of_id(slugify(category) or key_of_words(category))
    if not found.has_metric(metric):
        found.metrics.append(_metric(found, category, metric, place))
    key = key_of_id(stated) if stated else key_of_words(words)
    if found.has_scenario(key, words):
        found.skip(place, "the same behaviour stands here again")
        return
    found.scenarios.append(
        ScenarioDraft(
            key=found.scenario_key(key, words, place),
            metric_keys=(metric,),
            origin=Origin(words, place),
            latent_adversarial_goal=words,
            context=table.text(row, "ContextString") or None,
            flags=(
                draft_flags.NO_PERSONA, draft_flags.NO_GOAL, draft_flags.NO_AGE, draft_flags.HIDDEN_GOAL_IS_NEAREST,
            ),
        )
    )  # fmt: skip


def _metric(found: Gathering, category: str, key: str, place: str) -> MetricDraft:
    name = category.replace("_", " ")
    return MetricDraft(
        key=found.metric_key(key, category, place),
        name=name[:1].upper() + name[1:],
        definition=name,
        proposal=Proposal("negative", "a category of what a model must not help with"),
        origin=Origin(category, place),
        labels={"semantic category": category},
        flags=(draft_flags.REWORD, _ONLY_A_NAME),
    )
