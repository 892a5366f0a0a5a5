"""The files of a release on its page, in the API and as downloads."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Release
from labels.snapshots.keeping import keep_snapshot
from labels.snapshots.kept import kept_files
from tests.labels.api.conftest import small  # noqa: F401  (a fixture)
from tests.labels.test_page_head import linked

pytestmark = pytest.mark.django_db


@pytest.fixture(name="made")
def _made(small: Release, tmp_path: Path, settings: Any) -> Release:  # noqa: F811
    settings.SNAPSHOTS = tmp_path
    keep_snapshot(small)
    return small


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def test_page_and_api_say_that_files_are_not_made_yet(
    client: Client, small: Release, tmp_path: Path, settings: Any  # noqa: F811
) -> None:  # fmt: skip
    settings.SNAPSHOTS = tmp_path

    page = client.get("/releases/small/").content.decode()

    assert "The whole release as files is not made yet." in page
    assert "/releases/small/files/" not in page
    assert client.get("/api/v1/releases/small/").json()["files"] is None


def test_page_api_and_linked_data_offer_the_same_files(client: Client, made: Release) -> None:
    files = kept_files(made) or []
    page = client.get("/releases/small/").content.decode()
    listed = client.get("/api/v1/releases/small/", {"fields": "files"}).json()["files"]

    assert re.findall(r'<li><a href="(/releases/small/files/[^"]*)', page) == [file.path for file in files]
    assert re.findall(r'<code class="hash">([0-9a-f]{64})</code></p></li>', page) == [file.sha256 for file in files]
    assert [part["sha256"] for part in linked(page)["distribution"] if "sha256" in part] == [
        file.sha256 for file in files
    ]
    [croissant] = [file.path for file in files if file.name == "croissant.json"]
    assert f'<link rel="alternate" type="application/ld+json" href="{croissant}"' in page
    assert listed == [
        {
            "name": file.name, "media_type": file.media_type, "rows": file.rows, "bytes": file.bytes,
            "sha256": file.sha256, "url": f"http://testserver{file.path}",
        }
        for file in files
    ]  # fmt: skip
    for one in listed:
        assert hashlib.sha256(body(client.get(one["url"]))).hexdigest() == one["sha256"]


def test_file_is_sent_as_it_lies_there_and_may_be_kept_at_its_own_address(client: Client, made: Release) -> None:
    [file] = [one for one in kept_files(made) or [] if one.name == "models.parquet"]

    named = client.get(file.path, headers={"accept-encoding": "gzip"})
    plain = client.get("/releases/small/files/models.parquet?sha256=0")
    again = client.get(file.path, headers={"if-none-match": named.headers["ETag"]})

    assert body(named) == body(plain) == file.place.read_bytes()
    told = (
        "Content-Type", "Content-Length", "Content-Disposition", "ETag", "Cache-Control", "X-Content-Type-Options",
        "Access-Control-Allow-Origin",
    )  # fmt: skip
    assert [named.headers[name] for name in told] == [
        "application/x-parquet", str(file.bytes), 'attachment; filename="models.parquet"', f'"{file.sha256}"',
        "public, max-age=31536000, immutable", "nosniff", "*",
    ]  # fmt: skip
    assert "Content-Encoding" not in named.headers
    assert plain.headers["Cache-Control"] == "no-cache"
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", f'"{file.sha256}"')
    assert client.post(file.path).status_code == 405


def test_broken_download_goes_on_where_it_broke_off(client: Client, made: Release) -> None:
    [file] = [one for one in kept_files(made) or [] if one.name == "models.parquet"]
    whole, etag, size = file.place.read_bytes(), f'"{file.sha256}"', file.bytes

    rest = client.get(file.path, headers={"range": "bytes=100-", "if-range": etag})
    outside = client.get(file.path, headers={"range": f"bytes={size}-"})
    others = [
        client.get(file.path, headers={"range": "bytes=100-", "if-range": '"of another file"'}),
        client.get(file.path, headers={"range": "bytes=0-1,5-6"}),
    ]
    head = client.head(file.path, headers={"range": "bytes=100-"})
    known = client.get(file.path, headers={"range": "bytes=100-", "if-none-match": etag})

    told = ("Content-Range", "Content-Length", "ETag", "Accept-Ranges", "Content-Type")
    assert (rest.status_code, body(rest)) == (206, whole[100:])
    assert [rest.headers[name] for name in told] == [
        f"bytes 100-{size - 1}/{size}", str(size - 100), etag, "bytes", "application/x-parquet",
    ]  # fmt: skip
    assert (outside.status_code, outside.content, outside.headers["Content-Range"]) == (416, b"", f"bytes */{size}")
    assert [(one.status_code, body(one), "Content-Range" in one.headers) for one in others] == [(200, whole, False)] * 2
    assert (head.status_code, head.content, head.headers["Content-Length"]) == (200, b"", str(size))
    assert head.headers["Accept-Ranges"] == "bytes"
    assert known.status_code == 304


@pytest.mark.usefixtures("made")
def test_names_that_the_manifest_lacks_are_not_found(client: Client, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (next((tmp_path / "small").iterdir()) / "secret").write_text("secret")
    hostile = (
        "secret", "results.csv", "..%2f..%2fsecret", "../../secret", "%2e%2e%2fsecret", ".", "..", ".secret.part",
        "manifest.json%00", "manifest.json/", "%2fetc%2fpasswd", "a" * 3000, "MANIFEST.JSON", "%ff",
    )  # fmt: skip

    answers = {name: client.get(f"/releases/small/files/{name}") for name in hostile}

    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(hostile, 404)
    assert "results.parquet" in answers["results.csv"].content.decode()
    assert client.get("/releases/other/files/manifest.json").status_code == 404


def test_file_that_is_gone_is_not_a_fault(client: Client, made: Release) -> None:
    [file] = [one for one in kept_files(made) or [] if one.name == "models.parquet"]
    file.place.unlink()

    assert client.get(file.path).status_code == 404
