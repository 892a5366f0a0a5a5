"""CounselBench: failure modes become negative metric drafts with their questions; ratings become the scales rated."""

from collections.abc import Sequence
from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.beginnings import beginning, first_cells, is_or_holds, kinds_in, one_benchmark
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.slugs import slugify
from evaluation.importers.formats.tables import Table, as_table, read_csv
from evaluation.importers.formats.types import Anchor, FormatDescription, Polarity, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="counselbench",
    name="CounselBench",
    source=Source("CounselBench", "https://github.com/llm-eval-mental-health/CounselBench"),
    licence=None,
    is_verified=False,
)
_QUESTION = ("question", "questiontext", "user-question")
_FAILURE = ("failure-mode", "failuremode", "issue", "target-issue")
# Toxicity and medical advice are bad when they are there; the other scales are good.
_SCALES: dict[str, Polarity] = {
    "overall": "positive", "empathy": "positive", "specificity": "positive", "factual-consistency": "positive",
    "medical-advice": "negative", "toxicity": "negative",
}  # fmt: skip
_LEAST_SCALES = 4
_ONLY_A_NAME = "the file holds no definition: write the behaviour that the name stands for"


def describe() -> FormatDescription:
    return FormatDescription("counselbench", "CounselBench questions and ratings (CSV)", False)


def recognises(path: Path) -> bool:
    """A table of questions by failure mode, or of ratings, or a folder that holds one. Never raises."""
    return is_or_holds(path, _kind)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return one_benchmark(path, _kind)


def read(path: Path) -> ReadDrafts:
    """Read one table, or all of a folder as one benchmark. Raises FileProblem with file, line and reason."""
    found = Gathering(path)
    for kind, file in kinds_in(path, _kind, ("questions", "ratings"), PUBLICATION.name):
        table = as_table(file, read_csv(file))
        if kind == "questions":
            _add_questions(found, file, table)
        else:
            _add_scales(found, file, table)
    return drafts(PUBLICATION, found)


def _kind(file: Path) -> str | None:
    columns = [slugify(cell) for cell in first_cells(beginning(file), ",")]
    if len(set(columns) & set(_SCALES)) >= _LEAST_SCALES:
        return "ratings"
    return "questions" if set(columns) & set(_QUESTION) and set(columns) & set(_FAILURE) else None


def _column(file: Path, table: Table, names: Sequence[str]) -> str:
    found = next((column for column in table.columns if slugify(column) in names), None)
    if found is None:
        raise FileProblem(file, f"has no column {names[0]}")
    return found


def _add_questions(found: Gathering, file: Path, table: Table) -> None:
    question, failure = _column(file, table, _QUESTION), _column(file, table, _FAILURE)
    for row in table.rows:
        place, words, mode = found.place(file, row.place), table.text(row, question), table.text(row, failure)
        if not words or not mode:
            found.skip(place, "has no question or no failure mode")
            continue
        metric = key_of_id(slugify(mode) or key_of_words(mode))
        if not found.has_metric(metric):
            found.metrics.append(
                _metric(found, metric, mode, place, Proposal("negative", "a failure mode that experts look for"))
            )
        key = key_of_words(words)
        if found.has_scenario(key, words):
            found.skip(place, "the same question stands here again")
            continue
        found.scenarios.append(_scenario(found, key, metric, words, place))


def _add_scales(found: Gathering, file: Path, table: Table) -> None:
    for column in table.columns:
        polarity = _SCALES.get(slugify(column))
        if polarity is None:
            continue
        place = found.place(file, f"column {column}")
        reason = f"a scale on which the publication {'wants more' if polarity == 'positive' else 'wants less'}"
        metric = _metric(found, slugify(column), column, place, Proposal(polarity, reason), draft_flags.GRADED)
        found.metrics.append(metric)
    rated = found.place(file, "all rows")
    found.skip(rated, f"{len(table.rows)} ratings of replies by experts: no behaviour by themselves")


def _metric(found: Gathering, key: str, name: str, place: str, proposal: Proposal, *flags: str) -> MetricDraft:
    words = " ".join(name.replace("_", " ").split())
    return MetricDraft(
        key=found.metric_key(key, name, place),
        name=words[:1].upper() + words[1:],
        definition=words,
        proposal=proposal,
        origin=Origin(name, place),
        flags=(draft_flags.REWORD, _ONLY_A_NAME, *flags),
    )


def _scenario(found: Gathering, key: str, metric: str, words: str, place: str) -> ScenarioDraft:
    return ScenarioDraft(
        key=found.scenario_key(key, words, place),
        metric_keys=(metric,),
        origin=Origin(words, place),
        anchors=(Anchor(1, f"Say: {words}"),),
        flags=(
            draft_flags.NO_PERSONA, draft_flags.NO_GOAL, draft_flags.NO_HIDDEN_GOAL, draft_flags.NO_AGE,
            draft_flags.ONE_MESSAGE,
        ),
    )  # fmt: skip
