"""Which licences let the source's words be shown to others."""

import pytest

from evaluation.importers.formats.licences import Licence, licence_of


@pytest.mark.parametrize(
    ("stated", "name", "sharing"),
    [
        ("CC0", "CC0-1.0", "yes"),
        ("MIT License", "MIT", "yes"),
        ("apache 2.0", "Apache-2.0", "yes"),
        ("CC BY-SA  4.0", "CC BY-SA 4.0", "yes"),
        ("Creative Commons Attribution 4.0", "Creative Commons Attribution 4.0", "yes"),
        ("CC BY-NC 4.0", "CC BY-NC 4.0", "no"),
        ("cc_by_nc_sa", "cc_by_nc_sa", "no"),
        ("CC BY-ND 4.0", "CC BY-ND 4.0", "no"),
        ("AI2 ImpACT License, low risk", "AI2 ImpACT", "no"),
        ("No licence", "No licence", "no"),
        ("ask us", "ask us", "unknown"),
        ("commit 3", "commit 3", "unknown"),
        (" ", None, "unknown"),
        (None, None, "unknown"),
    ],
)
def test_trap_28_sharing_follows_from_the_licence(stated, name, sharing):
    licence = licence_of(stated)

    assert (licence.name, licence.sharing) == (name, sharing)


def test_reason_is_said_in_words():
    assert licence_of("CC0") == Licence("CC0-1.0", "yes", "CC0-1.0 lets everybody share the text")
