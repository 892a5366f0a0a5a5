"""Keeping releases as files: the items of the API, whole or not at all, once, and made anew when they would differ."""

import gzip
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.conf import settings as site
from django.db import connection, transaction

from evaluation.models import Conversation, Judgment, LanguageModel, MetricVersion, Release
from evaluation.services import publishing
from impactbench.common import locking, page_version
from labels.snapshots.keeping import Outcome, keep_snapshot
from labels.snapshots.kept import kept_files
from labels.snapshots.writing import FORMATS
from labels.tasks import keep_snapshots
from tests.labels.api.conftest import Get
from tests.support.builders import make_judgment
from tests.support.other_threads import in_a_thread

pytestmark = pytest.mark.django_db
LISTS = ("results", "judgments", "metrics", "scenarios", "models")
NAMES = [
    "README.md", "manifest.json", "croissant.json",
    *(f"{part}.{ending}" for ending in ("parquet", "jsonl.gz")
      for part in ("results", "judgments", "conversations", "metrics", "scenarios", "models")),
]  # fmt: skip


def content(release: Release, name: str) -> bytes:
    """What lies in a kept file of that name."""
    [file] = [one for one in kept_files(release) or [] if one.name == name]
    return file.place.read_bytes()


def rows(release: Release, part: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(content(release, f"{part}.jsonl.gz")).splitlines()]


def test_nothing_is_kept_before_it_is_made(small: Release) -> None:
    assert kept_files(small) is None


def test_files_hold_the_items_of_the_api_and_nothing_that_it_hides(small: Release, get: Get) -> None:
    said = Conversation.objects.order_by("pk")[0]
    said.turns.create(number=9, user_message="Hello", plan="a secret plan", reply="Hi")
    judgment = make_judgment(said, present=True, repeat=2)
    Judgment.objects.filter(pk=judgment.pk).update(created_at=small.published_at + timedelta(hours=1))

    assert keep_snapshot(small) is Outcome.MADE

    for part in LISTS:
        items = get(f"{part}/?release=small").json()["results"]
        assert rows(small, part) == items
    whole = [get(f"conversations/{row['id']}/?release=small").json() for row in get("conversations/").json()["results"]]
    assert rows(small, "conversations") == whole
    assert [turn for turn in whole[0]["turns"] if turn["number"] == 9] == [
        {"number": 9, "user": "Hello", "target": "Hi"}
    ]
    [models] = [file for file in kept_files(small) or [] if file.name == "models.parquet"]
    assert pq.read_table(models.place).column("slug").to_pylist() == ["luna"]


def test_manifest_and_list_agree_with_what_lies_there(small: Release, kept_in: Path) -> None:
    keep_snapshot(small)

    files = kept_files(small) or []
    assert [file.name for file in files] == NAMES
    for file in files:
        lies_there = file.place.read_bytes()
        assert (file.bytes, file.sha256) == (len(lies_there), hashlib.sha256(lies_there).hexdigest())
    manifest = json.loads(content(small, "manifest.json"))
    assert [(one["name"], one["rows"], one["sha256"]) for one in manifest["files"]] == [
        (file.name, file.rows, file.sha256) for file in files[3:]
    ]
    described = json.loads(content(small, "croissant.json"))
    assert [one["@id"] for one in described["distribution"]] == NAMES[3:]
    assert [one["field"][0]["source"]["fileObject"]["@id"] for one in described["recordSet"]] == NAMES[3:9]
    assert manifest["canary"] in content(small, "README.md").decode()


def test_what_is_up_to_date_is_left_alone(small: Release, kept_in: Path) -> None:
    keep_snapshot(small)
    [folder] = (kept_in / "small").iterdir()
    made_at = folder.stat().st_mtime_ns
    # Notices are about showing; the API does not know them.
    MetricVersion.objects.update(content_notices=["violence"])

    assert keep_snapshot(small) is Outcome.KEPT

    assert [(one, one.stat().st_mtime_ns) for one in (kept_in / "small").iterdir()] == [(folder, made_at)]


def test_retraction_and_another_name_make_them_anew(small: Release, kept_in: Path) -> None:
    keep_snapshot(small)
    before = {file.name: file.path for file in kept_files(small) or []}
    LanguageModel.objects.filter(slug="luna").update(name="Luna 2")
    publishing.retract(actor=None, slug="small", reason="A judge was broken.")

    assert keep_snapshot(Release.objects.get()) is Outcome.MADE

    after = {file.name: file.path for file in kept_files(small) or []}
    assert {name for name in NAMES if before[name] != after[name]} == {
        "README.md", "manifest.json", "croissant.json", "models.parquet", "models.jsonl.gz",
    }  # fmt: skip
    assert [row["name"] for row in rows(small, "models")] == ["Luna 2"]
    assert json.loads(content(small, "manifest.json"))["release"]["retraction_reason"] == "A judge was broken."
    assert "This release was retracted: A judge was broken." in content(small, "README.md").decode()
    assert len(list((kept_in / "small").iterdir())) == 1


def test_maker_that_fails_or_was_killed_leaves_nothing_that_is_found(
    small: Release, kept_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> int:
        raise OSError(28, "No space left on device")

    left = kept_in / "small" / ".0123456789abcdef.part"
    left.mkdir(parents=True)
    (left / "manifest.json").write_text("{")
    with monkeypatch.context() as broken:
        broken.setitem(FORMATS, "jsonl.gz", full)
        with pytest.raises(OSError, match="No space left"):
            keep_snapshot(small)
    assert kept_files(small) is None
    assert list((kept_in / "small").iterdir()) == [left]

    assert keep_snapshot(small) is Outcome.MADE
    assert [one.name.startswith(".") for one in (kept_in / "small").iterdir()] == [False]


def test_failure_keeps_what_was_there(small: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_snapshot(small)
    before = kept_files(small)
    LanguageModel.objects.filter(slug="luna").update(name="Luna 2")

    def killed(*_arguments: object) -> int:
        raise SystemExit

    monkeypatch.setitem(FORMATS, "jsonl.gz", killed)
    with pytest.raises(SystemExit):
        keep_snapshot(small)
    assert kept_files(small) == before


def test_second_maker_goes_away_at_once(small: Release) -> None:
    with transaction.atomic():
        assert locking.taken("snapshot small")
        assert in_a_thread(lambda: keep_snapshot(small)) is Outcome.BUSY
    assert kept_files(small) is None


@pytest.mark.django_db(transaction=True)
def test_two_makers_at_once_make_it_once(small: Release, kept_in: Path) -> None:
    def make(_n: int) -> Outcome:
        try:
            return keep_snapshot(Release.objects.get())
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(make, range(2)))

    assert outcomes.count(Outcome.MADE) == 1
    assert len(list((kept_in / "small").iterdir())) == 1
    assert [file.name for file in kept_files(small) or []] == NAMES


def test_pages_that_are_kept_grow_old_when_files_are_made(
    small: Release, django_capture_on_commit_callbacks: Any
) -> None:
    versions = [page_version.current()]
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            keep_snapshot(small)
        versions.append(page_version.current())

    assert versions[0] != versions[1] == versions[2]


@pytest.mark.usefixtures("small")
def test_clock_asks_for_what_lacks() -> None:
    assert site.CELERY_BEAT_SCHEDULE["keep-snapshots"]["task"] == keep_snapshots.name

    keep_snapshots()

    assert [file.name for file in kept_files(Release.objects.get()) or []] == NAMES
