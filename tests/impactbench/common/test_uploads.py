"""Sent files: name and content agree, limits hold, and every refusal says what to do."""

import hashlib
import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from impactbench.common.uploads import AUTHOR_WARNING, MOST_MB, UploadRefused, check_upload, check_uploads
from tests.impactbench.common.pictures import chunk, jpeg, png, segment

PDF = b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n"


def _upload(name: str, content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def _archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "content_type"),
    [
        ("a.pdf", PDF, "application/pdf"),
        ("a.PNG", png(), "image/png"),
        ("a.jpg", jpeg(), "image/jpeg"),
        ("a.jpeg", jpeg(), "image/jpeg"),
        ("a.txt", "Grüße, 你好\r\n\tx".encode(), "text/plain"),
        ("a.csv", b"\xef\xbb\xbfa;b\n1;2\n", "text/csv"),
    ],
)
def test_allowed_file_is_taken(name: str, content: bytes, content_type: str) -> None:
    checked = check_upload(_upload(name, content))

    assert (checked.name, checked.content_type, checked.size, checked.warnings) == (
        name,
        content_type,
        len(content),
        (),
    )
    assert checked.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.exe", b"MZ", "This kind of file is not taken."),
        ("page.html", b"<script>alert(1)</script>", "This kind of file is not taken."),
        ("drawing.svg", b"<svg/>", "This kind of file is not taken."),
        ("noending", b"x", "This kind of file is not taken."),
        ("a.zip", _archive(), "Archives and office files are not taken."),
        ("a.docx", _archive(), "Archives and office files are not taken."),
        ("a.pdf", _archive(), "Archives and office files are not taken."),
        ("a.txt", b"\x1f\x8b\x08\x00", "Archives and office files are not taken."),
        ("a.csv", b"x" * 257 + b"ustar\x0000", "Archives and office files are not taken."),
        ("a.pdf", PDF + _archive(), "The file's name says PDF, but its content is something else."),
        ("a.pdf", b"<html>", "The file's name says PDF, but its content is something else."),
        ("a.png", jpeg(), "The file's name says PNG, but its content is something else."),
        ("a.jpg", b"\xff\xd8\xff\xe0<script>", "The file's name says JPEG, but its content is something else."),
        ("a.txt", b"a\x00b", "The file's name says plain text, but its content is something else."),
        ("a.txt", b"a\x1b[2J", "The file's name says plain text, but its content is something else."),
        ("a.csv", "Grüße".encode("latin-1"), "The text is not in UTF-8."),
        ("a.txt", "x".encode("utf-16"), "The text is not in UTF-8."),
        ("a.txt", b"", "The file is empty."),
        ("a.png", png(width=10_000, height=6_000), "The picture has 60 million pixels, 50 million are allowed."),
        ("a.png", png(width=2**31, height=2**31), "The picture has 4611686018428 million pixels"),
        ("a.png", png(width=0), "The file's name says PNG, but its content is something else."),
        ("a.jpg", jpeg(width=60_000, height=60_000), "The picture has 3600 million pixels"),
        ("a.png", png()[:-4], "The picture is damaged."),
        ("a.jpg", jpeg()[:-2], "The picture is damaged."),
    ],
)
def test_other_file_is_refused_and_says_why(name: str, content: bytes, reason: str) -> None:
    with pytest.raises(UploadRefused) as refused:
        check_upload(_upload(name, content))

    assert str(refused.value).startswith(reason)
    assert str(refused.value).endswith(" All else on this page is saved.")


def test_large_file_is_refused_before_it_is_read() -> None:
    uploaded = _upload("a.pdf", PDF)
    uploaded.size = 31 * 1024 * 1024

    with pytest.raises(UploadRefused) as refused:
        check_upload(uploaded)

    assert str(refused.value) == "The file is 31 MB, 20 MB are allowed. All else on this page is saved."


def test_file_that_hides_its_size_is_refused_too() -> None:
    uploaded = _upload("a.txt", b"x" * (MOST_MB * 1024 * 1024 + 1))
    uploaded.size = 10

    with pytest.raises(UploadRefused, match="larger than 20 MB"):
        check_upload(uploaded)


def test_file_of_exactly_the_limit_is_taken() -> None:
    assert check_upload(_upload("a.txt", b"x" * (MOST_MB * 1024 * 1024))).size == MOST_MB * 1024 * 1024


def test_picture_is_kept_without_its_hidden_texts() -> None:
    as_png = check_upload(_upload("a.png", png(extra=chunk(b"tEXt", b"Author\0Ada"))))
    as_jpeg = check_upload(_upload("a.jpg", jpeg(extra=segment(0xE1, b"Exif\0\0Ada"))))

    assert (as_png.content, as_jpeg.content) == (png(), jpeg())
    assert as_png.sha256 == hashlib.sha256(png()).hexdigest()


@pytest.mark.parametrize(
    "author", [b"/Author (Ada)", b"/Author(Ada)", b"/Author <FEFF0041>", b"/Author 12 0 R", b"<dc:creator>"]
)
def test_pdf_that_names_its_author_is_taken_with_a_warning(author: bytes) -> None:
    assert check_upload(_upload("a.pdf", PDF + author)).warnings == (AUTHOR_WARNING,)


@pytest.mark.parametrize("author", [b"/Author ()", b"/Author ( )", b"/Author <>", b"/Authority (x)"])
def test_pdf_with_an_empty_author_is_not_warned_of(author: bytes) -> None:
    assert check_upload(_upload("a.pdf", PDF + author)).warnings == ()


def test_sixth_file_is_refused() -> None:
    uploads = [_upload(f"{number}.txt", b"x") for number in range(3)]

    assert len(check_uploads(uploads, n_before=2)) == 3
    with pytest.raises(UploadRefused, match="These are 6 files, 5 are allowed"):
        check_uploads(uploads, n_before=3)


def scanner_that_finds_x(content: bytes) -> bool:
    """The scanner of the test below."""
    return b"x" not in content


def scanner_that_is_away(content: bytes) -> bool:
    """Another one."""
    raise ConnectionError


def test_scanner_decides(settings: Any) -> None:
    settings.UPLOAD_SCANNER = f"{__name__}.scanner_that_finds_x"

    assert check_upload(_upload("a.txt", b"abc")).size == 3
    with pytest.raises(UploadRefused, match="harmful"):
        check_upload(_upload("a.txt", b"xyz"))


def test_scanner_that_is_away_lets_nothing_through(settings: Any) -> None:
    settings.UPLOAD_SCANNER = f"{__name__}.scanner_that_is_away"

    with pytest.raises(UploadRefused, match="cannot be checked just now"):
        check_upload(_upload("a.txt", b"abc"))
