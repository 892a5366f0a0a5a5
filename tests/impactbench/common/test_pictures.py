"""Pictures keep what shows them and lose what tells of their maker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impactbench.common.pictures import BrokenPicture, bare_jpeg, bare_png, jpeg_size, png_size
from tests.impactbench.common.pictures import chunk, jpeg, png, segment


def test_sizes_are_read_from_the_headers() -> None:
    assert (png_size(png(width=300, height=20)), jpeg_size(jpeg(width=640, height=480))) == ((300, 20), (640, 480))


@pytest.mark.parametrize("kind", [b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME", b"prVt"])
def test_png_loses_its_texts_and_what_follows_its_end(kind: bytes) -> None:
    written = png(extra=chunk(kind, b"Author\0Ada"), after=b"PK\x03\x04 hidden")

    assert bare_png(written) == png()


def test_png_keeps_its_colours() -> None:
    written = png(extra=chunk(b"gAMA", b"\0\0\xb1\x8f"))

    assert bare_png(written) == written


@pytest.mark.parametrize(
    "extra",
    [
        segment(0xE1, b"Exif\0\0Ada, 52.5 N 13.4 E"),
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x/>"),
        segment(0xED, b"Photoshop 3.0\0Ada"),
        segment(0xE2, b"MPF\0"),
        segment(0xFE, b"made by Ada"),
        b"\xff" + segment(0xFE, b"after padding"),
    ],
)
def test_jpeg_loses_its_texts_and_what_follows_its_end(extra: bytes) -> None:
    assert bare_jpeg(jpeg(extra=extra, after=b"hidden")) == jpeg()


@pytest.mark.parametrize("extra", [segment(0xE2, b"ICC_PROFILE\0\x01\x01x"), segment(0xEE, b"Adobe\0d\0\0\0\0\x01")])
def test_jpeg_keeps_its_colours(extra: bytes) -> None:
    assert bare_jpeg(jpeg(extra=extra)) == jpeg(extra=extra)


@given(st.integers(0, 80), st.booleans())
def test_picture_that_ends_early_is_broken(length: int, is_png: bool) -> None:
    whole = png() if is_png else jpeg()
    length = min(length, len(whole) - 1)

    with pytest.raises(BrokenPicture):
        (bare_png if is_png else bare_jpeg)(whole[:length])


@given(st.binary(max_size=200), st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"]))
def test_any_bytes_are_a_picture_or_broken(content: bytes, start: bytes) -> None:
    for read in (png_size, jpeg_size, bare_png, bare_jpeg):
        try:
            read(start + content)
        except BrokenPicture:
            continue
