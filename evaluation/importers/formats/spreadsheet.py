"""Our spreadsheet, CSV or XLSX: one row a metric, filled in by an expert; the way in for whoever publishes no data."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.ages import profile_of_ages
from evaluation.importers.formats.beginnings import beginning, first_cells
from evaluation.importers.formats.draft_keys import Keys, key_of_id, key_of_words, name_of_words
from evaluation.importers.formats.draft_types import (
    BenchmarkDraft,
    MetricDraft,
    Origin,
    Proposal,
    ReadDrafts,
    ScenarioDraft,
)
from evaluation.importers.formats.equal_criteria import join_equal
from evaluation.importers.formats.licences import licence_of
from evaluation.importers.formats.notices_in_text import notices_in
from evaluation.importers.formats.polarity_proposals import wording_flags
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.slugs import slugify
from evaluation.importers.formats.tables import Row, Table, as_table, read_csv
from evaluation.importers.formats.types import Anchor, FormatDescription, Polarity, Remark, Source
from evaluation.importers.formats.workbooks import is_workbook, read_workbook

__all__ = ["COLUMNS", "describe", "find", "read", "recognises"]

_PRESENT = ("example present 1", "example present 2", "example present 3")
_ABSENT = ("example absent 1", "example absent 2", "example absent 3")
_MESSAGES = tuple(f"message {turn}" for turn in range(1, 7))
# As in the template that the import desk hands out; all but the first four may be empty or missing.
COLUMNS = (
    "benchmark", "metric", "good or bad", "behaviour", "hard cases", *_PRESENT, *_ABSENT, "why it matters", "source",
    "licence", "persona", "goal", "hidden goal", "age", *_MESSAGES,
)  # fmt: skip
_DELIMITERS = (",", ";", "\t")
_SIGNS = {"metric", "good or bad", "behaviour"}
_POLARITIES: dict[str, Polarity] = {
    "good": "positive", "positive": "positive", "bad": "negative", "negative": "negative",
}  # fmt: skip


def describe() -> FormatDescription:
    return FormatDescription("spreadsheet", "ImpactBench spreadsheet (CSV, XLSX)", False)


def recognises(path: Path) -> bool:
    """A table whose first row names a metric, whether it is good or bad, and the behaviour. Never raises."""
    if not path.is_file():
        return False
    if is_workbook(path):
        try:
            rows = read_workbook(path)
        except FileProblem:
            return False
        return bool(rows) and set(map(_name, rows[0].cells)) >= _SIGNS
    return _delimiter(path) is not None


def find(path: Path) -> tuple[Path, ...]:
    """The path itself."""
    return (path,)


def read(file: Path) -> ReadDrafts:
    """Read one table. Rows with the same behaviour are one metric with several scenarios.

    Raises FileProblem with the row for a metric without a behaviour or a word that is neither good nor bad.
    """
    rows = read_workbook(file) if is_workbook(file) else read_csv(file, _delimiter(file) or ",")
    named = [Row(tuple(map(_name, row.cells)), row.number, row.line) for row in rows[:1]]
    table = as_table(file, [*named, *rows[1:]])
    found = _Found(file, table)
    for row in table.rows:
        found.add(row)
    metrics, scenarios = join_equal(found.metrics, found.scenarios)
    name = next(filter(None, (table.text(row, "benchmark") for row in table.rows)), file.stem)
    licence = licence_of(next(filter(None, (table.text(row, "licence") for row in table.rows)), None))
    benchmark = BenchmarkDraft(
        slug=slugify(name) or "spreadsheet",
        name=name,
        sources=tuple(Source(source) for source in dict.fromkeys(found.sources)),
        licence=licence.name,
        sharing=licence.sharing,
        content_notices=notices_in(
            [*(metric.definition for metric in metrics), *(one.origin.text for one in scenarios)]
        ),
        metrics=metrics,
        scenarios=scenarios,
    )
    return ReadDrafts(benchmark, tuple(_flags(table, licence.name)))


def _delimiter(file: Path) -> str | None:
    """What parts the cells of a table of ours: spreadsheet programs write a semicolon where a comma is for decimals."""
    text = beginning(file)
    return next((one for one in _DELIMITERS if set(map(_name, first_cells(text, one))) >= _SIGNS), None)


def _name(cell: str) -> str:
    return " ".join(cell.split()).casefold()


def _flags(table: Table, licence: str | None) -> Iterator[Remark]:
    names = {table.text(row, "benchmark") for row in table.rows} - {""}
    if len(names) > 1:
        yield Remark("file", f"names {len(names)} benchmarks; all rows are taken for the first one")
    unknown = [column for column in table.columns if column and column not in COLUMNS]
    if unknown:
        yield Remark("row 1", f"columns that the template does not have were not read: {', '.join(unknown)}")
    if licence is None:
        yield Remark("file", draft_flags.NO_LICENCE)


@dataclass
class _Found:
    """Gathers the drafts of a table row by row."""

    file: Path
    table: Table

    def __post_init__(self) -> None:
        self.metrics: list[MetricDraft] = []
        self.scenarios: list[ScenarioDraft] = []
        self.sources: list[str] = []
        self._keys, self._scenario_keys = Keys(), Keys()

    def add(self, row: Row) -> None:
        words = self.table.text(row, "behaviour")
        if not words:
            raise FileProblem(self.file, f"{row.place} has no behaviour; say what the assistant does", row.line)
        self.metrics.append(self._metric(row, words))
        if self.table.text(row, "source"):
            self.sources.append(self.table.text(row, "source"))
        if any(self.table.text(row, column) for column in ("persona", "goal", "hidden goal", *_MESSAGES)):
            self.scenarios.append(self._scenario(row, self.metrics[-1].key))

    def _metric(self, row: Row, words: str) -> MetricDraft:
        name, stated = self.table.text(row, "metric"), self.table.text(row, "good or bad").casefold()
        if stated and stated not in _POLARITIES:
            raise FileProblem(self.file, f"{row.place} says {stated!r}; write good or bad", row.line)
        key, _ = self._keys.take(key_of_id(slugify(name)) if slugify(name) else key_of_words(words), words)
        reason = f"the column 'good or bad' says {stated!r}" if stated else "the column 'good or bad' is empty"
        source = self.table.text(row, "source")
        return MetricDraft(
            key=key,
            name=name or name_of_words(words),
            definition=words,
            proposal=Proposal(_POLARITIES.get(stated), reason),
            origin=Origin(self.table.cell(row, "behaviour"), row.place),
            interpretive_clause=self.table.text(row, "hard cases") or None,
            examples_present=self._filled(row, _PRESENT),
            examples_absent=self._filled(row, _ABSENT),
            rationale=self.table.text(row, "why it matters") or None,
            citations=(source,) if source else (),
            flags=wording_flags(words),
        )

    def _scenario(self, row: Row, metric_key: str) -> ScenarioDraft:
        persona, goal, hidden = (self.table.text(row, name) or None for name in ("persona", "goal", "hidden goal"))
        messages = [(turn, self.table.text(row, name)) for turn, name in enumerate(_MESSAGES, start=1)]
        anchors = tuple(Anchor(turn, f"Say: {text}") for turn, text in messages if text)
        age = self.table.text(row, "age")
        profile = profile_of_ages(age) if age else None
        words = "\n".join(filter(None, (persona, goal, hidden, *(text for _, text in messages))))
        flags = {
            draft_flags.NO_PERSONA: not persona,
            draft_flags.NO_GOAL: not goal,
            draft_flags.NO_HIDDEN_GOAL: not hidden,
            draft_flags.NO_AGE: not age,
            draft_flags.AGE_OUTSIDE: bool(age) and profile is None,
            draft_flags.ONE_MESSAGE: len(anchors) == 1,
        }
        return ScenarioDraft(
            key=self._scenario_keys.take(key_of_words(words), f"{words}{row.number}")[0],
            metric_keys=(metric_key,),
            origin=Origin(words, row.place),
            persona=persona,
            goal=goal,
            latent_adversarial_goal=hidden,
            anchors=anchors,
            profile_slug=profile.slug if profile else None,
            source_age=age or None,
            flags=tuple(flag for flag, holds in flags.items() if holds),
        )

    def _filled(self, row: Row, columns: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(filter(None, (self.table.text(row, column) for column in columns)))
