"""Weval blueprints: their four layouts, header, prompts and messages, and what one file gives as a whole."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.importers.formats import weval
from evaluation.importers.formats.draft_keys import key_of_words
from evaluation.importers.formats.draft_types import Origin, ReadDrafts
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import Anchor, Remark, Source

HEADER = "title: Kind shop\nmodels: [CORE]\n"
MISSING = (
    "no persona in the source",
    "no user goal in the source",
    "no latent adversarial goal in the source",
    "no age in the source",
)
ONE_MESSAGE = "one user message in the source: what comes after it is open"


def write(tmp_path: Path, text: str | bytes, name: str = "kind-shop.yml") -> Path:
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def read(tmp_path: Path, text: str | bytes, name: str = "kind-shop.yml") -> ReadDrafts:
    return weval.read(write(tmp_path, text, name))


def definitions(found: ReadDrafts) -> list[str]:
    return [metric.definition for metric in found.benchmark.metrics]


def problem(tmp_path: Path, text: str | bytes, name: str = "kind-shop.yml") -> tuple[int | None, int | None, str]:
    with pytest.raises(FileProblem) as caught:
        read(tmp_path, text, name)
    return caught.value.line, caught.value.column, caught.value.message


FIRST, SECOND = "id: a\n  prompt: Hi\n  should: [Greets]\n", "id: b\n  prompt: Bye\n  should: [Waves]\n"
PROMPTS = f"- {FIRST}- {SECOND}"


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}---\nid: a\nprompt: Hi\nshould: [Greets]\n---\nid: b\nprompt: Bye\nshould: [Waves]\n",
        f"{HEADER}---\n{PROMPTS}",
        f"{HEADER}---\n- {FIRST}---\n- - {SECOND.replace('  ', '    ')}",
        "id: a\nprompt: Hi\nshould: [Greets]\n---\nid: b\nprompt: Bye\nshould: [Waves]\n",
        PROMPTS,
        f"{HEADER}prompts:\n{PROMPTS}",
        f"{HEADER}prompts:\n- {FIRST}---\n- {SECOND.replace('should', 'expect')}",
    ],
    ids=["S1 one each", "S1 list", "S1 several lists", "S2 stream", "S3 list", "S4 prompts", "S4 and more"],
)
def test_trap_1_every_layout_gives_the_same_drafts(tmp_path, text):
    found = read(tmp_path, text)

    assert weval.recognises(tmp_path / "kind-shop.yml")
    assert definitions(found) == ["Greets", "Waves"]
    assert [(scenario.key, scenario.anchors) for scenario in found.benchmark.scenarios] == [
        ("a", (Anchor(1, "Say: Hi"),)), ("b", (Anchor(1, "Say: Bye"),)),
    ]  # fmt: skip
    assert found.skipped == ()


def test_trap_2_dashes_inside_a_text_part_nothing(tmp_path):
    text = f"title: T\nmodels: []\ndescription: |\n  One\n\n  ---\n\n  Two\n---\n{PROMPTS}"

    found = read(tmp_path, text)

    assert found.benchmark.description == "One\n\n---\n\nTwo"
    assert len(found.benchmark.scenarios) == 2


def test_trap_3_invalid_yaml_is_recognised_and_refused_with_its_place(tmp_path):
    text = f"id: x\ntitle: Shops: near and far\nmodels: []\n---\n{PROMPTS}"

    assert weval.recognises(write(tmp_path, text))
    assert problem(tmp_path, text) == (
        2, 13, "is not valid YAML: mapping values are not allowed in this context",
    )  # fmt: skip


def test_trap_3_second_document_that_is_invalid_leaves_nothing_of_the_first(tmp_path):
    text = f"{HEADER}---\n{PROMPTS}---\n- id: c\n  prompt: 'it's'\n"

    assert problem(tmp_path, text)[:2] == (12, 15)


def test_trap_4_documents_and_prompts_without_a_value_are_dropped(tmp_path):
    found = read(tmp_path, f"---\n---\n{HEADER}---\n---\n{PROMPTS}- \n- null\n---\n")

    assert len(found.benchmark.scenarios) == 2


@pytest.mark.parametrize(
    ("text", "name"), [("{}", "a.json"), ("", "a.yml"), (HEADER, "a.yml"), ("# x\n---\n", "a.yml")]
)
def test_trap_4_file_without_a_prompt_gives_no_metric_and_says_so(tmp_path, text, name):
    found = read(tmp_path, text, name)

    assert (found.benchmark.metrics, found.benchmark.scenarios) == ((), ())
    assert found.flags[-1] == Remark("file", "holds no prompt, so it gives no metric")


def test_trap_4_prompts_without_points_make_no_scenario_and_the_file_says_so(tmp_path):
    found = read(tmp_path, f"{HEADER}---\n- id: a\n  prompt: Hi\n- prompt: Draw\n  should: [$is_json: null]\n")

    drawing = f"prompt {key_of_words('Draw')}"
    assert found.skipped == (
        Remark("line 4, prompt a", "has no points, so it is a scenario of no metric"),
        Remark(f"line 7, {drawing}", "a check by the function $is_json: no behaviour that a judge could read"),
        Remark(f"line 6, {drawing}", "has no point that a judge could read, so it is a scenario of no metric"),
    )
    assert found.flags[-1] == Remark(
        "file", "gives no metric: of 2 prompts read, none of 1 points is a behaviour to judge"
    )


def test_trap_5_words_of_yaml_1_1_stay_words(tmp_path):
    text = f"{HEADER}---\n- id: 012\n  prompt: yes\n  should:\n  - no\n  - 12:30\n  - 012\n  - on: a source of mine\n"

    found = read(tmp_path, text)

    assert definitions(found) == ["no", "12:30", "012", "on"]
    assert found.benchmark.scenarios[0].key == "012"
    assert found.benchmark.scenarios[0].anchors == (Anchor(1, "Say: yes"),)


def test_trap_9_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path):
    plain = f"{HEADER}---\n{PROMPTS}"
    windows = b"\xef\xbb\xbf" + plain.replace("\n", "\r\n").encode()

    assert read(tmp_path, windows) == read(tmp_path, plain)


def test_trap_20_all_spellings_of_keys_are_taken(tmp_path):
    found = read(
        tmp_path,
        json.dumps(
            {
                "configId": "old",
                "configTitle": "Old shop",
                "systemPrompt": "You sell.",
                "citations": ["A. Nobody", {"name": "A page", "url": "https://example.org/p"}],
                "author": {"name": "Ada"},
                "prompts": [
                    {"id": 7, "promptText": "Hi", "idealResponse": "Hello!", "points": ["Greets"]},
                    {"promptText": "Hm", "should": [], "expectations": ["Waits"], "multiplier": 2, "reference": "B"},
                ],
            }
        ),
        "old.json",
    )

    benchmark = found.benchmark
    assert (benchmark.slug, benchmark.name, benchmark.contributors) == ("old", "Old shop", ("Ada",))
    assert benchmark.sources == (Source("A. Nobody"), Source("A page", "https://example.org/p"))
    assert [(metric.definition, metric.labels["listed under"]) for metric in benchmark.metrics] == [
        ("Greets", "points"), ("Waits", "expectations"),
    ]  # fmt: skip
    first, second = benchmark.scenarios
    assert (first.key, first.title, first.target_system_prompt, first.context) == (
        "7", "7", "You sell.", "Ideal answer: Hello!",
    )  # fmt: skip
    assert second.context == "Citation: B\n\nWeight of the prompt: 2"


def test_header_says_what_was_not_taken_over(tmp_path):
    found = read(tmp_path, f"{HEADER}tags: [shops, _compass:kind]\ntemperatures: [0.5]\n---\n{PROMPTS}")

    assert found.flags == (
        Remark("file", "no licence in the source: say which one it has before its words are shown to others"),
        Remark("header", "tags of the source: shops, _compass:kind"),
        Remark("header", "its tags say that it describes models: not every point need be wanted"),
        Remark("header", "not taken over, and nothing of it was run or fetched: models, temperatures"),
    )


def test_file_without_a_header_is_called_after_itself(tmp_path):
    found = read(tmp_path, PROMPTS, "Kind & Co.yaml")

    assert (found.benchmark.slug, found.benchmark.name) == ("kind-co", "Kind & Co")
    assert (
        found.flags[1].text == "has no header: its name is made from the file's name, its description is to be written"
    )


def test_ideal_answer_is_an_example_of_what_is_wanted_and_of_what_is_not_done(tmp_path):
    found = read(
        tmp_path, f"{HEADER}---\nprompt: Hi\nideal: Hello!\nshould: [Greets, May wave]\nshould_not: [Shouts]\n"
    )

    assert [
        (metric.proposal.polarity, metric.examples_present, metric.examples_absent)
        for metric in found.benchmark.metrics
    ] == [("positive", ("Hello!",), ()), (None, (), ()), ("negative", (), ("Hello!",))]
    assert found.benchmark.metrics[0].flags == (
        "the example is the source's ideal answer: check that it shows just this behaviour",
    )


def test_messages_of_both_spellings_become_anchors_and_fixed_replies_context(tmp_path):
    text = f"""{HEADER}---
