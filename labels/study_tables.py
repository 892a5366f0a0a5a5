"""The analysis of a published study as tables, in the words of public pages."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evaluation.models import Study
from evaluation.study_tables.tables import Reader, Table, analysis_tables
from labels.study_words import option_words, question_words
from labels.transcripts import visible

_PUBLIC = Reader(question_words, option_words)


def study_tables(study: Study, analysis: Mapping[str, Any]) -> list[Table]:
    """All tables of a public analysis, without the time that raters took."""
    return [_visible(table) for table in analysis_tables(study, {**analysis, "times": []}, _PUBLIC)]


def _visible(table: Table) -> Table:
    """The table with nothing hidden in names of models and metrics."""
    return replace(table, rows=_shown(table.rows), more=_shown(table.more))


def _shown(rows: list[list[str]]) -> list[list[str]]:
    return [[visible(cell) for cell in row] for row in rows]
