"""The analysis of a study as tables: every number with its n and its interval, or the reason why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from evaluation.models import Study
from evaluation.studies.designs import design_of
from evaluation.studies.kinds import KINDS
from evaluation.studies.machine.conditions import conditions_of
from evaluation.studies.questions import Option, Question
from evaluation.study_tables.numbers import NOTHING, duration_words, estimate_words, figure
from evaluation.study_tables.words import COLUMNS, PARTS, VALUES, kind_words

Row: TypeAlias = dict[str, Any]

_SHARES = {
    "value",
    "other",
    "difference",
    "upper",
    "pairwise",
    "unanimity",
    "agreement",
    "sensitivity",
    "specificity",
    "changed",
    "differ",
}
_DURATIONS = ("median_seconds", "sum_seconds")
# Groups of which there are many.
_SINGLE = ("metric", "benchmark", "rater")
# Said elsewhere on the page, or told by another column.
_LEFT_OUT = {"by", "key", "question", "counts", "level", "ci_method", "n_draws", "profile", "reason"}
# An answer has a column of its own, named by this and its value.
_ANSWER = "answer:"


@dataclass(frozen=True)
class Table:
    """One table: an anchor, its heading, its columns, and rows whose first cell is their name.

    `more` are rows of single metrics, benchmarks and raters, which are many and shown on request.
    """

    slug: str
    title: str
    columns: list[str]
    rows: list[list[str]]
    more: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True)
class Reader:
    """What questions and their answers are called for those who read the tables."""

    question: Callable[[Question], str]
    option: Callable[[Option], str]


def _asked(question: Question) -> str:
    return _(question.words)


def _given(option: Option) -> str:
    return _(option.words) if option.words else option.value


# As raters saw them.
AS_ASKED = Reader(_asked, _given)


def analysis_tables(study: Study, analysis: Mapping[str, Any], reader: Reader = AS_ASKED) -> list[Table]:
    """All tables of an analysis, the judge's first; parts without a row are left out."""
    made = _Maker(_questions_of(study), _condition_names(study), reader)
    tables = [table for part in PARTS for table in made.of_part(part, analysis.get(part) or [])]
    return [*tables, *made.by_metric(analysis.get("by_metric") or {})]


def _questions_of(study: Study) -> dict[str, Question]:
    return {question.key: question for form in KINDS[study.kind].forms.values() for question in form.questions}


def _condition_names(study: Study) -> dict[str, str]:
    if KINDS[study.kind].by_people:
        return {}
    return {condition.slug: _(condition.name) for condition in conditions_of(design_of(study.kind, study.design))}


@dataclass(frozen=True)
class _Maker:
    """Makes tables of rows of one study, in the words of one kind of reader."""

    questions: Mapping[str, Question]
    conditions: Mapping[str, str]
    reader: Reader

    def of_part(self, part: str, found: list[Row]) -> Iterator[Table]:
        """A table for each question of the part, or one."""
        rows = [_flat(row) for row in found if not _mixes_kinds(row)]
        for key in dict.fromkeys(row.get("question") for row in rows):
            question = self.questions.get(key or "")
            title = f"{PARTS[part]}: {self.reader.question(question)}" if question else str(PARTS[part])
            of_key = _telling([row for row in rows if row.get("question") == key])
            yield self._table(f"{part}-{key}" if key else part, title, of_key)

    def by_metric(self, found: Mapping[str, Any]) -> Iterator[Table]:
        """What single metrics have of a study by machine: of each the row over everything."""
        for part in ("repeatability", "changes"):
            of_part = [(metric, rows[part][0]) for metric, rows in sorted(found.items()) if rows.get(part)]
            if of_part:
                grouped = [{"by": "metric", "key": metric, **row} for metric, row in of_part]
                title = _("%(what)s, by metric") % {"what": PARTS[part]}
                yield self._table(f"{part}-metrics", title, grouped, is_whole=True)

    def _table(self, slug: str, title: str, rows: list[Row], *, is_whole: bool = False) -> Table:
        is_grouped, answers = "by" in rows[0], self._answers(rows[0])
        order = [*COLUMNS, *answers]
        shown = [name for name in rows[0] if name not in _LEFT_OUT]
        names = sorted(shown, key=lambda name: order.index(name) if name in order else len(order))
        columns = [*([_("Group")] if is_grouped else []), *(_column(name, answers) for name in names)]
        cells = [[*([_group(row)] if is_grouped else []), *(self._cell(name, row) for name in names)] for row in rows]
        is_more = [row.get("by") in _SINGLE and not is_whole for row in rows]
        whole, more = (
            [cell for cell, single in zip(cells, is_more, strict=True) if single is wanted] for wanted in (False, True)
        )
        return Table(slug, title, columns, whole, more)

    def _answers(self, row: Row) -> dict[str, str]:
        """The words over the columns of answers, in the order of the question; the database keeps none."""
        question = self.questions.get(row.get("question") or "")
        options = question.options if question else ()
        return {
            f"{_ANSWER}{one.value}": _("%(answer)s, of 100") % {"answer": self.reader.option(one)} for one in options
        }

    def _cell(self, name: str, row: Row) -> str:
        value = row.get(name)
        if name in VALUES and (value is None or isinstance(value, str)):
            return str(VALUES[name].get(value, NOTHING if value is None else value))
        if name in ("condition", "against") and isinstance(value, str):
            return self.conditions.get(value, value)
        if name in _DURATIONS:
            return duration_words(value)
        if isinstance(value, dict):
            return estimate_words(value, is_share=name in _SHARES or name.startswith(_ANSWER))
        if isinstance(value, float):
            return figure(value, is_share=name in _SHARES)
        return NOTHING if value is None else str(value)


def _mixes_kinds(row: Row) -> bool:
    """Good outcomes of both kinds of behaviour are never added."""
    told = row.get("change", row)
    return told.get("measure") in ("failures", "pass rate") and told.get("polarity") is None


def _flat(row: Row) -> Row:
    """The row with what stands in it as a record of its own, or in several fields: changes, answers, and ranges."""
    found = {**row.get("change", {}), **{name: row[name] for name in row if name not in ("change", "shares")}}
    found |= {f"{_ANSWER}{value}": share for value, share in row.get("shares", {}).items()}
    if "agreement_ci_low" not in row:
        return found
    for name, end in {"agreement": "agreement_ci", "coefficient": "ci"}.items():
        low, high = found.pop(f"{end}_low"), found.pop(f"{end}_high")
        found[name] = {"value": found[name], "low": low, "high": high, "reason": found["reason"]}
    return {**found, "n_conversations": found.pop("n")}


def _telling(rows: list[Row]) -> list[Row]:
    """The rows without groupings of one group: it is the same as all."""
    groups = Counter(row.get("by") for row in rows)
    return [row for row in rows if row.get("by") in (None, "all") or groups[row["by"]] > 1]


def _group(row: Row) -> str:
    return _("All") if row.get("by") == "all" else kind_words(row["key"])


def _column(name: str, answers: Mapping[str, str]) -> str:
    return answers.get(name) or str(COLUMNS.get(name, name.replace("_", " ").capitalize()))
