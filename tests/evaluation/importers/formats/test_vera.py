"""VERA-MH: questions of which 'Yes' is bad, the graded rubric before them, personas, and the disclaimer."""

import pytest

from evaluation.importers.formats import draft_flags, vera
from evaluation.importers.formats.draft_types import Origin
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import Anchor, Remark

HEAD = "Question ID\tDimension\tSeverity\tRisk Type\tQuestion\tExamples\tAnswer\tGOTO\r\n"
QUESTIONS = HEAD + (
    "4\tSees\t\t\tDoes the user sneeze?\t\tYes\t5\r\n"
    "\t\t\t\t\t\tNo\tEND\r\n"
    '5\tSees\tRed\t\tDoes the chatbot fail to say "bless you"?\tSay it once.\tYes\t\r\n'
    "\t\t\t\t\t\tNot Relevant\t\r\n"
    "6\tGives\tYelow\tImminent\tDoes the chatbot sell tea?\t\t\t\r\n"
    "7\tGives\tYellow\t\tIf the user sneezes: Does the chatbot fail to ask why?\t\t\t\r\n"
)
GRADES = (
    "Dimension\tDefinition\tBest Practice\tSuboptimal\tHigh Potential for Harm\tNot Relevant \r\n"
    "Sees\tDoes it see?\t- Must look  - Must ask\tLooks late\tAny of the following occurs:  - Looks away   - Laughs\t"
    "No sneeze\r\n"
)
PERSONAS = (
    "Name\tAge\tBackground\tDisclosure of Suicide Risk\tReaction to Chatbot Responses\tCurrent Risk Level"
    "\tSample Prompts\r\n"
    'Ann\t44\tSails "far" away\tLow\tLaughs\tHigh\tI sneeze; "again"\r\n'
    "Bob\t16\tFishes\t\t\t\t\r\n"
    "Cyd\t12\tSwims\tLow\t\t\tHi\r\n"
)
LICENSE = (
    "Permission is hereby granted, free of charge\nThe disclaimer shall also\nbe included\n\nDISCLAIMER: made up\n"
)


def write(tmp_path, name, text):
    file = tmp_path / name
    file.write_bytes(text.encode())
    return file


def questions(tmp_path, text=QUESTIONS):
    return vera.read(write(tmp_path, "rubric.tsv", text))


def test_trap_11_yes_is_the_bad_answer_so_questions_are_negative_in_their_own_words(tmp_path):
    fails, sells, asks = questions(tmp_path).benchmark.metrics

    assert [metric.proposal.polarity for metric in (fails, sells, asks)] == ["negative"] * 3
    assert fails.definition == 'Does the chatbot fail to say "bless you"?'
    assert "double negative ('fail to'): check what the source means" in fails.flags
    assert sells.proposal.reason == (
        "a question of a rubric in which 'Yes' is the bad answer, and worded as a behaviour"
    )


def test_question_after_a_condition_is_judged_by_what_it_asks(tmp_path):
    asks = questions(tmp_path).benchmark.metrics[2]

    assert asks.definition == "If the user sneezes: Does the chatbot fail to ask why?"
    assert "double negative ('fail to'): check what the source means" in asks.flags
    assert "begins with a condition: say in the clause when it applies" in asks.flags


def test_trap_17_branching_questions_are_skipped_with_the_reason(tmp_path):
    assert questions(tmp_path).skipped == (
        Remark(
            "row 2",
            "question 4 has no severity: it chooses which questions follow and judges no behaviour of the chatbot: "
            "Does the user sneeze?",
        ),
    )


def test_trap_14_severity_is_kept_with_its_slip(tmp_path):
    _fails, sells, _asks = questions(tmp_path).benchmark.metrics

    assert sells.labels == {"question": "6", "dimension": "Gives", "severity": "Yelow", "risk type": "Imminent"}
    assert "severity 'Yelow' is none of Red, Yellow: a slip of the source, kept as it is" in sells.flags
    assert sells.interpretive_clause == "Applies where the risk type is: Imminent"


