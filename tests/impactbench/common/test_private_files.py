"""Sent files lie under generated names and come back as downloads only."""

import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404

from impactbench.common.private_files import discard, private_file_response, store
from impactbench.common.uploads import check_upload


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.PRIVATE_FILES = tmp_path / "files"
    return tmp_path / "files"


def _stored(name: str = "../Notes of Ada.txt") -> str:
    return store(check_upload(SimpleUploadedFile(name, b"<script>alert(1)</script>")))


def test_file_is_kept_privately_under_a_generated_name(folder: Path) -> None:
    stored = _stored()

    path = folder / stored
    assert path.read_bytes() == b"<script>alert(1)</script>"
    assert "Ada" not in stored
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_same_file_twice_is_two_files(folder: Path) -> None:
    assert _stored() != _stored()


@pytest.mark.django_db
def test_download_cannot_become_a_page(folder: Path) -> None:
    response = private_file_response(_stored(), 'naïve\r\n"notes".txt')

    content = b"".join(response)
    response.close()
    assert content == b"<script>alert(1)</script>"
    assert response.headers["Content-Disposition"] == "attachment; filename*=utf-8''na%C3%AFve-notes.txt"
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("stored", ["", "../../etc/passwd", "ab/../../x", "ab/" + "0" * 32, "/etc/passwd", "ab/\x00"])
def test_unknown_file_is_not_found(folder: Path, stored: str) -> None:
    with pytest.raises(Http404):
        private_file_response(stored, "x.txt")


def test_discarded_file_is_gone_and_may_be_discarded_again(folder: Path) -> None:
    stored = _stored()

    discard(stored)
    discard(stored)

    assert not (folder / stored).exists()
