"""Turns and verdicts out of what sources write."""

import pytest

from evaluation.importers.formats.result_types import ResultTurn
from evaluation.importers.formats.transcripts import clean, paired_turns, presence
from tests.support.first_edition import messages


@pytest.mark.parametrize(
    ("roles", "pairs", "flags"),
    [
        ("uaua", [("u1", "a2"), ("u3", "a4")], ()),
        ("uau", [("u1", "a2"), ("u3", None)], ("a user message has no reply",)),
        ("uua", [("u1", None), ("u2", "a3")], ("a user message has no reply",)),
        ("aua", [(None, "a1"), ("u2", "a3")], ("a reply has no user message before it",)),
        ("sua", [("u2", "a3")], ("a message of role 'system' is left out",)),
        ("", [], ()),
    ],
)
def test_messages_become_turns(roles, pairs, flags):
    turns, said = paired_turns(messages(roles))

    assert turns == tuple(ResultTurn(n, user, target) for n, (user, target) in enumerate(pairs, start=1))
    assert said == flags


def test_broken_messages_do_not_crash():
    turns, flags = paired_turns(
        [None, {"role": 3, "content": 4}, {"role": "user"}, {"role": "assistant", "content": None}]
    )

    assert turns == (ResultTurn(1, "", ""),)
    assert flags == ("a message of role 'unknown' is left out",)


def test_unusable_characters_are_replaced():
    assert clean("a\x00b\ud800") == "a\ufffdb\ufffd"


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("yes", (True, None)),
        ("No", (False, None)),
        ("fail", (None, "fail")),
        ("", (None, "no-verdict")),
        (None, (None, "no-verdict")),
        (True, (None, "no-verdict")),
    ],
)
def test_verdict_words(word, verdict):
    assert presence(word) == verdict
