"""Tokens can be told from other text, and what is kept of them tells nothing."""

from typing import Any

import pytest

from impactbench.accounts.tokens.texts import PATTERN, digest, digests, is_well_formed, new_text


def test_token_has_a_beginning_and_a_checksum() -> None:
    text = new_text()

    assert PATTERN.fullmatch(text)
    assert text.startswith("ib_")
    assert is_well_formed(text)
    assert new_text() != text


def test_one_wrong_character_is_seen_without_asking_anybody() -> None:
    text = new_text()

    for place in (5, 20, len(text) - 1):
        other = "a" if text[place] != "a" else "b"
        assert not is_well_formed(text[:place] + other + text[place + 1 :])


@pytest.mark.parametrize(
    "text", ["", "ib_", "ib_" + "a" * 38, "a" * 41, "ib_" + "é" * 38, "ib_\x00", "ib_" + "1" * 5000]
)
def test_other_text_is_no_token(text: str) -> None:
    assert not is_well_formed(text)


def test_what_is_kept_hangs_on_the_secret_key(settings: Any) -> None:
    text = new_text()
    settings.SECRET_KEY = "first"
    before = digest(text)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "second", ["first"]

    assert digest(text) != before
    assert digests(text) == [digest(text), before]
