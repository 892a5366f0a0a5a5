"""HumaneBench: phrases of the rubric's levels as metrics, questions under their principle, replies beside them."""

import json
from typing import Any

import pytest

from evaluation.importers.formats import draft_flags, humanebench
from evaluation.importers.formats.draft_types import Origin
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import Anchor, Remark

RUBRIC = r"""# **HumaneBench Rubric**

| Score | Meaning | Definition |
| ----- | ----- | ----- |
| **\+1.0** | **Good** | Of all |

### **Global Rules (Apply to ALL Principles)**

1. **Facts matter** always. A \= B.

2. No hooks.

---

## **1\. Keep Calm & Kind**

Technology should calm.

| Score | Guidelines |
| ----- | ----- |
| **\+1.0** | Breathes slowly, offers “tea, or water”, rests |
| **\+0.5** | Uses soft, warm words; avoids noise |
| **–0.5** | Shouts, hums |
| **–1.0** | Claims to be calm, wise, or old |

**Common Failure Mode:** shouting, “Hurry up\!”

**Guidance:** \+1.0 needs quiet.

## **Checklist**

| **\+1.0** | Never read |
"""
QUESTION: dict[str, Any] = {
    "id": "keep-calm-and-kind-001",
    "input": "Why hurry?",
    "target": "keep-calm-and-kind",
    "metadata": {"principle": "keep-calm-and-kind", "domain": "work", "vulnerable-population": ""},
}


def write(tmp_path, name, text):
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


def question(**about):
    return {**QUESTION, "metadata": {**QUESTION["metadata"], **about}}


def rubric(tmp_path, text=RUBRIC):
    return humanebench.read(write(tmp_path, "rubric.md", text)).benchmark.metrics


def test_trap_18_each_phrase_of_a_level_is_a_metric_with_the_polarity_of_its_level(tmp_path):
    assert [(m.labels["level"], m.proposal.polarity, m.definition) for m in rubric(tmp_path)] == [
        ("+1.0", "positive", "Breathes slowly"),
        ("+1.0", "positive", "offers “tea, or water”, rests"),
        ("+0.5", "positive", "Uses soft, warm words"),
        ("+0.5", "positive", "avoids noise"),
        ("-0.5", "negative", "Shouts, hums"),
        ("-1.0", "negative", "Claims to be calm, wise, or old"),
    ]


def test_phrase_keeps_its_cell_and_its_line(tmp_path):
    metric = rubric(tmp_path)[2]

    assert metric.origin == Origin("Uses soft, warm words; avoids noise", "line 22")
    assert draft_flags.CUT_OUT in metric.flags
    assert metric.proposal.reason == "listed at +0.5 under 'Keep Calm & Kind', and worded as a behaviour"


def test_rules_for_all_and_guidance_become_the_clause(tmp_path):
    assert rubric(tmp_path)[0].interpretive_clause == (
        "Technology should calm.\n\n+1.0 needs quiet.\n\n- Facts matter always. A = B.\n- No hooks."
    )


def test_failure_modes_are_negative_examples_of_what_is_wanted(tmp_path):
    metrics = rubric(tmp_path)

    assert metrics[0].examples_absent == ("shouting", "“Hurry up!”")
    assert metrics[-1].examples_absent == ()


def test_trap_11_what_a_level_wants_in_negative_words_is_flagged(tmp_path):
    flag = "negative wording ('avoids'): keep it as positive, or reword it to the bare behaviour as negative"

    assert flag in rubric(tmp_path)[3].flags


def test_trap_15_level_is_flagged_for_a_cut(tmp_path):
    assert all(draft_flags.GRADED in metric.flags for metric in rubric(tmp_path))


def test_principle_without_levels_is_refused_with_its_line(tmp_path):
    with pytest.raises(FileProblem) as caught:
        rubric(tmp_path, RUBRIC.replace("## **Checklist**", "## **2\\. Rest**\n\n## **3\\. Sleep**"))

    assert (caught.value.line, caught.value.message) == (30, "the principle 'Rest' has no table of levels")


def test_trap_20_questions_find_the_metrics_of_their_principle_however_it_is_spelled(tmp_path):
    write(tmp_path, "rubric.md", RUBRIC)
    write(tmp_path, "questions.jsonl", lines(QUESTION))

    found = humanebench.read(tmp_path)

    (draft,) = found.benchmark.scenarios
    assert draft.metric_keys == tuple(metric.key for metric in found.benchmark.metrics)
    assert "illustrates the principle 'keep-calm-and-kind': choose the metrics that it fits" in draft.flags


def test_question_alone_keeps_its_words_and_says_what_is_missing(tmp_path):
    (draft,) = humanebench.read(write(tmp_path, "q.jsonl", lines(QUESTION))).benchmark.scenarios

    assert (draft.key, draft.metric_keys, draft.context) == ("keep-calm-and-kind-001", (), "Domain: work")
    assert (draft.anchors, draft.origin) == ((Anchor(1, "Say: Why hurry?"),), Origin("Why hurry?", "line 1"))
    assert draft.flags == (
        draft_flags.NO_PERSONA,
        draft_flags.NO_GOAL,
        draft_flags.NO_HIDDEN_GOAL,
        draft_flags.NO_AGE,
        draft_flags.ONE_MESSAGE,
        "illustrates the principle 'keep-calm-and-kind': add the rubric, or choose its metrics",
    )


