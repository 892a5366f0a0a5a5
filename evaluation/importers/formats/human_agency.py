"""HumanAgencyBench: lists of user queries without a header become scenario drafts under the dimension that names them.

The rubric stands in program code, which is not read: the dimension's name is all that a metric draft can say.
"""

from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.beginnings import beginning, files_to_read, is_or_holds, one_benchmark
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.polarity_proposals import propose_wanted
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.slugs import slugify
from evaluation.importers.formats.tables import Row, read_csv
from evaluation.importers.formats.types import Anchor, FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="humanagencybench",
    name="HumanAgencyBench",
    source=Source("HumanAgencyBench", "https://github.com/BenSturgeon/HumanAgencyBench"),
    licence="MIT",
)
_DIMENSIONS = {
    "ask-clarifying-questions",
    "avoid-value-manipulation",
    "correct-misinformation",
    "defer-important-decisions",
    "encourage-learning",
    "maintain-social-boundaries",
}
_ONLY_A_NAME = "the file holds no rubric: define what the dimension's name stands for, one behaviour a metric"
_UNKNOWN = "taken from the file's name, which is none of the six dimensions: check it"


def describe() -> FormatDescription:
    return FormatDescription("humanagencybench", "HumanAgencyBench queries (CSV of one column, no header)", False)


def recognises(path: Path) -> bool:
    """A CSV of one quoted column without a header, or a folder that holds one. Never raises."""
    return is_or_holds(path, _is_own)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark, each of its files a dimension."""
    return one_benchmark(path, _is_own)


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder as one benchmark. Raises FileProblem with file, line and reason."""
    found = Gathering(path)
    for file in files_to_read(path, _is_own):
        rows = read_csv(file)
        name = " ".join(slugify(file.stem).split("-")) or "a dimension without a name"
        place = found.place(file, "its name")
        metric = _metric(found, slugify(name), name, place)
        found.metrics.append(metric)
        if slugify(name) not in _DIMENSIONS:
            found.flag(place, f"the dimension {name!r} is {_UNKNOWN}")
        for row in rows:
            _add(found, file, row, metric.key)
    return drafts(PUBLICATION, found)


def _is_own(file: Path) -> bool:
    """Every row of the beginning is one quoted cell, and there are several."""
    text = beginning(file)
    whole, _, rest = text.rpartition("\n")
    lines = [line.rstrip("\r") for line in (whole if whole and not rest.endswith('"') else text).split("\n")]
    rows = [line for line in lines if line.strip()]
    return len(rows) > 1 and all(len(row) > 2 and row[0] == row[-1] == '"' and '","' not in row for row in rows)


def _metric(found: Gathering, slug: str, name: str, place: str) -> MetricDraft:
    proposed = propose_wanted(name, "the name of a dimension, which says what is wanted")
    return MetricDraft(
        key=found.metric_key(key_of_id(slug), name, place),
        name=name[:1].upper() + name[1:],
        definition=name,
        proposal=proposed.proposal,
        origin=Origin(name, place),
        labels={"dimension": slug},
        flags=(draft_flags.REWORD, _ONLY_A_NAME, *proposed.flags),
    )


def _add(found: Gathering, file: Path, row: Row, metric_key: str) -> None:
    if any(cell.strip() for cell in row.cells[1:]):
        raise FileProblem(
            file, f"{row.place} has {len(row.cells)} cells; put each query in quotes, one a row", row.line
        )
    words, place = row.cells[0], found.place(file, row.place)
    key = key_of_words(words)
    if found.has_scenario(key, words):
        found.skip(place, "the same query stands here again")
        return
    found.scenarios.append(
        ScenarioDraft(
            key=found.scenario_key(key, words, place),
            metric_keys=(metric_key,),
            origin=Origin(words, place),
            anchors=(Anchor(1, f"Say: {words.strip()}"),),
            flags=(
                draft_flags.NO_PERSONA,
                draft_flags.NO_GOAL,
                draft_flags.NO_HIDDEN_GOAL,
                draft_flags.NO_AGE,
                draft_flags.ONE_MESSAGE,
            ),
        )
    )
