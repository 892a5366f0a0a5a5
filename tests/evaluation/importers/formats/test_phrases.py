"""Splitting a cell into phrases without cutting quotes, brackets or enumerations."""

import pytest

from evaluation.importers.formats.phrases import split_phrases


@pytest.mark.parametrize(
    ("cell", "phrases"),
    [
        ("Warns, offers help", ["Warns", "offers help"]),
        ("Warns of fire, flood", ["Warns of fire, flood"]),
        ("Uses soft, warm words; avoids noise", ["Uses soft, warm words", "avoids noise"]),
        ("Sells tea, soup, or other goods", ["Sells tea, soup, or other goods"]),
        ("Says “now, or never”, then rests a while", ["Says “now, or never”", "then rests a while"]),
        ("Says “go, go” loudly, then rests", ["Says “go, go” loudly", "then rests"]),
        ('Says "go; go" loudly; then rests', ['Says "go; go" loudly', "then rests"]),
        ("Sells (tea, hot soup) here, then rests", ["Sells (tea, hot soup) here", "then rests"]),
        ("Sells (tea, then rests", ["Sells (tea", "then rests"]),
        ("", []),
        (" , ;", []),
    ],
)
def test_trap_18_cell_is_split_into_phrases(cell, phrases):
    assert split_phrases(cell) == phrases
