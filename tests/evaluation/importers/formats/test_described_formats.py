"""Formats that were built from their descriptions: what they yield, and that they say that no real file was seen."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.importers.formats import counselbench, harmbench, intima, psychorisk, tutorbench, wildbench
from evaluation.importers.formats.draft_types import BenchmarkDraft
from evaluation.importers.formats.problems import FileProblem

RUBRIC = json.dumps(
    [{"criteria": "Gives a hint.", "weight": 5}, {"criteria": "Gives the answer away.", "weight": -5}]
).replace('"', '""')
FILES: dict[Any, str] = {
    intima: "prompt,code\nI love you,love\nI love you,love\nYou are my mirror,mirror\n",
    counselbench: "question,failure mode\nWhat shall I do?,Apathetic\nHelp me,Apathetic\n",
    tutorbench: f'TASK_ID,SUBJECT,PROMPT,FOLLOW_UP_PROMPT,IMAGE_URL,RUBRICS\n7,Maths,Why?,And now?,https://x.example/a.png,"{RUBRIC}"\n',
    wildbench: json.dumps(
        {
            "id": 7,
            "conversation_input": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}],
            "checklist": ["Does it greet?"],
            "primary_tag": "Chat",
        }
    )
    + "\n",
    harmbench: "Behavior,FunctionalCategory,SemanticCategory,Tags,ContextString,BehaviorID\n"
    'Do <b>harm</b>,contextual,chemical_biological,,"Two\nlines",do_harm\nSing it,copyright,copyright,,,sing\n',
    psychorisk: 'cluster_id,label,description,size,harm_type,stage,model\n0_1,"""Praises"" ",It praises harm.,3,'
    '"addiction (91.2%); other (4.2%)",1,x\n',
}  # fmt: skip


def read(tmp_path: Path, format_: Any, text: str = "") -> Any:
    file = tmp_path / "file"
    file.write_text(text or FILES[format_])
    assert format_.recognises(file)
    return format_.read(file)


def metrics(benchmark: BenchmarkDraft) -> list[tuple[str, str | None]]:
    return [(metric.definition, metric.proposal.polarity) for metric in benchmark.metrics]


@pytest.mark.parametrize("format_", FILES, ids=lambda format_: format_.describe().name)
def test_says_that_no_real_file_was_seen_and_reads_the_same_twice(tmp_path, format_):
    first = read(tmp_path, format_)

    assert first == read(tmp_path, format_)
    assert not first.benchmark.verified
    assert all(metric.flags and metric.origin.place for metric in first.benchmark.metrics)


def test_intima_codes_are_of_users_so_prompts_illustrate_two_kinds_of_replies(tmp_path):
    found = read(tmp_path, intima)

    assert metrics(found.benchmark) == [("Reinforces companionship", "negative"), ("Keeps boundaries", "positive")]
    assert [scenario.title for scenario in found.benchmark.scenarios] == ["love", "mirror"]
    assert [one.text for one in found.skipped] == ["the same prompt stands here again"]


def test_counselbench_failure_modes_are_negative_and_scales_keep_their_direction(tmp_path):
    assert metrics(read(tmp_path, counselbench).benchmark) == [("Apathetic", "negative")]

    rated = read(tmp_path, counselbench, "empathy,specificity,medical advice,toxicity,overall\n1,2,no,5,3\n")

    # Trap 11: on the scale of toxicity 5 is bad.
    assert metrics(rated.benchmark) == [
        ("empathy", "positive"), ("specificity", "positive"), ("medical advice", "negative"), ("toxicity", "negative"),
        ("overall", "positive"),
    ]  # fmt: skip


def test_trap_6_tutorbench_holds_json_in_a_cell(tmp_path):
    benchmark = read(tmp_path, tutorbench).benchmark

    assert metrics(benchmark) == [("Gives a hint.", "positive"), ("Gives the answer away.", "negative")]
    assert benchmark.sharing == "no"
    assert [anchor.objective for anchor in benchmark.scenarios[0].anchors] == ["Say: Why?", "Say: And now?"]
    with pytest.raises(FileProblem, match="row 2: RUBRICS is not valid JSON"):
        read(tmp_path, tutorbench, "TASK_ID,PROMPT,RUBRICS\n7,Why?,[oh\n")


def test_trap_19_wildbench_ids_are_numbers_or_words(tmp_path):
    benchmark = read(tmp_path, wildbench).benchmark

    assert metrics(benchmark) == [("Does it greet?", "positive")]
    assert (benchmark.scenarios[0].key, benchmark.sharing) == ("7", "no")


def test_harmbench_behaviours_are_what_a_user_leads_to(tmp_path):
    found = read(tmp_path, harmbench)

    assert metrics(found.benchmark) == [("chemical biological", "negative")]
    [scenario] = found.benchmark.scenarios
    assert (scenario.latent_adversarial_goal, scenario.context) == ("Do <b>harm</b>", "Two\nlines")
    assert [one.place for one in found.skipped] == ["row 3"]


def test_psychorisk_reads_clusters_and_scenarios_as_one_benchmark(tmp_path):
    told = {
        "description": "A lonely man.",
        "action": "Bets",
        "outcome": "Loses all",
        "harm_type": "Addiction",
        "age": "adult",
    }
    pairs = [{"message": "Bet?", "response": "Yes!", "stage": 1}]
    (tmp_path / "taxonomy.csv").write_text(FILES[psychorisk])
    (tmp_path / "0.json").write_text(
        json.dumps({"scenario": {"idx": 0, "scenario": told, "pairs": pairs}, "models": {}})
    )

    benchmark = psychorisk.read(tmp_path).benchmark

    assert metrics(benchmark) == [("It praises harm.", "negative")]
    [scenario] = benchmark.scenarios
    assert (scenario.metric_keys, scenario.persona, scenario.latent_adversarial_goal) == (
        (benchmark.metrics[0].key,), "A lonely man.", "Bets. Loses all",
    )  # fmt: skip
