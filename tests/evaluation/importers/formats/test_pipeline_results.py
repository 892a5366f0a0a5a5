"""Pipeline folders with runs."""

import pytest

from evaluation.importers.formats import pipeline_results
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.result_types import ResultConversation, ResultModel, ResultTurn
from tests.support.first_edition import JUSTIFICATION, pipeline_folder, write_json

TURNS = (ResultTurn(1, "u1", "a2"), ResultTurn(2, "u3", "a4"))


def test_runs_become_conversations(tmp_path):
    results = pipeline_results.read(pipeline_folder(tmp_path))

    metric, scenario = "kind-help/m01", "m01_s001_v01"
    assert list(results.conversations()) == [
        ResultConversation(metric, scenario, "model-a", 1, True, None, JUSTIFICATION, TURNS),
        ResultConversation(metric, scenario, "model-a", 2, None, "no-verdict", None, TURNS, counts=False),
        ResultConversation(metric, scenario, "model-b", 1, None, "no-verdict"),
    ]
    assert results.models == (ResultModel("model-a", "model-a"), ResultModel("model-b", "model-b"))
    assert (results.counts.conversations, results.counts.judged, results.counts.unjudged) == (
        2, 1, {"no-verdict": 1}
    )  # fmt: skip
    assert (results.counts.extra_samples, results.counts.transcripts) == (1, 1)


def test_definition_of_the_benchmark_comes_along(tmp_path):
    results = pipeline_results.read(pipeline_folder(tmp_path))

    definition = results.benchmarks[0].definition
    assert definition is not None
    assert definition.metrics[0].examples_present == ("You are brilliant",)
    assert (results.metrics[0].slug, results.metrics[0].polarity) == ("kind-help/m01", "negative")
    assert results.scenarios[0].persona == "A proud person."


def test_path_may_be_the_root_the_benchmarks_folder_or_one_benchmark(tmp_path):
    root = pipeline_folder(tmp_path)

    paths = [root, root / "benchmarks", root / "benchmarks" / "kind-help"]
    assert [pipeline_results.recognises(path) for path in paths] == [True, True, True]
    assert len({pipeline_results.read(path).scenarios[0].source_id for path in paths}) == 1
    assert not pipeline_results.recognises(root / "benchmarks" / "kind-help" / "runs")


def test_scores_of_another_shape_are_refused(tmp_path):
    scores = pipeline_folder(tmp_path) / "benchmarks/kind-help/runs/model-a/scores.json"
    write_json(scores, {"m01": 1})

    with pytest.raises(FileProblem, match="the file must be a list"):
        pipeline_results.read(tmp_path)
