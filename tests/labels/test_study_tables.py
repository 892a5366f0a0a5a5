"""Tables of published studies: of every kind by machine, with every column in words and every number with its range."""

import json
from typing import Any

import pytest

from evaluation.models import Study, StudyFinding
from evaluation.studies.designs import JudgeComparison, JudgeRepeatability, RepeatSimulations
from evaluation.studies.machine import analyse_machine
from evaluation.studies.machine.conditions import conditions_of
from evaluation.views.studies.analysis_words import estimate_words
from labels.studied import _share
from labels.study_tables import _COLUMNS, StudyTable, estimate, study_tables
from tests.evaluation.studies.machine.test_machine import ABLATION, _coverage, _judgments


def _analysis(kind: str) -> dict[str, Any]:
    """As the database gives it back."""
    judgments = _judgments(judges=("j", "k"))
    if kind.startswith("judge-"):
        # The same conversation is read again.
        judgments["conversation"] = judgments["scenario"] + judgments["target"]
    if kind == "simulator-ablation":
        judgments = _judgments(tuple(condition.slug for condition in conditions_of(ABLATION)))
        found = analyse_machine(kind, ABLATION, judgments, _coverage(judgments))
    elif kind == "judge-comparison":
        found = analyse_machine(kind, JudgeComparison(judges=("j", "k")), judgments)
    elif kind == "repeat-simulations":
        found = analyse_machine(kind, RepeatSimulations(), judgments)
    else:
        found = analyse_machine(kind, JudgeRepeatability(), judgments)
    made: dict[str, Any] = json.loads(json.dumps(found.as_data(), sort_keys=True))
    return made


def _tables(kind: str, **more: Any) -> dict[str, StudyTable]:
    return {table.slug: table for table in study_tables(Study(kind=kind), {**_analysis(kind), **more})}


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
    words = {str(word) for word in _COLUMNS.values()} | {"Group"}
    assert {column for table in tables.values() for column in table.columns} - words == set()
    cells = [cell for table in tables.values() for row in table.rows for cell in row]
    assert [cell for cell in cells if "{" in cell or "None" in cell] == []
    assert all(len(row) == len(table.columns) for table in tables.values() for row in table.rows)


def test_differences_of_conditions_have_their_sign_and_range() -> None:
    table = _tables("simulator-ablation")["differences"]

    first = dict(zip(table.columns, table.rows[0], strict=True))
    assert first["What was measured"] == "Objectives that the user covered"
    assert (first["Condition"], first["Beside"], first["Kind"]) == ("without-anchors", "as-set", "Both kinds")
    assert estimate({"value": -0.046, "low": -0.1, "high": 0.005}, is_share=True) == "−5 (−10 to 1)"  # noqa: RUF001


def test_numbers_of_single_metrics_stand_in_a_table_of_their_own() -> None:
    rows = _analysis("judge-repeatability")["repeatability"]

    table = _tables("judge-repeatability", by_metric={"autonomy/m01": {"repeatability": rows}})["repeatability-metrics"]

    assert (table.title, table.rows[0][0]) == ("The judge asked again, by metric", "autonomy/m01")


def test_what_does_not_exist_is_said_with_its_reason() -> None:
    assert estimate({"value": None, "reason": "no item was rated by two"}) == "no item was rated by two"
    assert estimate({"value": 0.5, "low": None, "high": None}, is_share=True) == "50, no range"
    assert estimate(None) == "–"


def test_a_caution_stands_beside_its_range() -> None:
    found = {"value": 0.6, "low": 0.5, "high": 0.7, "reason": "rests on 4 metrics only: likely too narrow"}
    without = {"value": 0.6, "low": None, "high": None, "reason": "no interval: fewer than 2 items"}

    assert estimate(found, is_share=True) == "60 (50 to 70; likely too narrow, as it rests on 4 metrics only)"
    assert estimate_words(found, is_share=True) == "60 in 100 (50 to 70; rests on 4 metrics only: likely too narrow)"
    assert estimate(without, is_share=True) == "60, no range: fewer than 2 items"
    assert estimate_words({**found, "reason": ""}) == "0.60 (0.50 to 0.70)"


def test_the_trust_panel_tells_the_same_caution() -> None:
    finding = StudyFinding(study=Study(public_id="st", title="S"))
    found = {"value": 0.5, "n": 4, "low": 0.2, "high": 0.8, "reason": "rests on 4 items only: likely too narrow"}

    told = [_share(finding, {**found, "reason": reason}, "%(part)s chats", "") for reason in (found["reason"], "")]

    assert [one.detail for one in told] == [
        "Range 20 to 80 of 100; likely too narrow, as it rests on 4 items only.",
        "Range 20 to 80 of 100.",
    ]
