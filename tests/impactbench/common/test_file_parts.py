"""Parts of a file: which one a request asks for, and a file of its own for it."""

import io
from pathlib import Path

import pytest
from django.test import RequestFactory
from waitress.buffers import ReadOnlyFileBasedBuffer

from impactbench.common.file_parts import NotSatisfiable, Part, PartOfFile, asked_part

ETAG = '"abc"'
CONTENT = bytes(range(100))
WHOLE = None
OUTSIDE = "outside"


def asked(value: str | None, *, size: int = 100, method: str = "GET", if_range: str | None = None) -> object:
    headers = {name: text for name, text in (("Range", value), ("If-Range", if_range)) if text is not None}
    try:
        return asked_part(RequestFactory().generic(method, "/", headers=headers), size=size, etag=ETAG)
    except NotSatisfiable:
        return OUTSIDE


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ("bytes=0-0", Part(0, 1, 100)),
        ("bytes=10-19", Part(10, 20, 100)),
        ("BYTES= 10-19 ", Part(10, 20, 100)),
        ("bytes=90-", Part(90, 100, 100)),
        ("bytes=0-99999999999999999999", Part(0, 100, 100)),
        ("bytes=-1", Part(99, 100, 100)),
        ("bytes=-1000", Part(0, 100, 100)),
        ("bytes=100-", OUTSIDE),
        ("bytes=100-200", OUTSIDE),
        ("bytes=-0", OUTSIDE),
        ("bytes=9-0", WHOLE),
        ("bytes=-", WHOLE),
        ("bytes=", WHOLE),
        ("bytes=0-1,5-6", WHOLE),
        ("bytes=a-b", WHOLE),
        ("bytes=--5", WHOLE),
        ("bytes=٣-٤", WHOLE),
        (f"bytes={'9' * 5000}-", WHOLE),
        ("lines=0-1", WHOLE),
        ("", WHOLE),
        (None, WHOLE),
    ],
)  # fmt: skip
def test_asked_part_is_one_range_and_everything_else_is_the_whole(value: str | None, part: object) -> None:
    assert asked(value) == part


def test_asked_part_of_an_empty_file_does_not_exist() -> None:
    assert [asked(value, size=0) for value in ("bytes=0-", "bytes=-5", None)] == [OUTSIDE, OUTSIDE, WHOLE]


def test_asked_part_of_another_file_or_by_another_method_is_the_whole() -> None:
    dated = "Mon, 30 Nov 2026 12:00:00 GMT"

    found = [asked("bytes=0-0", if_range=value) for value in (ETAG, f"W/{ETAG}", '"other"', dated, "")]

    assert found == [Part(0, 1, 100), WHOLE, WHOLE, WHOLE, WHOLE]
    assert asked("bytes=0-0", method="HEAD") is WHOLE


def test_part_of_file_is_a_file_that_ends_where_the_part_ends(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(CONTENT)

    with PartOfFile(place, Part(10, 20, 100)) as file:
        assert file.read(4) + file.read() + file.read() == CONTENT[10:20]
        assert [file.seek(-3, io.SEEK_END), file.tell(), file.read()] == [7, 7, CONTENT[17:20]]
        assert [file.seek(500), file.read(), file.seek(-500, io.SEEK_CUR), file.read(1)] == [10, b"", 0, CONTENT[10:11]]
    assert str(Part(10, 20, 100)) == "bytes 10-19/100"
    assert file.closed


def test_part_of_file_is_sent_by_the_web_server_piece_by_piece(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(CONTENT)
    # What the server makes of it (impactbench.buffered_worker), on the connection's own time.
    with PartOfFile(place, Part(10, 20, 100)) as file:
        sent = ReadOnlyFileBasedBuffer(file)

        assert sent.prepare(10) == 10
        assert [sent.get(4, skip=True) for _ in range(4)] == [CONTENT[10:14], CONTENT[14:18], CONTENT[18:20], b""]
