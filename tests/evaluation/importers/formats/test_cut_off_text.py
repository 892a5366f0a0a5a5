"""Texts that a limit of the source cut off."""

import pytest

from evaluation.importers.formats.cut_off_text import is_cut_off


@pytest.mark.parametrize(
    ("text", "is_cut"),
    [
        ("It is whole.", False),
        ("Is it whole?”", False),
        ("(It is whole.)", False),
        ("It is \u597d\u7684\u3002", False),
        ("\u5b83\u662f\u5b8c\u6574\u7684\uff0c\u6ca1\u6709\u7f3a\u5c11\u3002", False),
        ("", False),
        ("It is judged by", True),
        ("It is judged by clarity,\u60c5", True),
        ("x" * 19 + ".", True),
    ],
)
def test_trap_21_text_that_was_cut_off_is_seen(text, is_cut):
    assert is_cut_off(text, 20 if text.startswith("x") else None) == is_cut
