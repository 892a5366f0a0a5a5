"""YAML and JSON with places: equal to the ordinary parsers, and safe against hostile files."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.importers.formats import positions
from evaluation.importers.formats.deadline import Deadline
from evaluation.importers.formats.positions import Node, read_json, read_yaml, read_yaml_documents
from evaluation.importers.formats.problems import FileProblem


def plain(node: Node) -> object:
    if isinstance(node.value, dict):
        return {key: plain(value) for key, value in node.value.items()}
    if isinstance(node.value, list):
        return [plain(value) for value in node.value]
    return node.value


def problem_of(read, file) -> tuple[int | None, int | None, str]:
    with pytest.raises(FileProblem) as caught:
        read(file)
    return caught.value.line, caught.value.column, caught.value.message


def write(tmp_path, content: str | bytes):
    file = tmp_path / "file"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@settings(deadline=None)
@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_json_is_what_the_standard_library_reads(tmp_path_factory, value, indent, ascii_only):
    file = write(tmp_path_factory.mktemp("j"), json.dumps(value, indent=indent, ensure_ascii=ascii_only))

    assert plain(read_json(file)) == value


def test_json_emoji_written_as_two_escapes_is_one_character(tmp_path):
    assert read_json(write(tmp_path, r'"\ud83d\ude00"')).value == "\U0001f600"


def test_places_count_from_one(tmp_path):
    for read in (read_json, read_yaml):
        entries = read(write(tmp_path, '{"a": 1,\n  "b": [true, "x"]}')).value
        assert isinstance(entries, dict)
        assert [(node.line, node.column) for node in (entries["a"], entries["b"])] == [(1, 7), (2, 8)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", (1, 1, "is not valid JSON: a value is missing here")),
        ('{"a": 1,\n}', (2, 1, "is not valid JSON: a key in double quotes is missing here")),
        ('[1\n 2]', (2, 2, "is not valid JSON: a comma or ']' is missing here")),
        ('{"a" 1}', (1, 6, "is not valid JSON: a colon is missing here")),
        ("[1] 2", (1, 4, "is not valid JSON: something follows the end of the value")),
        ('["a]', (1, 2, "is not valid JSON: Unterminated string starting at")),
        ('{"a": 1, "a": 2}', (1, 10, "the key 'a' stands here twice")),
        ('["\\ud800"]', (1, 2, "a text contains a NUL character or half a character (a lone surrogate)")),
        ('["\\u0000"]', (1, 2, "a text contains a NUL character or half a character (a lone surrogate)")),
        ("NaN", (1, 1, "is not valid JSON: a value is missing here")),
        ("[" * 100_000, (1, 41, "is nested more than 40 levels deep")),
    ],
)  # fmt: skip
def test_bad_json_is_refused_with_its_place(tmp_path, text, problem):
    assert problem_of(read_json, write(tmp_path, text)) == problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: c: d\n", (2, 5, "is not valid YAML: mapping values are not allowed in this context")),
        ("a: !!python/object/apply:os.system [ls]\n", (1, 4,
         "the tag 'tag:yaml.org,2002:python/object/apply:os.system' is not allowed; write plain values")),
        ("a: &x [*x]\n", (1, 8, "the alias *x stands inside what it refers to")),
        ("a: *x\n", (1, 4, "the alias *x has no anchor before it")),
        ("a: 1\n---\nb: 2\n", (2, 1, "holds a second document (after '---'); keep one to a file")),
        ("? [a]\n: b\n", (1, 3, "a key must be plain text")),
        ('a: "\\0"\n', (1, 4, "a text contains a NUL character or half a character (a lone surrogate)")),
        ("[" * 900, (1, 41, "is nested more than 40 levels deep")),
        (b"a: \xff\n", (1, None, "is not UTF-8 text; save it as UTF-8")),
        (b"a: b\n\x00", (2, 1, "contains a NUL character; remove it")),
    ],
)  # fmt: skip
def test_bad_yaml_is_refused_with_its_place(tmp_path, text, problem):
    assert problem_of(read_yaml, write(tmp_path, text)) == problem


def test_yaml_control_character_is_refused(tmp_path):
    assert problem_of(read_yaml, write(tmp_path, "a: 1\nb: \x07\n"))[2].startswith("is not valid YAML")


def test_yaml_nested_without_end_is_refused(tmp_path):
    assert problem_of(read_yaml, write(tmp_path, "[" * 100_000))[2].startswith("is n")


def test_aliases_that_multiply_are_refused(tmp_path):
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 9)]
    bomb = "\n".join(["l0: &l0 [x, x, x, x, x, x, x, x, x, x]", *levels])

    assert problem_of(read_yaml, write(tmp_path, bomb))[2].startswith("holds more than 1,000,000 values")


def test_aliases_in_moderation_are_read(tmp_path):
    assert plain(read_yaml(write(tmp_path, "a: &x [1]\nb: *x\n"))) == {"a": [1], "b": [1]}


def test_large_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(positions, "MAX_BYTES", 3)

    assert problem_of(lambda file: positions.read_text(file, 3), write(tmp_path, "a: 1"))[2].startswith("is larger")


def test_yaml_scalars_keep_what_was_written(tmp_path):
    node = read_yaml(write(tmp_path, "[No, 01, 1e3, 2020-01-01, ~, 'No']")).value

    assert isinstance(node, list)
    assert [item.text for item in node] == ["No", "01", "1e3", "2020-01-01", "~", "No"]
    assert [item.value for item in node] == [False, 1, "1e3", "2020-01-01", None, "No"]


def test_empty_yaml_is_nothing(tmp_path):
    assert read_yaml(write(tmp_path, "# nothing\n")).value is None


def test_stream_of_documents_is_read_one_by_one(tmp_path):
    file = write(tmp_path, "---\na: |\n  x\n  ---\n  y\n---\n---\n- &x 1\n- *x\n---\n")

    assert [plain(node) for node in read_yaml_documents(file)] == [{"a": "x\n---\ny\n"}, None, [1, 1], None]


def test_anchor_of_another_document_is_unknown(tmp_path):
    assert problem_of(read_yaml_documents, write(tmp_path, "a: &x 1\n---\nb: *x\n")) == (
        3, 4, "the alias *x has no anchor before it",
    )  # fmt: skip


def test_second_document_that_is_broken_is_refused_with_its_place(tmp_path):
    assert problem_of(read_yaml_documents, write(tmp_path, "a: 1\n---\nb: c: d\n"))[:2] == (3, 5)


def test_trap_5_plain_scalars_of_a_stream_are_those_of_yaml_1_2(tmp_path):
    (node,) = read_yaml_documents(
        write(tmp_path, "[yes, No, on, 012, 0o7, 12:30, 2020-01-01, true, FALSE, ~, null, -7, 1.50, 1e3, .5, '5', =]")
    )

    assert plain(node) == ["yes", "No", "on", "012", "0o7", "12:30", "2020-01-01", True, False, None, None, -7,
                           1.5, 1000.0, 0.5, "5", "="]  # fmt: skip


def test_trap_24_more_than_fifty_aliases_are_refused(tmp_path):
    uses = "".join("- *x\n" for _ in range(51))

    assert problem_of(read_yaml_documents, write(tmp_path, f"- &x 1\n{uses}")) == (
        52, 3, "uses more than 50 aliases (*x); write the values out",
    )  # fmt: skip


def test_file_that_takes_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("evaluation.importers.formats.nodes.Deadline", lambda file: Deadline(file, -1))

    assert problem_of(read_json, write(tmp_path, "[1]"))[2] == "takes longer than -1 seconds to read; split it"


def test_file_that_is_read_inside_another_limit_of_time_ends_with_it(tmp_path):
    around = Deadline(tmp_path / "all", -1, what_to_do="in all")

    with around.around():
        found = problem_of(read_json, write(tmp_path, "[1]"))

    assert found[2] == "takes longer than -1 seconds in all"
    assert read_json(write(tmp_path, "[1]"))
