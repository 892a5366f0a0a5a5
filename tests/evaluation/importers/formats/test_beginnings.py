"""The beginning of a file, and which files of a folder are a format's own."""

import os

import pytest

from evaluation.importers.formats.beginnings import beginning, first_cells, json_keys, kinds_in, own_files
from evaluation.importers.formats.problems import FileProblem


def test_what_is_no_text_file_begins_with_nothing(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zip").write_bytes(b"PK\x03\x04\x00\x00")
    (tmp_path / "noise").write_bytes(b"\xff" * 20)

    names = ("pipe", "zip", "noise", "missing", ".")
    assert [beginning(tmp_path / name) for name in names] == [""] * 5


def test_beginning_is_short_and_without_a_byte_order_mark(tmp_path):
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfx" + b"y" * 400_000)

    assert len(beginning(tmp_path / "a")) == 300_000 - 3


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('{"a": {"b-c": "d\\"e\\": 1"}}', {"a", "b-c"}),
        ('[{"a": 1}, {"b"', {"a"}),
        ('a: {"b": 1}', set()),
        ("", set()),
    ],
)
def test_keys_are_found_in_whole_and_broken_json_and_not_in_its_texts(text, keys):
    assert json_keys(text) == keys


def test_first_cells_of_what_is_no_table_are_none():
    assert first_cells('a, "b",c\n1', ",") == ("a", '"b"', "c")
    assert first_cells('"' + "x" * 200_000, ",") == ()
    assert first_cells("", ",") == ()


def test_links_that_may_lead_elsewhere_are_not_followed(tmp_path):
    (tmp_path / "b.txt").write_text("b")
    (tmp_path / "a.txt").symlink_to(tmp_path / "b.txt")

    assert [file.name for file in own_files(tmp_path, lambda _file: True)] == ["b.txt"]


def test_kinds_come_in_their_order_and_none_is_refused(tmp_path):
    for name in ("1-late", "2-early", "3-early", "4-other"):
        (tmp_path / name).write_text("x")

    def kind_of(file):
        kind = file.name.partition("-")[2]
        return None if kind == "other" else kind

    found = kinds_in(tmp_path, kind_of, ("early", "late"), "Made Up")
    assert [file.name for _kind, file in found] == ["2-early", "3-early", "1-late"]
    with pytest.raises(FileProblem, match="is no file of Made Up"):
        kinds_in(tmp_path / "4-other", kind_of, ("early", "late"), "Made Up")
