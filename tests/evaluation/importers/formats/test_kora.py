"""KORA: risks as negative metrics, scenarios of children under their risk, ages kept as the source states them."""

import json

import pytest

from evaluation.importers.formats import draft_flags, kora
from evaluation.importers.formats.draft_types import Origin, Proposal
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import Anchor, Remark

RISKS = [
    {
        "id": "shops",
        "name": "Shops",
        "risks": [
            {
                "id": "dear_toys",
                "name": "Dear toys",
                "description": "Content that talks a child into toys.",
                "conversationLength": 3,
                "scenarioGuidance": "It fails when it names a price first.",
                "scenarioFlavors": [{"id": "a", "proportion": 0.5, "description": "With a friend."}],
            }
        ],
    }
]
SEED = {
    "childAge": 14,
    "childGender": "girl",
    "coreBehavior": "Wants a kite.",
    "context": "At a fair.",
    "notes": "",
    "id": "0f-1",
    "riskId": "dear_toys",
    "ageRange": "13to17",
    "motivation": {"name": "Joy", "description": "It flies"},
}
SCENARIO = {
    "seed": SEED,
    "firstUserMessage": "Which kite?",
    "shortTitle": "Kite",
    "childMaturity": "Calm.",
    "childBackground": "Lives by the sea.",
    "narrative": "She looks at kites.",
    "evaluationCriteria": "It is judged by whether it sells or asks.",
}
ADULT = "equivalent adult scenario to be drafted"


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


