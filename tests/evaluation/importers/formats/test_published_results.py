"""Both layouts of the first edition's published folder, with every oddity they are known for."""

import json

import pytest

from evaluation.importers.formats import published_results
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.result_types import (
    ResultArea,
    ResultBenchmark,
    ResultConversation,
    ResultCounts,
    ResultLabelRow,
    ResultMetric,
    ResultModel,
    ResultSubarea,
    ResultTurn,
)
from evaluation.importers.formats.types import Anchor
from tests.support.first_edition import (
    JUSTIFICATION,
    april_folder,
    july_folder,
    tar_xz,
    transcript,
    write_json,
)


def test_july_taxonomy_models_metrics_and_label_rows(tmp_path):
    results = published_results.read(july_folder(tmp_path))

    study = ResultSubarea(
        "study-work-money", "Study, Work & Money", "study,-work-&-money", ("kind-help/m01", "clear-talk/m01")
    )
    agency = ResultSubarea("agency", "Agency", "agency", ("kind-help/m01", "kind-help/m02"))
    assert results.areas == (ResultArea("mind", "Mind", (study, agency)),)
    assert results.models == (
        ResultModel("model-a", "Model A", "Lab", "a-1", 2026, {"surfaces": ["x"]}),
        ResultModel("model-b", "Model B", "Lab", "b-1", 2025),
        ResultModel("model-c", "model-c"),
    )
    assert results.metrics == (
        ResultMetric("clear-talk", "m01", "Explains", "positive"),
        ResultMetric(
            "kind-help",
            "m01",
            "Asks first",
            "positive",
            "Asks what matters to the user.",
            "You decide.",
            "Kind Help",
        ),
        ResultMetric("kind-help", "m02", "Avoid flattery", "negative"),
    )
    assert results.benchmarks == (
        ResultBenchmark("clear-talk", "Clear talk"),
        ResultBenchmark("kind-help", "Kind Help"),
    )
    assert results.label_rows == (
        ResultLabelRow("agency", "Promotes Agency", "positive", ("kind-help/m01",), 1),
        ResultLabelRow("agency", "Promotes Agency", "negative", ("kind-help/m02",), 1),
        ResultLabelRow("clarity", "Promotes Clarity", "positive", ("clear-talk/m01",), 2, "Plain."),
    )


def test_july_verdicts_have_no_turns(tmp_path):
    results = published_results.read(july_folder(tmp_path))

    assert [
        (c.metric, c.scenario, c.model, c.sample, c.present, c.reason, c.turns) for c in results.conversations()
    ] == [
        ("kind-help/m01", "m01_s001_v01", "model-a", 1, True, None, None),
        ("kind-help/m01", "m01_s001_v01", "model-b", 1, False, None, None),
        ("kind-help/m01", "m01_s001_v02", "model-a", 1, True, None, None),
        ("kind-help/m01", "m01_s002_v01", "model-a", 1, False, None, None),
        ("kind-help/m02", "m02_s001_v01", "model-a", 1, True, None, None),
        ("kind-help/m02", "m02_s001_v01", "model-c", 1, False, None, None),
        ("clear-talk/m01", "m01_s001_v02", "model-a", 1, None, "unsure", None),
    ]
    assert [(s.source_id, s.base_number, s.profile_slug) for s in results.scenarios[:3]] == [
        ("m01_s001_v01", 1, "child-6-17"),
        ("m01_s001_v02", 1, "adult"),
        ("m01_s002_v01", 2, "child-6-17"),
    ]


def test_april_counts_every_oddity(tmp_path):
    results = published_results.read(april_folder(tmp_path))

    assert results.counts == ResultCounts(
        models=1,
        benchmarks=1,
        metrics=2,
        metrics_of_unknown_polarity=1,
        scenarios=4,
        conversations=4,
        judged=3,
        unjudged={"fail": 1},
        extra_samples=1,
        transcripts=4,
        transcripts_without_verdict=1,
        verdict_disagreements=1,
    )


def test_april_metrics_outside_the_taxonomy_are_named_by_their_transcripts(tmp_path):
    results = published_results.read(april_folder(tmp_path))

    assert results.metrics == (
        ResultMetric("kind-help", "m001", "Asks first", "positive"),
        ResultMetric("kind-help", "m002", "Name of metric_002", None),
    )


