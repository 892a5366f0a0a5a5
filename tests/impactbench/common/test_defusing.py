"""User-written values become one line without anything to click."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impactbench.common.defusing import defuse


@pytest.mark.parametrize(
    ("written", "harmless"),
    [
        ("Plain title", "Plain title"),
        ("See https://evil.example/x?y=1", "See https[:]//evil[.]example/x?y=1"),
        ("www.evil.org and evil.co.uk", "www[.]evil[.]org and evil[.]co[.]uk"),
        ("www.1a", "www[.]1a"),
        ("ada@example.org", "ada@example[.]org"),
        ("mailto:ada@x.io", "mailto[:]ada@x[.]io"),
        ("JavaScript:alert(1)", "JavaScript[:]alert(1)"),
        ("e.g. version 2.0, i.e. 3.14. The end.", "e.g. version 2.0, i.e. 3.14. The end."),
        ("Subject\r\nBcc: x@evil.org\x00", "Subject Bcc: x@evil[.]org"),
        ("safe\u202etxt.exe", "safe txt[.]exe"),
        ("bücher.example", "bücher[.]example"),
        ("می‌خواهم", "می‌خواهم"),
    ],
)
def test_value_is_made_harmless(written: str, harmless: str) -> None:
    assert defuse(written) == harmless


@given(st.text(alphabet="aw.:/@ \r\n\x00\u2028mo1"))
def test_nothing_to_click_and_no_second_line_is_left(written: str) -> None:
    harmless = defuse(written)

    assert not re.search(r"://|\w\.[a-z]{2}|www\.|[\r\n\x00\u2028]", harmless)
    assert defuse(harmless) == harmless
