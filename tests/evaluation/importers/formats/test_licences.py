"""Which licences let the source's words be shown to others."""

import pytest

from evaluation.importers.formats.licences import Licence, licence_in, licence_of


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


@pytest.mark.parametrize(
    ("text", "name", "sharing"),
    [
        ("Apache License\n     Version 2.0, January 2004", "Apache-2.0", "yes"),
        ("Permission is hereby granted,\nfree of charge, to any person", "MIT", "yes"),
        ("Permission is hereby granted, free of charge. The disclaimer shall also\nbe included",
         "MIT-style, its disclaimer kept with every copy", "yes"),
        ("Attribution-NonCommercial 4.0 International", "CC BY-NC", "no"),
        ("You may read it.", None, "unknown"),
    ],
)  # fmt: skip
def test_trap_28_licence_is_known_by_its_whole_text(text, name, sharing):
    licence = licence_in(text)

    assert (licence.name, licence.sharing) == (name, sharing)
