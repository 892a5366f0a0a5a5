"""File names of people become harmless and stay recognisable."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impactbench.common.file_names import LONGEST, extension, safe_name


@pytest.mark.parametrize(
    ("written", "safe"),
    [
        ("Consent form.pdf", "Consent-form.pdf"),
        ("photo.JPG", "photo.JPG"),
        ("fig.1.final.png", "fig.1.final.png"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.csv", "boot.csv"),
        ("...png", "file.png"),
        (".htaccess", "file.htaccess"),
        ("", "file"),
        ("...", "file"),
        ("con.txt", "file-con.txt"),
        ("naïve_日本語.pdf", "naïve_日本語.pdf"),
        ("inno\u202efdp.exe", "innofdp.exe"),
        ('a"b\r\nSet-Cookie: x.txt', "a-b-Set-Cookie-x.txt"),
        ("nul\x00byte.txt", "nulbyte.txt"),
        ("e\u0301.txt", "é.txt"),
        ("=cmd|' /C calc'!A0.csv", "C-calc-!A0.csv"),
    ],
)
def test_name_is_made_safe(written: str, safe: str) -> None:
    assert safe_name(written) == safe


def test_long_name_keeps_its_extension() -> None:
    name = safe_name("x" * 300 + ".pdf")

    assert (len(name), extension(name)) == (LONGEST, "pdf")


@given(st.text(max_size=400))
def test_any_name_becomes_one_harmless_part(written: str) -> None:
    name = safe_name(written)

    assert 0 < len(name) <= LONGEST
    assert not set(name) & set('/\\<>:"|?*;% \r\n\0')
    assert not name.startswith(".")
    assert all(unicodedata.category(char)[0] != "C" for char in name)
    name.encode("utf-8")
