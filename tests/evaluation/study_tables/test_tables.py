"""Tables of studies: of every kind by machine, with every column in words and every number with its range."""

import json
from typing import Any

import pytest

from evaluation.models import Study
from evaluation.studies.designs import JudgeComparison, JudgeRepeatability, RepeatSimulations, as_data
from evaluation.studies.machine import analyse_machine
from evaluation.studies.machine.conditions import conditions_of
from evaluation.study_tables.tables import Table, analysis_tables
from evaluation.study_tables.words import COLUMNS
from tests.evaluation.studies.machine.test_machine import ABLATION, _coverage, _judgments

_DESIGNS: dict[str, Any] = {
    "judge-repeatability": JudgeRepeatability(),
    "judge-comparison": JudgeComparison(judges=("j", "k")),
    "simulator-ablation": ABLATION,
    "repeat-simulations": RepeatSimulations(),
}


def _analysis(kind: str) -> dict[str, Any]:
    """As the database gives it back."""
    design, coverage = _DESIGNS[kind], None
    judgments = _judgments(judges=("j", "k"))
    if kind.startswith("judge-"):
        # The same conversation is read again.
        judgments["conversation"] = judgments["scenario"] + judgments["target"]
    if kind == "simulator-ablation":
        judgments = _judgments(tuple(condition.slug for condition in conditions_of(design)))
        coverage = _coverage(judgments)
    found = analyse_machine(kind, design, judgments, coverage)
    made: dict[str, Any] = json.loads(json.dumps(found.as_data(), sort_keys=True))
    return made


def _tables(kind: str, **more: Any) -> dict[str, Table]:
    study = Study(kind=kind, design=as_data(_DESIGNS[kind]))
    return {table.slug: table for table in analysis_tables(study, {**_analysis(kind), **more})}


@pytest.mark.parametrize(
    ("kind", "slugs"),
    [
        ("judge-repeatability", ["repeatability"]),
        ("judge-comparison", ["agreement", "rates", "orders"]),
        ("simulator-ablation", ["conditions", "differences"]),
        ("repeat-simulations", ["changes"]),
    ],
)
def test_every_part_of_a_study_by_machine_is_a_table_in_words(kind: str, slugs: list[str]) -> None:
    tables = _tables(kind)

    assert list(tables) == slugs
    words = {str(word) for word in COLUMNS.values()} | {"Group"}
    assert {column for table in tables.values() for column in table.columns} - words == set()
    cells = [cell for table in tables.values() for row in table.rows for cell in row]
    assert [cell for cell in cells if "{" in cell or "None" in cell] == []
    assert all(len(row) == len(table.columns) for table in tables.values() for row in table.rows)


def test_differences_of_conditions_have_names_and_kinds_are_not_mixed() -> None:
    table = _tables("simulator-ablation")["differences"]

    first = dict(zip(table.columns, table.rows[0], strict=True))
    assert first["What was measured"] == "Objectives that the user covered"
    assert (first["Condition"], first["Beside"], first["Kind"]) == ("Without anchors", "All parts", "Both kinds")
    measured = table.columns.index("What was measured"), table.columns.index("Kind")
    assert ("Bad outcomes", "Both kinds") not in {(row[measured[0]], row[measured[1]]) for row in table.rows}


def test_numbers_of_single_metrics_stand_in_a_table_of_their_own() -> None:
    rows = _analysis("judge-repeatability")["repeatability"]

    table = _tables("judge-repeatability", by_metric={"autonomy/m01": {"repeatability": rows}})["repeatability-metrics"]

    assert (table.title, table.rows[0][0]) == ("The judge asked again, by metric", "autonomy/m01")


def test_answers_have_a_column_each_and_rows_of_single_raters_are_shown_on_request() -> None:
    shares = {answer: {"value": 0.25, "low": None, "reason": ""} for answer in ("fail", "borderline", "pass")}
    rows = [
        {"question": "outcome", "by": by, "key": key, "n": 4, "n_items": 4, "n_metrics": 1, "shares": shares}
        for by, key in (("all", ""), ("metric", "m1"), ("rater", "Rater 1"), ("rater", "Rater 2"))
    ]  # fmt: skip

    [table] = analysis_tables(Study(kind="expert-review"), {"choices": rows})

    assert table.columns == [
        "Group", "Ratings", "Items", "Metrics",
        "Pass, of 100", "Fail, of 100", "On the border, or I am not sure, of 100",
    ]  # fmt: skip
    assert table.rows == [["All", "4", "4", "1", *["25, no range"] * 3]]
    # One metric is the same as all.
    assert [row[0] for row in table.more] == ["Rater 1", "Rater 2"]
