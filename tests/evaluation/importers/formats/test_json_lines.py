"""JSON Lines: what parts lines, where values are, and what is refused."""

import json
from typing import Any

import pytest

from evaluation.importers.formats import json_lines
from evaluation.importers.formats.json_lines import read_json_lines
from evaluation.importers.formats.problems import FileProblem


def read(tmp_path, text):
    file = tmp_path / "a.jsonl"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    nodes: list[Any] = list(read_json_lines(file))
    return [(node.line, {key: value.value for key, value in node.value.items()}) for node in nodes]


def problem(tmp_path, text):
    with pytest.raises(FileProblem) as caught:
        read(tmp_path, text)
    return caught.value.line, caught.value.column, caught.value.message


def test_trap_7_only_a_line_feed_parts_lines(tmp_path):
    words = "one\u2028two\x85three\u202ffour"
    text = json.dumps({"a": words}, ensure_ascii=False) + "\r\n\n" + json.dumps({"a": words}) + "\n"

    assert read(tmp_path, text) == [(1, {"a": words}), (3, {"a": words})]


def test_trap_9_byte_order_mark_is_no_part_of_the_first_line(tmp_path):
    assert read(tmp_path, b'\xef\xbb\xbf{"a": 1}\n') == [(1, {"a": 1})]


def test_one_value_over_several_lines_is_read_as_one_and_a_list_as_its_entries(tmp_path):
    assert read(tmp_path, '{\n "a": 1\n}\n') == [(1, {"a": 1})]
    assert read(tmp_path, '[{"a": 1},\n{"a": 2}]\n') == [(1, {"a": 1}), (2, {"a": 2})]


def test_trap_20_nan_of_a_writer_in_python_says_nothing(tmp_path):
    assert read(tmp_path, '{"a": NaN}\n') == [(1, {"a": None})]


def test_broken_line_is_refused_with_its_place_in_the_file(tmp_path):
    assert problem(tmp_path, '{"a": 1}\n{"a": }\n') == (2, 7, "is not valid JSON: a value is missing here")


def test_lone_surrogate_is_refused_with_its_place_in_the_file(tmp_path):
    assert problem(tmp_path, '{"a": 1}\n{"a": "\\ud800"}\n') == (
        2, 7, "a text contains a NUL character or half a character (a lone surrogate)",
    )  # fmt: skip


def test_key_that_stands_twice_is_refused(tmp_path):
    assert problem(tmp_path, '{"a": 1}\n{"a": 1, "a": 2}\n') == (2, 10, "the key 'a' stands here twice")


def test_trap_24_more_than_100_000_lines_are_refused(tmp_path):
    assert problem(tmp_path, "{} \n" * 100_001) == (
        100_001, None, "holds more than 100,000 lines; split the file",
    )  # fmt: skip


def test_trap_24_too_many_values_in_all_lines_together_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "MAX_NODES", 5)

    assert problem(tmp_path, '{"a": [1]}\n' * 2) == (2, None, "holds more than 5 values; split the file")
