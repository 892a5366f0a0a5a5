"""Which of our profiles an age of a source lies within."""

import pytest

from evaluation.importers.formats.ages import profile_of_ages


@pytest.mark.parametrize(
    ("stated", "slug"),
    [
        ("13to17", "teen"), ("13-17", "teen"), ("14 \u2013 16", "teen"), ("13", "teen"), ("17", "teen"),
        ("18", "adult"), ("18+", "adult"), ("65", "adult"), ("20 to 30", "adult"),
        ("7to9", None), ("10to12", None), ("6-17", None), ("16 to 20", None), ("13+", None), ("17-13", None),
        ("200", None), ("elderly", None), ("", None),
    ],
)  # fmt: skip
def test_trap_27_profile_only_where_the_age_lies_wholly_within_it(stated, slug):
    profile = profile_of_ages(stated)

    assert (profile.slug if profile else None) == slug