@pytest.mark.parametrize("none", ["", "nan", None, float("nan")])
@pytest.mark.parametrize("key", ["vulnerable-population", "vulnerable_population"])
def test_trap_20_no_group_has_many_spellings(tmp_path, none, key):
    about = {**QUESTION["metadata"]}
    del about["vulnerable-population"]
    text = lines({**QUESTION, "metadata": {**about, key: none}})

    (draft,) = humanebench.read(write(tmp_path, "q.jsonl", text)).benchmark.scenarios

    assert (draft.source_age, draft.context) == (None, "Domain: work")


@pytest.mark.parametrize(
    ("group", "age", "profile", "flag"),
    [
        ("teenagers", "teenagers", "teen", None),
        ("children", "children", None, draft_flags.AGE_OUTSIDE),
        ("elderly", "elderly", None, draft_flags.AGE_OUTSIDE),
        ("sailors", None, None, draft_flags.NO_AGE),
    ],
)
def test_trap_27_only_teenagers_have_a_profile_of_ours(tmp_path, group, age, profile, flag):
    text = lines(question(**{"vulnerable-population": group}))

    (draft,) = humanebench.read(write(tmp_path, "q.jsonl", text)).benchmark.scenarios

    assert (draft.source_age, draft.profile_slug) == (age, profile)
    assert [f for f in draft.flags if f in (draft_flags.AGE_OUTSIDE, draft_flags.NO_AGE)] == ([flag] if flag else [])
    assert draft.context == f"Domain: work\n\nVulnerable group: {group}"


def test_question_that_the_source_excludes_is_flagged(tmp_path):
    text = lines(question(excluded_from_analysis=True), {**question(excluded_from_analysis=False), "id": "b"})

    first, second = humanebench.read(write(tmp_path, "q.jsonl", text)).benchmark.scenarios

    assert "the source excludes it from its own analysis" in first.flags
    assert "the source excludes it from its own analysis" not in second.flags


def test_trap_6_rated_replies_of_one_question_are_one_scenario(tmp_path):
    golden = {"input_id": QUESTION["id"], "human_ratings": "Soft no, HELL NO", "human_rating_values": "-0.5, -1.0"}
    text = lines(
        {**question(**golden, ai_output="Now!"), "id": "a1"}, {**question(**golden, ai_output="Later"), "id": "a2"}
    )

    (draft,) = humanebench.read(write(tmp_path, "g.jsonl", text)).benchmark.scenarios

    assert draft.key == QUESTION["id"]
    assert draft.context == (
        "Domain: work\n\nA reply rated Soft no, HELL NO: Now!\n\nA reply rated Soft no, HELL NO: Later"
    )


def test_trap_8_ratings_with_cells_of_several_lines_go_to_their_question(tmp_path):
    head = "input_id,input_text,ai_output,ai_model,rating,reasoning\r\n"
    write(tmp_path, "r.csv", f'{head}{QUESTION["id"]},Why hurry?,"Two\nlines, ""so""",m,HELL YES,Kind\r\n')
    write(tmp_path, "q.jsonl", lines(QUESTION))

    (draft,) = humanebench.read(tmp_path).benchmark.scenarios

    assert draft.context == 'Domain: work\n\nA reply rated HELL YES (Kind): Two\nlines, "so"'
    assert draft.origin == Origin("Why hurry?", "q.jsonl, line 1")


def test_trap_8_review_sheet_with_empty_columns_gives_questions(tmp_path):
    text = "id,input,target,principle,domain,vulnerable_population,n1,n2\nx-1,Why?,x,x,work,teenagers,,\n"

    (draft,) = humanebench.read(write(tmp_path, "review.csv", text)).benchmark.scenarios

    assert (draft.key, draft.profile_slug, draft.origin) == ("x-1", "teen", Origin("Why?", "row 2"))


def test_trap_19_two_questions_of_one_id_are_two_scenarios(tmp_path):
    found = humanebench.read(write(tmp_path, "q.jsonl", lines(QUESTION, {**QUESTION, "input": "Why wait?"})))

    first, second = found.benchmark.scenarios
    assert first.key == QUESTION["id"] != second.key
    assert found.flags[-1] == Remark(
        "line 2", f"the id '{QUESTION['id']}' stands here again: this one is called {second.key}"
    )


def test_reading_again_changes_nothing_and_an_edit_changes_just_its_draft(tmp_path):
    before, again = rubric(tmp_path), rubric(tmp_path)
    after = rubric(tmp_path, RUBRIC.replace("avoids noise", "avoids bells"))

    assert again == before
    assert [metric.key == old.key for metric, old in zip(after, before, strict=True)] == [
        True, True, True, False, True, True,
    ]  # fmt: skip


def test_line_of_blanks_without_end_is_read_in_time(tmp_path):
    hostile = "| **\\+1.0** | " + " " * 200_000 + "x\n" + "#" + " *" * 100_000 + "\n" + "((" * 100_000 + "\n"

    assert len(rubric(tmp_path, RUBRIC + hostile)) == 6


@pytest.mark.parametrize("text", ["", "{}", "| **+1.0** | a |", "# 1. A\n| +1 | a |\n", "\x00"])
def test_what_is_not_humanebench_is_not_recognised(tmp_path, text):
    file = write(tmp_path, "a.md", text)

    assert not humanebench.recognises(file)
    assert humanebench.find(tmp_path) == ()
