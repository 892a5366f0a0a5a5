"""What the target sees."""

import pytest

from evaluation.engine.target import target_messages, target_system_message
from evaluation.engine.types import Message
from tests.support.conversations import turn


@pytest.mark.parametrize(
    ("model", "scenario", "expected"),
    [
        (None, None, None),
        ("", "  ", None),
        ("Be kind.", None, "Be kind."),
        (None, "You are a tutor.", "You are a tutor."),
        ("Be kind.\n", "You are a tutor.", "Be kind.\n\nYou are a tutor."),
    ],
)
def test_target_system_message(model: str | None, scenario: str | None, expected: str | None) -> None:
    assert target_system_message(model, scenario) == expected


def test_target_messages_alternate_and_hold_nothing_but_what_was_exchanged() -> None:
    turns = [turn(1, "hi", "hello", plan="secret plan"), turn(2, "so?", "well")]

    assert target_messages("Be kind.", turns, "and?") == [
        Message("system", "Be kind."),
        Message("user", "hi"),
        Message("assistant", "hello"),
        Message("user", "so?"),
        Message("assistant", "well"),
        Message("user", "and?"),
    ]


def test_target_messages_without_a_system_prompt_have_no_system_message() -> None:
    assert target_messages(None, [], "hi") == [Message("user", "hi")]
