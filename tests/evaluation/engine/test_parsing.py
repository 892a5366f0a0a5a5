"""Replies of simulators and judges, well-formed and otherwise."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.engine.parsing import (
    ReplyError,
    SimulatorReply,
    clean_text,
    find_object,
    parse_simulator_reply,
    visible_reply,
    without_reasoning,
)

VERDICT = {"present": True, "justification": "It asks."}
KEYS = frozenset(VERDICT)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(VERDICT),
        f"```json\n{json.dumps(VERDICT)}\n```",
        f"<think>maybe {{}} or {{'present': false}}</think>{json.dumps(VERDICT)}",
        f'I ponder {{"present": false, "justification": "draft"}}</think>\n{json.dumps(VERDICT)}',
        f'<think>```json\n{{"present": false, "justification": "draft"}}\n```</think>\n```\n{json.dumps(VERDICT)}\n```',
        f"Here is my verdict:\n```json\n{json.dumps(VERDICT)}\n```\nThank you.",
        f'{{"note": 1}} and then {json.dumps(VERDICT)}',
        f'{{"verdict": {json.dumps(VERDICT)}}}',
    ],
)
def test_find_object_in_every_known_wrapping(text: str) -> None:
    assert find_object(text, KEYS) == VERDICT


def test_find_object_leaves_backticks_and_tags_inside_valid_json_alone() -> None:
    value = {"present": False, "justification": "It wrote ```python\nx\n``` and </think> and <think>."}

    assert find_object(json.dumps(value), KEYS) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no complete JSON object in the reply"),
        ("PRESENT: yes", "there is no complete JSON object in the reply"),
        ('{"present": true, "justifi', "there is no complete JSON object in the reply"),
        ('<think>{"present": true, "justification": "draft"}', "there is no complete JSON object in the reply"),
        ('{"present": true}', "the JSON object lacks one of the keys justification, present"),
        ("[" * 100_000, "there is no complete JSON object in the reply"),
        ('{"a":' * 3_000, "there is no complete JSON object in the reply"),
    ],
)
def test_find_object_says_what_is_missing(text: str, message: str) -> None:
    with pytest.raises(ReplyError) as caught:
        find_object(text, KEYS)

    assert str(caught.value) == message


def test_find_object_takes_no_quotation_for_the_answer() -> None:
    other = json.dumps({**VERDICT, "present": False})
    text = f"The assistant told me to say {json.dumps(VERDICT)}. My verdict: {other}"

    with pytest.raises(ReplyError, match='several JSON objects that differ in "present"; give your own one alone'):
        find_object(text, KEYS, deciding="present")
    assert find_object(f"{other} Once more: {other}", KEYS, deciding="present")["present"] is False


def test_find_object_cleans_strings_that_cannot_be_stored() -> None:
    found = find_object('{"present": true, "justification": "a\\ud800b\\u0000c"}', KEYS)

    assert found == {"present": True, "justification": "a\ufffdbc"}


def test_clean_text_keeps_everything_but_nul_and_lone_surrogates() -> None:
    assert clean_text("ä\0\ud83d x 😀\n") == "ä\ufffd x 😀\n"


@given(st.text(alphabet=st.characters(), max_size=200))
def test_clean_text_can_always_be_stored(text: str) -> None:
    assert "\0" not in clean_text(text)
    clean_text(text).encode("utf-8")


@given(st.text(max_size=300))
def test_parse_simulator_reply_takes_anything(text: str) -> None:
    reply = parse_simulator_reply(text)

    assert isinstance(reply, SimulatorReply)


@pytest.mark.parametrize(
    ("text", "thought", "message"),
    [
        ("Thought: press on\nMessage: just pick one", "press on", "just pick one"),
        ("**Thought:** press\non\n\n**Message:** just\npick one", "press\non", "just\npick one"),
        ("thought: a\nmessage: b", "a", "b"),
        ("Message: only this", "", "only this"),
        ("no marker at all", "", "no marker at all"),
        ('Thought: a\nMessage: "hey there"', "a", "hey there"),
        ('Thought: a\nMessage: "hey" and "there"', "a", '"hey" and "there"'),
        ('{"thought": "a", "message": "b"}', "a", "b"),
        ('```json\n{"thought": "a", "message": "b"}\n```', "a", "b"),
        ('{"message": "b"}', "", "b"),
        ('Thought: a\nMessage: the file says {"message": "x"}', "a", 'the file says {"message": "x"}'),
        ("<think>hidden</think>Thought: a\nMessage: b", "a", "b"),
        ("hidden</think>b", "", "b"),
        ("Thought: only a plan", "only a plan", ""),
        ('{"thought": "a", "mess', "", ""),
        ('{"thought": "a", "message": null}', "a", ""),
        ("", "", ""),
    ],
)
def test_parse_simulator_reply_without_end(text: str, thought: str, message: str) -> None:
    assert parse_simulator_reply(text) == SimulatorReply(thought, message, ends=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[END]", ""),
        ("Thought: done\nMessage: [END]", ""),
        ("Thought: done\nMessage: thanks, bye\n[END]", "thanks, bye"),
        ("Thought: done\nMessage: thanks, bye [END].", "thanks, bye"),
        ('{"thought": "done", "message": "[END]"}', ""),
        ("Thought: done\n[END]", ""),
    ],
)
def test_parse_simulator_reply_with_end(text: str, message: str) -> None:
    reply = parse_simulator_reply(text)

    assert (reply.ends, reply.message) == (True, message)


def test_parse_simulator_reply_with_end_in_the_middle_goes_on() -> None:
    assert parse_simulator_reply("Message: what does [END] mean here?").ends is False


def test_without_reasoning_drops_an_unclosed_block() -> None:
    assert without_reasoning("a<think>b</think>c<think>d") == "ac"


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("<think>plan</think>\nHello", "Hello"),
        ("plan</think>Hello", "Hello"),
        ("<think>plan without an end", ""),
        ("Use the <think> tag, then </think>.", "Use the <think> tag, then </think>."),
    ],
)
def test_visible_reply(text: str, visible: str) -> None:
    assert visible_reply(text) == visible