def test_trap_19_ids_that_start_at_four_are_the_keys_and_answers_belong_to_the_question_above(tmp_path):
    fails, *others = questions(tmp_path).benchmark.metrics

    assert [metric.key for metric in (fails, *others)] == ["5", "6", "7"]
    assert (fails.labels["answers"], fails.interpretive_clause) == ("Yes; Not Relevant", "Say it once.")
    assert fails.origin == Origin('Does the chatbot fail to say "bless you"?', "row 4")


def test_answer_without_a_question_is_refused(tmp_path):
    with pytest.raises(FileProblem) as caught:
        questions(tmp_path, HEAD + "\t\t\t\t\t\tNo\tEND\r\n")

    assert (caught.value.line, caught.value.message) == (2, "row 2 is an answer without a question above it")


def test_trap_15_earlier_rubric_gives_its_best_grade_whole_and_its_worst_by_items(tmp_path):
    found = vera.read(write(tmp_path, "rubric.tsv", GRADES))

    assert [(m.proposal.polarity, m.definition) for m in found.benchmark.metrics] == [
        ("positive", "- Must look  - Must ask"),
        ("negative", "Looks away"),
        ("negative", "Laughs"),
    ]
    assert found.benchmark.metrics[1].interpretive_clause == "Does it see?\n\nNot relevant: No sneeze"
    assert all(draft_flags.GRADED in metric.flags for metric in found.benchmark.metrics)
    assert found.skipped == (
        Remark("row 2", "Sees, Suboptimal: a grade between, neither wanted nor unwanted: Looks late"),
    )


def test_persona_is_a_scenario_of_all_metrics_beside_it(tmp_path):
    write(tmp_path, "rubric.tsv", QUESTIONS)
    write(tmp_path, "personas.tsv", PERSONAS)

    ann = vera.read(tmp_path).benchmark.scenarios[0]

    assert (ann.title, ann.metric_keys) == ("Ann", ("5", "6", "7"))
    assert ann.persona == 'Name: Ann\nAge: 44\nBackground: Sails "far" away'
    assert ann.latent_adversarial_goal == "Disclosure of Suicide Risk: Low\nReaction to Chatbot Responses: Laughs"
    assert ann.anchors == (Anchor(1, "Say: I sneeze"), Anchor(2, 'Say: "again"'))
    assert (ann.goal, ann.context) == (None, "Current Risk Level: High")


def test_trap_27_age_of_a_persona_chooses_the_profile(tmp_path):
    found = vera.read(write(tmp_path, "personas.tsv", PERSONAS))

    assert [(draft.source_age, draft.profile_slug) for draft in found.benchmark.scenarios] == [
        ("44", "adult"), ("16", "teen"), ("12", None),
    ]  # fmt: skip
    assert [draft_flags.AGE_OUTSIDE in draft.flags for draft in found.benchmark.scenarios] == [False, False, True]
    assert draft_flags.NO_HIDDEN_GOAL in found.benchmark.scenarios[1].flags


def test_trap_26_disclaimer_must_be_kept_with_every_copy(tmp_path):
    file = write(tmp_path, "rubric.tsv", QUESTIONS)
    write(tmp_path, "LICENSE", LICENSE)

    alone, beside = vera.read(file), vera.read(tmp_path)

    assert (beside.benchmark.must_keep, beside.benchmark.sharing) == ((LICENSE.strip(),), "yes")
    assert (alone.benchmark.must_keep, alone.benchmark.sharing) == ((), "unknown")
    assert alone.flags[1].text.startswith("its licence asks that its notice and its disclaimer go with every copy")


def test_trap_23_template_with_slots_is_refused_and_never_filled(tmp_path):
    file = write(tmp_path, "template.txt", "Be {Name}. You might say: {Sample Prompts}")

    assert (vera.recognises(file), vera.recognises(tmp_path)) == (True, False)
    with pytest.raises(FileProblem, match="upload the personas themselves"):
        vera.read(file)


def test_reading_again_changes_nothing_and_an_edit_changes_just_its_draft(tmp_path):
    before, again = questions(tmp_path), questions(tmp_path)
    after = questions(tmp_path, QUESTIONS.replace("sell tea", "sell soup"))

    assert again == before
    assert [metric.key for metric in after.benchmark.metrics if metric not in before.benchmark.metrics] == ["6"]
