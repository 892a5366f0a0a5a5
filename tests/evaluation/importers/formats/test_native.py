"""The native benchmark folder: what is read, what is refused with which line, and the way back."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.importers.formats import native
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import (
    Anchor,
    BenchmarkFile,
    MetricFile,
    ReadBenchmark,
    Remark,
    ScenarioFile,
    Source,
)

DEFINITION = """\
name: Kind Help
description: >
  How an assistant
  helps.
sources:
  - {title: A paper, url: https://example.org/p, doi: 10.1/x}
licence: CC-BY-4.0
contributors: [Ada, Ben]
scenario:
  user_context: You are a tutor.
research_summary: |
  Help that asks is used more.
  Two studies say so.
content_notices: [grief]
metrics:
  - id: m01
    name: No
    type: positive
    definition: |
      Asks first.
        Then listens.
    interpretive_clause: A late question counts.
    judge_question: Does it ask?
    examples: [What matters to you?]
    examples_absent: [Take the first.]
    subareas: [agency-purpose]
    rationale: People decide.
    citations: [Doe 2020]
    plain_name: Asks
    plain_definition: It asks you.
  - {id: m02, name: Avoid flattery, type: negative, definition: Flatters the user.}
"""
ROW = {
    "id": "m01_s001_v01",
    "metric_id": "m01",
    "persona": "A student.",
    "user_goal": "Pass an exam",
    "latent_adversarial_goal": "Get the answers",
    "landmarks": [{"turn": 2, "instruction": "Ask for the answer."}],
    "demographic": {"age": "Teenager (13-17)", "gender": "female"},
    "target_system_prompt": "You are a tutor.",
    "title": "An exam",
    "turns": 4,
}


def folder_of(tmp_path: Path, definition: str = DEFINITION, rows: object = (ROW,)) -> Path:
    folder = tmp_path / "kind-help"
    folder.mkdir(exist_ok=True)
    (folder / "benchmark.yaml").write_text(definition, encoding="utf-8")
    (folder / "scenarios.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return folder


def problem_of(folder: Path) -> tuple[str, int | None, int | None, str]:
    with pytest.raises(FileProblem) as caught:
        native.read(folder)
    problem = caught.value
    return problem.file.name, problem.line, problem.column, problem.message


def scenario(**changes: Any) -> ScenarioFile:
    plain = ScenarioFile(
        id="m01_s001_v01",
        metric_id="m01",
        base_number=1,
        persona="A student.",
        goal="Pass an exam",
        latent_adversarial_goal="Get the answers",
        anchors=(Anchor(2, "Ask for the answer."),),
        profile_slug="teen",
        profile_name="Teens 13\u201317",
        profile_attributes={"age": "13-17"},
        attributes={"gender": "female"},
        target_system_prompt="You are a tutor.",
        title="An exam",
        turns=4,
    )
    return replace(plain, **changes)


def test_folder_is_read_whole(tmp_path):
    read = native.read(folder_of(tmp_path))

    assert read == ReadBenchmark(
        BenchmarkFile(
            slug="kind-help",
            name="Kind Help",
            description="How an assistant helps.",
            sources=(Source("A paper", "https://example.org/p", "10.1/x"),),
            licence="CC-BY-4.0",
            contributors=("Ada", "Ben"),
            user_context="You are a tutor.",
            research_summary="Help that asks is used more.\nTwo studies say so.",
            content_notices=("grief",),
            metrics=(
                MetricFile(
                    local_id="m01",
                    name="No",
                    polarity="positive",
                    definition="Asks first.\n  Then listens.",
                    interpretive_clause="A late question counts.",
                    judge_question="Does it ask?",
                    examples_present=("What matters to you?",),
                    examples_absent=("Take the first.",),
                    subareas=("agency-purpose",),
                    rationale="People decide.",
                    citations=("Doe 2020",),
                    plain_name="Asks",
                    plain_definition="It asks you.",
                ),
                MetricFile("m02", "Avoid flattery", "negative", "Flatters the user."),
            ),
            scenarios=(scenario(),),
        ),
        flags=(Remark("metric m02", "has no scenario"),),
    )


def test_benchmark_without_metrics_is_read(tmp_path):
    read = native.read(folder_of(tmp_path, "name: Empty\nmetrics: []\n", []))

    assert (read.benchmark.slug, read.benchmark.metrics) == ("kind-help", ())


def test_first_edition_rows_of_both_generations_are_accepted(tmp_path):
    metric = "{id: metric_001, name: A, type: positive, definition: Asks.}"
    definition = f"name: Old\nmetric_contributor: Cy\nmetrics:\n  - {metric}\n"
    flat = {
        "id": "m01_s001_v01",
        "metric_id": "metric_001",
        "metric_name": "A",
        "metric_type": "positive",
        "persona": "P",
        "user_goal": "G",
        "latent_adversarial_goal": "L",
        "landmarks": [],
        "demographic": {"age": "Child or teenager (6-17)"},
    }
    nested = {
        "scenario_id": "scenario_001_m01_v02",
        "scenario": {
            "id": "scenario_001_m01_v02",
            "metric_id": "metric_001",
            "metric": "A",
            "title": "T",
            "description": "D",
            "user_persona": "Q",
            "user_goal": "G",
            "latent_adversarial_goal": "L",
            "landmarks": [{"turn": 1, "instruction": "I"}],
            "demographic": {"age": "Adult (18+)", "gender": "male"},
            "base_scenario_id": "scenario_001_m01",
        },
        "samples": [],
        "verdict": {"result": "yes"},
    }

    read = native.read(folder_of(tmp_path, definition, [flat, nested]))

    assert read.benchmark.contributors == ("Cy",)
    assert [
        (row.metric_id, row.base_number, row.profile_slug, row.profile_name, row.persona, dict(row.attributes))
        for row in read.benchmark.scenarios
    ] == [
        ("m001", 1, "child-6-17", "Ages 6\u201317", "P", {}),
        ("m001", 1, "adult", "Adults 18+", "Q", {"gender": "male"}),
    ]
    assert read.flags == (Remark("scenarios.json", "1 scenarios have a description, which is not kept"),)


def test_second_gender_of_a_base_moves_to_the_next_free_number_and_is_flagged(tmp_path):
    rows = [
        {**ROW, "id": f"m01_s00{base}_v0{n}", "demographic": {"age": age, "gender": gender}}
        for base in (1, 2)
        for n, (gender, age) in enumerate([("f", "teen"), ("f", "adult"), ("m", "teen"), ("m", "adult")])
        if base == 1 or gender == "f"
    ]

    read = native.read(folder_of(tmp_path, rows=rows))

    assert [row.base_number for row in read.benchmark.scenarios] == [1, 1, 3, 3, 2, 2]
    assert [flag.place for flag in read.flags[:2]] == ["scenario m01_s001_v02", "scenario m01_s001_v03"]


def test_rows_without_lineage_share_a_base_when_their_goals_are_equal(tmp_path):
    rows = [
        {**ROW, "id": "a"},
        {**ROW, "id": "b", "user_goal": "Another"},
        {**ROW, "id": "c", "demographic": {"age": "adult"}},
    ]

    read = native.read(folder_of(tmp_path, rows=rows))

    assert [row.base_number for row in read.benchmark.scenarios] == [1, 2, 1]


def test_unknown_age_becomes_a_profile_of_that_name(tmp_path):
    row = {**ROW, "demographic": {"age": "Older people (65+)"}}

    read = native.read(folder_of(tmp_path, rows=[row])).benchmark.scenarios[0]

    assert (read.profile_slug, read.profile_name) == ("older-people-65", "Older people (65+)")


M01 = "  - {id: m01, name: A, type: positive, definition: Asks.}\n"


@pytest.mark.parametrize(
    ("definition", "line", "column", "message"),
    [
        ("name: [a\nmetrics: []\n", 2, 8, "is not valid YAML: did not find expected ',' or ']'"),
        ("name: A\nmetrcs: []\n", 2, 1, "unknown key 'metrcs' in the benchmark"),
        ("- a\n", 1, 1, "the benchmark must be a mapping of keys to values"),
        ("name: A\nmetrics: {}\n", 2, 10, "metrics must be a list in the benchmark"),
        ("metrics: []\n", 1, 1, "the benchmark has no name"),
        ("name: A\nslug: Not A Slug\n", 2, 7,
         "slug 'Not A Slug' must be lower-case letters, digits and single hyphens"),
        ("name: A\nname: B\n", 2, 1, "the key 'name' stands here twice"),
        (f"name: A\nmetrics:\n{M01}{M01}", 4, 10, "the metric id 'm01' stands here twice"),
        ("name: A\nmetrics:\n  - {id: m01, name: A, definition: D}\n", 3, 5,
         "metric m01 has no type; write type: positive or type: negative"),
        ("name: A\nmetrics:\n  - {id: m01, name: A, type: good, definition: D}\n", 3, 30,
         "type must be positive or negative in metric m01, not 'good'"),
        ("name: A\nmetrics:\n  - {id: m01, name: A, type: positive}\n", 3, 5, "metric m01 has no definition"),
        ("name: A\nmetrics:\n  - {id: m01, name: A, type: positive, definition: D, wieght: 1}\n", 3, 55,
         "unknown key 'wieght' in metric m01"),
        ("name: A\nmetrics:\n  - {id: a/b, name: A, type: positive, definition: D}\n", 3, 10,
         "the metric id 'a/b' must be letters, digits, hyphens, underscores"),
        ("name: A\nscenario: {context: x}\n", 2, 12, "unknown key 'context' in scenario"),
        ("name: A\nlicence: [MIT]\n", 2, 10, "licence must be text in the benchmark"),
    ],
)  # fmt: skip
def test_bad_definition_gets_one_line_with_its_place(tmp_path, definition, line, column, message):
    folder = folder_of(tmp_path, definition, [])

    assert problem_of(folder) == ("benchmark.yaml", line, column, message)


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        ({"metric_id": "m09"}, 4, "scenario m01_s001_v01 names the metric 'm09', which benchmark.yaml lacks"),
        ({"landmarks": [{"turn": 0, "instruction": "x"}]}, 10,
         "turn must be from 1 to 50 in a landmark of scenario m01_s001_v01, not 0"),
        ({"landmarks": [{"turn": 51, "instruction": "x"}], "turns": 50}, 10,
         "turn must be from 1 to 50 in a landmark of scenario m01_s001_v01, not 51"),
        ({"landmarks": [{"turn": 5, "instruction": "x"}]}, 10,
         "a landmark of scenario m01_s001_v01 stands at turn 5, beyond the scenario's 4 turns"),
        ({"landmarks": [{"turn": "2", "instruction": "x"}]}, 10,
         "turn must be a whole number in a landmark of scenario m01_s001_v01"),
        ({"landmarks": "none"}, 8, "landmarks must be a list in scenario m01_s001_v01"),
        ({"mood": "sad"}, 21, "unknown key 'mood' in scenario m01_s001_v01"),
        ({"persona": 7}, 5, "persona must be text in scenario m01_s001_v01"),
        ({"persona": " "}, 5, "scenario m01_s001_v01 has no persona"),
        ({"demographic": {"age": "!!"}}, 15, "the age '!!' makes no profile name"),
        ({"demographic": None}, 2, "scenario m01_s001_v01 has no demographic; write demographic: {age: ...}"),
        ({"turns": True}, 20, "turns must be a whole number in scenario m01_s001_v01"),
    ],
)  # fmt: skip
def test_bad_scenario_gets_one_line_with_its_place(tmp_path, change, line, message):
    folder = folder_of(tmp_path, rows=[{**ROW, **change}])

    assert (problem_of(folder)[0], problem_of(folder)[3]) == ("scenarios.json", message)
    assert problem_of(folder)[1] == line


def test_scenario_id_given_twice_is_refused(tmp_path):
    folder = folder_of(tmp_path, rows=[ROW, ROW])

    assert problem_of(folder)[3] == "the scenario id 'm01_s001_v01' stands here twice"


def test_missing_file_is_refused(tmp_path):
    assert problem_of(tmp_path) == (
        "benchmark.yaml", None, None, "cannot be opened: No such file or directory"
    )  # fmt: skip


def test_path_may_be_the_folder_the_file_or_a_folder_of_folders(tmp_path):
    folder = folder_of(tmp_path)

    found = (folder / "benchmark.yaml",)
    assert native.find(tmp_path) == native.find(folder) == native.find(folder / "benchmark.yaml") == found
    assert native.read(folder) == native.read(folder / "benchmark.yaml")


def test_format_recognises_its_own_only(tmp_path):
    folder = folder_of(tmp_path)
    (tmp_path / "mine.yaml").write_text("name: A\nmetrics: []\n")
    (tmp_path / "blueprint.yml").write_text("title: A\n---\n- prompt: x\n")
    (tmp_path / "empty").mkdir()

    paths = [folder, folder / "benchmark.yaml", tmp_path / "mine.yaml", tmp_path / "blueprint.yml"]
    assert [native.recognises(path) for path in [*paths, tmp_path / "empty", folder / "scenarios.json"]] == [
        True, True, True, False, False, False
    ]  # fmt: skip


def test_written_folder_reads_back_equal_and_is_written_equal_again(tmp_path):
    read = native.read(folder_of(tmp_path)).benchmark

    native.write(read, tmp_path / "a" / "copy")
    again = native.read(tmp_path / "a" / "copy").benchmark
    native.write(again, tmp_path / "b")

    assert again == read
    for name in ("benchmark.yaml", "scenarios.json"):
        assert (tmp_path / "a" / "copy" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_long_text_is_written_as_a_block(tmp_path):
    read = native.read(folder_of(tmp_path)).benchmark

    native.write(read, tmp_path / "copy")

    assert "    definition: |-\n      Asks first.\n        Then listens.\n" in (
        tmp_path / "copy" / "benchmark.yaml"
    ).read_text(encoding="utf-8")


def test_base_and_profile_that_do_not_follow_from_their_texts_survive(tmp_path):
    odd = scenario(
        id="x",
        base_number=7,
        profile_slug="senior",
        profile_name="Seniors 65+",
        profile_attributes={"age": "65+", "region": "any"},
    )
    metric = MetricFile("m01", "A", "positive", "Asks.")
    benchmark = BenchmarkFile("odd", "Odd", metrics=(metric,), scenarios=(odd,))

    native.write(benchmark, tmp_path / "odd")

    assert native.read(tmp_path / "odd").benchmark == benchmark


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t'\":#-|>&*%@`"), max_size=200)
SAID = TEXT.map(str.strip).filter(bool)
LONG = st.lists(SAID, min_size=1, max_size=12).map(" ".join)
MAYBE = st.none() | LONG


@settings(deadline=None, max_examples=60)
@given(name=SAID, definition=LONG, clause=MAYBE, examples=st.lists(SAID, max_size=3), persona=LONG, prompt=MAYBE)
def test_any_text_survives_the_way_out_and_back(tmp_path_factory, name, definition, clause, examples, persona, prompt):
    metric = MetricFile("m01", name, "negative", definition, clause, examples_present=tuple(examples))
    row = scenario(persona=persona, target_system_prompt=prompt)
    benchmark = BenchmarkFile(
        "any", name, description=persona, research_summary=clause, metrics=(metric,), scenarios=(row,)
    )
    folder = tmp_path_factory.mktemp("any")

    native.write(benchmark, folder)

    assert native.read(folder).benchmark == benchmark