id: long
description: A return.
prompt: ignored
messages:
- system: You sell shoes.
- user: Hi
- role: ai
  content: Hello.
- role: user
  content: I want to return them.
- assistant: null
- human: Today.
should: [Asks why]
"""
    (scenario,) = read(tmp_path, text).benchmark.scenarios

    assert scenario.anchors == (
        Anchor(1, "Say: Hi"),
        Anchor(2, "Say: I want to return them."),
        Anchor(3, "Say: Today."),
    )
    assert (scenario.turns, scenario.target_system_prompt) == (3, "You sell shoes.")
    assert scenario.context == "Description: A return.\n\nFixed reply after user message 1: Hello."
    assert scenario.flags == (
        *MISSING, "fixed replies of the source cannot be replayed: they are kept as context",
    )  # fmt: skip
    assert scenario.origin == Origin(
        "system: You sell shoes.\n\nuser: Hi\n\nassistant: Hello.\n\nuser: I want to return them.\n\n"
        "assistant: (the tested model replies)\n\nuser: Today.",
        "line 4",
    )


@pytest.mark.parametrize(
    ("message", "problem_text"),
    [
        ("robot: Hi",
         "a message of prompt m has the role 'robot'; it must be one of user, human, assistant, ai, system"),
        ("user: null", "a message of prompt m says nothing: only a reply of the assistant may be null"),
        ("{user: Hi, assistant: Ho}",
         "a message of prompt m must be role and content, or one of user, human, assistant, ai, system with its text"),
        ("just text", "a message of prompt m must be a mapping of keys to values"),
    ],
)  # fmt: skip
def test_message_that_is_built_wrongly_is_refused(tmp_path, message, problem_text):
    line, _column, said = problem(tmp_path, f"{HEADER}---\nid: m\nmessages:\n- {message}\nshould: [Greets]\n")

    assert (line, said) == (6, problem_text)


def test_several_system_prompts_are_left_to_a_person(tmp_path):
    found = read(tmp_path, f"{HEADER}system: [null, Be brief.]\n---\n{PROMPTS}  system: Be kind.\n")

    assert [flag for flag in found.flags if flag.text.startswith("system")] == [
        Remark("line 3", "system prompt 1 of 2, of which none was chosen: none (the model as it is)"),
        Remark("line 3", "system prompt 2 of 2, of which none was chosen: Be brief."),
    ]
    first, second = found.benchmark.scenarios
    assert (first.target_system_prompt, first.flags[-1]) == (None, "2 system prompts in the source: choose one")
    assert (second.target_system_prompt, second.flags[-1]) == ("Be kind.", ONE_MESSAGE)


@pytest.mark.parametrize(
    ("system", "expected"), [("Be brief.", "Be brief."), ("[null]", None), ("[Be brief.]", "Be brief."), ("null", None)]
)
def test_one_system_prompt_is_that_of_every_scenario(tmp_path, system, expected):
    found = read(tmp_path, f"{HEADER}system: {system}\n---\n{PROMPTS}")

    assert [scenario.target_system_prompt for scenario in found.benchmark.scenarios] == [expected, expected]


def test_list_of_system_prompts_in_a_prompt_is_refused(tmp_path):
    assert problem(tmp_path, f"{HEADER}---\nid: a\nprompt: Hi\nsystem: [x]\nshould: [Greets]\n") == (
        6, 9, "system must be text in prompt a",
    )  # fmt: skip


def test_trap_19_prompts_that_share_an_id_are_told_apart_by_their_words(tmp_path):
    text = f"{HEADER}---\n- {{id: a, prompt: Hi, should: [Greets]}}\n- {{id: a, prompt: Bye, should: [Waves]}}\n"
    before = "- {id: z, prompt: Zzz, should: [Snores]}\n"

    found = read(tmp_path, text)
    moved = read(tmp_path, text.replace("---\n", f"---\n{before}"))

    keys = [scenario.key for scenario in found.benchmark.scenarios]
    assert (keys[0], keys[1][:4]) == ("a", "bye-")
    assert [scenario.key for scenario in moved.benchmark.scenarios] == ["z", *keys]
    assert found.flags[-1] == Remark("line 5, prompt a", f"the id 'a' stands here again: this one is called {keys[1]}")


def test_trap_19_criterion_of_several_prompts_is_one_metric_with_their_scenarios(tmp_path):
    text = f"{HEADER}---\n- {{id: a, prompt: Hi, should: [Is kind.]}}\n- {{id: b, prompt: Ho, should: [is kind]}}\n"

    found = read(tmp_path, text)

    (metric,) = found.benchmark.metrics
    assert (metric.definition, metric.labels["occurrences"], metric.labels["also at"]) == ("Is kind.", "2", "line 5")
    assert [scenario.metric_keys for scenario in found.benchmark.scenarios] == [(metric.key,), (metric.key,)]


def test_trap_22_other_scripts_and_emoji_are_kept(tmp_path):
    found = read(tmp_path, f"{HEADER}---\nprompt: مرحبا\nshould:\n- يرد التحية\n- 👋 “Waves”\n")

    assert definitions(found) == ["يرد التحية", "👋 “Waves”"]
    assert found.benchmark.scenarios[0].anchors == (Anchor(1, "Say: مرحبا"),)


def test_trap_23_markup_and_templates_are_words(tmp_path):
    words = "<svg onload=x> {{name}} ${HOME} {response} **bold** {0}"

    found = read(tmp_path, f"{HEADER}---\nprompt: '{words}'\nshould: ['{words}']\n")

    assert definitions(found) == [words]
    assert found.benchmark.scenarios[0].origin.text == words


def test_trap_24_long_histories_and_texts_are_kept_and_flagged(tmp_path):
    messages = "".join(f"- user: message {n}\n- assistant: null\n" for n in range(1, 61))
    criterion = "Is kind " * 500

    found = read(tmp_path, f"{HEADER}---\nmessages:\n{messages}should: ['{criterion}']\n")

    (scenario,), (metric,) = found.benchmark.scenarios, found.benchmark.metrics
    assert (len(scenario.anchors), scenario.turns) == (60, None)
    assert scenario.flags[-1] == "more user messages than a conversation can have turns: choose some"
    assert (metric.definition, len(metric.name) <= 120, len(metric.key) <= 64) == (criterion.strip(), True, True)


def test_trap_24_alias_bomb_is_refused(tmp_path):
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 9)]

    assert problem(tmp_path, f"{HEADER}l0: &l0 [x]\n{''.join(levels)}---\n{PROMPTS}")[2].startswith("uses more than 50")


def test_trap_24_aliases_in_moderation_are_read(tmp_path):
    text = f"{HEADER}---\n- {{id: a, prompt: Hi, should: &kind [Is kind]}}\n- {{id: b, prompt: Ho, should: *kind}}\n"

    found = read(tmp_path, text)

    assert (definitions(found), len(found.benchmark.scenarios)) == (["Is kind"], 2)


def test_trap_25_nothing_of_services_or_scripts_is_taken_over(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_TEST", "seen")
    text = f"""{HEADER}externalServices:
  shop: {{url: "https://example.org/${{SECRET_OF_THE_TEST}}", headers: {{X: "${{SECRET_OF_THE_TEST}}"}}}}