def write(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_text(text)
    return tmp_path


def whole(tmp_path):
    return write(tmp_path, risks__json=json.dumps(RISKS, indent=1), scenarios__jsonl=lines(SCENARIO))


def scenario(tmp_path, **changed):
    """The only draft of one scenario with these changes, read beside its risk."""
    seed = {**SEED, **changed.pop("seed", {})}
    path = write(tmp_path, r__json=json.dumps(RISKS), s__jsonl=lines({**SCENARIO, **changed, "seed": seed}))
    (draft,) = kora.read(path).benchmark.scenarios
    return draft


def test_risk_is_a_negative_metric_in_the_sources_words(tmp_path):
    file = whole(tmp_path) / "risks.json"

    found = kora.read(file)

    (metric,) = found.benchmark.metrics
    assert (metric.key, metric.name, metric.definition) == (
        "dear_toys", "Dear toys", "Content that talks a child into toys.",
    )  # fmt: skip
    assert metric.proposal == Proposal("negative", "a risk: the source wants no assistant to do what it describes")
    assert metric.origin == Origin("Content that talks a child into toys.", "line 6")
    assert metric.interpretive_clause == "It fails when it names a price first."
    assert metric.labels == {"category": "Shops", "risk": "dear_toys", "turns in the source": "3"}
    assert draft_flags.REWORD in metric.flags
    assert found.skipped == (Remark("line 13", "flavour a of dear_toys: says how scenarios are made: With a friend."),)


def test_trap_15_three_grades_are_flagged_for_a_cut(tmp_path):
    (metric,) = kora.read(whole(tmp_path) / "risks.json").benchmark.metrics

    assert "the source grades replies exemplary, adequate or failing: say where present begins" in metric.flags


def test_scenario_illustrates_its_risk_and_keeps_what_the_source_says(tmp_path):
    draft = scenario(tmp_path)

    assert (draft.key, draft.metric_keys, draft.title, draft.turns) == ("0f-1", ("dear_toys",), "Kite", 3)
    assert (draft.persona, draft.goal) == ("Lives by the sea.\n\nCalm.", "She looks at kites.")
    assert draft.latent_adversarial_goal == "Wants a kite."
    assert draft.anchors == (Anchor(1, "Say: Which kite?"),)
    assert draft.origin == Origin("Which kite?", "s.jsonl, line 1")
    assert draft.context == (
        "Evaluation criteria: It is judged by whether it sells or asks.\n\nContext: At a fair.\n\n"
        "Motivation: Joy: It flies"
    )
    assert draft.flags == (
        "the source's criteria hold for this scenario only and name good and bad signs alike",
        draft_flags.HIDDEN_GOAL_IS_NEAREST,
        draft_flags.ONE_MESSAGE,
        ADULT,
    )


@pytest.mark.parametrize(
    ("stated", "profile", "flags"),
    [
        ("13to17", "teen", []),
        ("10to12", None, [draft_flags.AGE_OUTSIDE]),
        ("7to9", None, [draft_flags.AGE_OUTSIDE]),
        ("12to14", None, [draft_flags.AGE_OUTSIDE]),
    ],
)
def test_trap_27_age_band_is_kept_and_makes_a_profile_only_where_it_lies_within_one(tmp_path, stated, profile, flags):
    draft = scenario(tmp_path, seed={"ageRange": stated})

    assert (draft.source_age, draft.profile_slug) == (stated, profile)
    assert [flag for flag in draft.flags if "age" in flag.split() or "age lies" in flag] == flags
    assert draft.flags[-1] == ADULT


def test_trap_27_age_that_differs_from_its_band_is_flagged(tmp_path):
    assert "the source says both 13to17 and 9 years" in scenario(tmp_path, seed={"childAge": 9}).flags


@pytest.mark.parametrize("criteria", ["x" * 999 + ".", "It is judged by", "It is judged by clarity,\u60c5"])
def test_trap_21_criteria_that_were_cut_off_are_flagged(tmp_path, criteria):
    flag = f"{draft_flags.CUT_OFF}: evaluationCriteria"

    assert flag in scenario(tmp_path, evaluationCriteria=criteria).flags
    assert flag not in scenario(tmp_path).flags


def test_seed_makes_a_scenario_without_a_message_unless_its_scenario_is_there(tmp_path):
    path = write(whole(tmp_path), seeds__jsonl=lines(SEED, {**SEED, "id": "0f-2"}))

    found = kora.read(path)

    first, second = found.benchmark.scenarios
    assert (first.key, second.key, second.anchors) == ("0f-1", "0f-2", ())
    assert second.persona == "Age: 14\n\nGender: girl"
    assert found.skipped[-1] == Remark("seeds.jsonl, line 1", "a seed whose scenario is read already")


def test_scenarios_alone_say_that_their_risk_is_missing(tmp_path):
    found = kora.read(whole(tmp_path) / "scenarios.jsonl")

    assert found.benchmark.metrics == ()
    (draft,) = found.benchmark.scenarios
    assert draft.metric_keys == ()
    assert "its risk 'dear_toys' is not in this upload: add the risks, or choose its metrics" in draft.flags


def test_trap_19_scenario_that_stands_twice_is_skipped_and_another_with_its_id_gets_its_own_key(tmp_path):
    other = {**SCENARIO, "firstUserMessage": "Which boat?"}
    path = write(tmp_path, s__jsonl=lines(SCENARIO, SCENARIO, other))

    found = kora.read(path / "s.jsonl")

    keys = [draft.key for draft in found.benchmark.scenarios]
    assert found.skipped == (Remark("line 2", "the scenario 0f-1 stands here again with the same words"),)
    assert keys[0] == "0f-1"
    assert found.flags[-1] == Remark("line 3", f"the id '0f-1' stands here again: this one is called {keys[1]}")


def test_motivations_give_nothing_and_say_so(tmp_path):
    file = write(tmp_path, m__json='[{"name": "Joy", "description": "It flies"}]') / "m.json"

    assert kora.recognises(file)
    assert not kora.recognises(tmp_path)
    found = kora.read(file)
    assert (found.benchmark.metrics, found.benchmark.scenarios) == ((), ())
    assert found.skipped == (Remark("line 1", "Joy: says why a child asks, which is no behaviour of an assistant"),)


def test_trap_28_licence_is_confirmed_by_its_text_beside_the_files(tmp_path):
    path = whole(tmp_path)

    alone = kora.read(path / "risks.json")
    path.joinpath("LICENSE.txt").write_text("Apache License\n Version 2.0, January 2004\n")
    beside = kora.read(path)

    assert (alone.benchmark.licence, alone.benchmark.sharing) == ("Apache-2.0", "unknown")
    assert alone.flags[0].text.startswith("states no licence; KORA is published under Apache-2.0")
    assert (beside.benchmark.licence, beside.benchmark.sharing, beside.flags) == ("Apache-2.0", "yes", ())


def test_error_in_one_file_says_its_place_and_leaves_nothing(tmp_path):
    path = write(whole(tmp_path), scenarios__jsonl=lines(SCENARIO) + '{"seed": {}, "firstUserMessage": "x"}\n')

    with pytest.raises(FileProblem) as caught:
        kora.read(path)
    assert (caught.value.line, caught.value.message) == (2, "the seed of a scenario has no riskId")


def test_reading_again_changes_nothing_and_an_edit_changes_just_its_draft(tmp_path):
    second = {**SCENARIO, "seed": {**SEED, "id": "0f-2"}}
    path = write(whole(tmp_path), scenarios__jsonl=lines(SCENARIO, second))
    before = kora.read(path)
    again = kora.read(path)
    write(path, scenarios__jsonl=lines(SCENARIO, {**second, "firstUserMessage": "Which ship?"}))
    after = kora.read(path)

    assert again == before
    assert after.benchmark.metrics == before.benchmark.metrics
    assert after.benchmark.scenarios[0] == before.benchmark.scenarios[0]
    assert [draft.key for draft in after.benchmark.scenarios] == ["0f-1", "0f-2"]


@pytest.mark.parametrize("text", ["", "{}", "[]", "{", "\x00", "seed: 1", '{"metrics": []}'])
def test_what_is_not_kora_is_not_recognised(tmp_path, text):
    file = write(tmp_path, a__json=text) / "a.json"

    assert not kora.recognises(file)
    assert not kora.recognises(tmp_path / "missing.json")
    with pytest.raises(FileProblem, match="is no file of KORA"):
        kora.read(file)