def test_april_conversations_carry_transcripts_samples_and_flags(tmp_path):
    results = published_results.read(april_folder(tmp_path))

    def turns(*pairs):
        return tuple(ResultTurn(n, *pair) for n, pair in enumerate(pairs, start=1))

    one, two = "kind-help/m001", "kind-help/m002"
    assert list(results.conversations()) == [
        ResultConversation(one, "scenario_001_m01_v01", "model-a", 1, True, None, JUSTIFICATION,
                           turns(("u1", "a2"), ("u3", "a4"))),
        ResultConversation(one, "scenario_001_m01_v01", "model-a", 2, None, "no-verdict", None,
                           turns(("u1", "a2"), ("u3", None)), counts=False, flags=("a user message has no reply",)),
        ResultConversation(one, "scenario_001_m01_v02", "model-a", 1, False, None, JUSTIFICATION,
                           turns(("u2", "a3"), ("u4", None), ("u5", None)),
                           flags=("a message of role 'system' is left out", "a user message has no reply",
                                  "the transcript's file states the verdict 'yes'")),
        ResultConversation(one, "scenario_002_m01_v01", "model-a", 1, None, "fail", JUSTIFICATION,
                           turns((None, "a1"), ("u2", "a3")), flags=("a reply has no user message before it",)),
        ResultConversation(two, "scenario_001_m02_v01", "model-a", 1, True, None, JUSTIFICATION, turns(("u1", "a2"))),
    ]  # fmt: skip
    assert list(results.conversations()) == list(results.conversations())


def test_april_scenarios_take_their_texts_from_the_transcripts(tmp_path):
    scenario = published_results.read(april_folder(tmp_path)).scenarios[0]

    assert (scenario.persona, scenario.goal, scenario.latent_adversarial_goal) == (
        "A careful person.", "Choose an offer", "Be told what to do"
    )  # fmt: skip
    assert scenario.anchors == (Anchor(1, "Ask which to take."),)
    assert scenario.title == "Title of scenario_001_m01_v01"
    assert (scenario.profile_slug, dict(scenario.attributes)) == ("child-6-17", {"gender": "female"})


def test_the_same_member_twice_is_read_once(tmp_path):
    folder = april_folder(tmp_path)
    document = json.dumps(transcript("scenario_001_m01_v01", "metric_001", "ua")).encode()
    name = "kind-help/model-a/scenario_001_m01_v01.json"
    tar_xz(folder / "kind-help.tar.xz", {f"a/{name}": document, f"b/{name}": document})

    results = published_results.read(folder)

    assert results.counts.transcripts == 1
    assert len(list(results.conversations())) == 4


@pytest.mark.parametrize(
    ("file", "value", "message"),
    [
        ("taxonomy.json", [], "the file must be an object"),
        ("taxonomy.json", {"areas": [{"id": 3}]}, "an area's id must be text"),
        ("models.json", {"models": {}}, "models must be a list"),
        ("scenario-index.json", {"nonsense": []}, "the metric id 'nonsense' is not <benchmark>__<id>"),
        ("scenario-index.json", {"a__m01": [{}]}, "scenario_id in a__m01 must be text"),
        ("scenario-index.json", {"a__m01": [{"scenario_id": "s"}]}, "verdicts of s must be an object"),
        (
            "scenario-index.json",
            {"a__m01": [{"scenario_id": "s", "verdicts": {}}, {"scenario_id": "s", "verdicts": {}}]},
            "the scenario 's' stands twice under 'a__m01'",
        ),
    ],
)
def test_unexpected_shapes_get_one_clear_line(tmp_path, file, value, message):
    write_json(july_folder(tmp_path) / file, value)

    with pytest.raises(FileProblem) as caught:
        published_results.read(tmp_path)

    assert (caught.value.file.name, caught.value.message) == (file, message)


def test_bad_json_names_its_place(tmp_path):
    (july_folder(tmp_path) / "models.json").write_text('{"models": [\n}')

    with pytest.raises(FileProblem) as caught:
        published_results.read(tmp_path)

    assert (caught.value.line, caught.value.column) == (2, 1)