---
id: a
prompt: Hi
should:
- $call: {{service: shop}}
- $js: "require('fs')"
- Greets
"""
    found = read(tmp_path, text)

    assert "seen" not in str(found)
    assert definitions(found) == ["Greets"]
    assert [remark.place for remark in found.skipped] == ["line 9, prompt a", "line 10, prompt a"]


def test_trap_26_hard_subjects_propose_a_notice(tmp_path):
    assert read(tmp_path, f"{HEADER}---\nprompt: Suicide\nshould: [Is kind]\n").benchmark.content_notices == (
        "self-harm and suicide",
    )


def test_trap_27_what_a_source_lacks_is_missing_and_flagged(tmp_path):
    scenario = read(tmp_path, f"{HEADER}---\n{PROMPTS}").benchmark.scenarios[0]

    assert scenario == replace(
        scenario, persona=None, goal=None, latent_adversarial_goal=None, profile_slug=None, source_age=None, turns=None
    )
    assert scenario.flags == (*MISSING, ONE_MESSAGE)


def test_trap_28_blueprint_has_no_licence_and_is_not_shared(tmp_path):
    benchmark = read(tmp_path, PROMPTS).benchmark

    assert (benchmark.licence, benchmark.sharing) == (None, "unknown")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("just words", "a prompt must be a mapping of keys to values"),
        (f"{HEADER}---\n- a\n", "a prompt must be a mapping of keys to values"),
        (f"{HEADER}---\nid: a\nprompt: Hi\nshould: Greets\n", "should must be a list in prompt a"),
        (f"{HEADER}---\nprompt: Hi\nprompt: Ho\n", "the key 'prompt' stands here twice"),
        (f"{HEADER}prompts: 3\n", "prompts must be a list in the header"),
        (b"title: K\xe4se\n", "is not UTF-8 text; save it as UTF-8"),
        (b"PK\x03\x04\x00\x00", "is a zip archive; unpack it and take the file inside"),
    ],
)
def test_file_that_is_built_wrongly_is_refused(tmp_path, text, message):
    assert problem(tmp_path, text)[2] == message


def test_same_file_twice_gives_equal_drafts(tmp_path):
    text = f"{HEADER}---\n{PROMPTS}"

    assert read(tmp_path, text) == read(tmp_path, text)


def test_edited_file_changes_the_drafts_whose_words_changed_and_no_other(tmp_path):
    text = f"{HEADER}---\n{PROMPTS}"

    before = read(tmp_path, text).benchmark
    after = read(tmp_path, text.replace("Greets", "Greets warmly")).benchmark

    assert [old == new for old, new in zip(before.metrics, after.metrics, strict=True)] == [False, True]
    assert [old == new for old, new in zip(before.scenarios, after.scenarios, strict=True)] == [False, True]
