"""Transcript archives are read without trusting them."""

from pathlib import PurePosixPath

import pytest

from evaluation.importers.formats import archives
from evaluation.importers.formats.archives import json_members
from evaluation.importers.formats.problems import FileProblem
from tests.support.first_edition import tar_xz


def problem_of(archive) -> str:
    with pytest.raises(FileProblem) as caught:
        list(json_members(archive))
    return caught.value.message


def test_members_come_in_order_and_other_files_are_passed_over(tmp_path):
    members = {"a/b.json": b'{"x": 1}', "a/notes.txt": b"no", "a/._b.json": b"\x00", "a/a.json": b"{}"}
    archive = tar_xz(tmp_path / "x.tar.xz", members, links={"a/link.json": "/etc/passwd"})

    assert list(json_members(archive)) == [
        (PurePosixPath("a/b.json"), {"x": 1}),
        (PurePosixPath("a/a.json"), {}),
    ]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"../../etc/x.json": b"{}"}, "holds the unsafe path '../../etc/x.json'"),
        ({"/etc/x.json": b"{}"}, "holds the unsafe path '/etc/x.json'"),
        ({"x.json": b'{"a": \n}'}, "'x.json' in it, line 2, column 1, is not valid JSON: Expecting value"),
        ({"x.json": b"\xff\xfe\xff"}, "'x.json' in it is not readable JSON"),
        ({"x.json": b"[" * 100_000}, "'x.json' in it is not readable JSON"),
        ({"x.json": b"[]"}, "'x.json' in it is not a JSON object"),
    ],
)
def test_bad_members_are_refused(tmp_path, members, message):
    assert problem_of(tar_xz(tmp_path / "x.tar.xz", members)) == message


def test_large_member_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_MEMBER_BYTES", 1_000_000)
    archive = tar_xz(tmp_path / "x.tar.xz", {"big.txt": b"0" * 1_000_001})

    assert problem_of(archive) == "'big.txt' in it is larger than 1 MB"


def test_archive_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_TOTAL_BYTES", 50_000)
    archive = tar_xz(tmp_path / "x.tar.xz", {f"{n}.txt": b"0" * 9_000 for n in range(20)})

    assert problem_of(archive) == "unpacks to more than 0 GB"


def test_damaged_and_cut_archives_are_refused(tmp_path):
    archive = tar_xz(tmp_path / "x.tar.xz", {f"{n}.json": b'{"x": "%d"}' % n for n in range(200)})
    whole = archive.read_bytes()

    archive.write_bytes(whole[: len(whole) // 2])
    assert problem_of(archive) == "is cut off; copy it again"

    archive.write_bytes(b"not an archive at all")
    assert problem_of(archive).startswith("is damaged")
