"""Which format a path is taken for."""

from itertools import pairwise

import pytest

from evaluation.importers.formats import native, pipeline_results, published_results, weval
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.registry import ALL_FORMATS, choose_format, choose_result_format, format_names
from tests.support.first_edition import april_folder, july_folder, pipeline_folder


def test_native_folder_is_chosen_by_itself_and_by_name(tmp_path):
    home = pipeline_folder(tmp_path) / "benchmarks" / "kind-help"

    assert choose_format(home) is native
    assert choose_format(home, "native") is native
    assert format_names() == ("auto", *(format_.describe().name for format_ in ALL_FORMATS))


def test_unknown_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="unknown format 'weval2'; choose one of auto, native, spreadsheet, "):
        choose_format(tmp_path, "weval2")


def test_path_that_nobody_knows_is_refused(tmp_path):
    for choose in (choose_format, choose_result_format):
        with pytest.raises(FileProblem, match="known are"):
            choose(tmp_path)
        with pytest.raises(FileProblem, match="does not exist"):
            choose(tmp_path / "missing")


def test_unknown_file_is_told_all_that_is_known(tmp_path):
    (tmp_path / "notes.txt").write_text("Some notes.")

    with pytest.raises(FileProblem) as problem:
        choose_format(tmp_path / "notes.txt")

    known = "; ".join(format_.describe().title for format_ in ALL_FORMATS)
    assert problem.value.message == f"is in no known format; known are: {known}"


def test_folder_of_two_formats_is_not_guessed_at(tmp_path):
    (tmp_path / "a.yml").write_text("title: A\nmodels: []\n---\n- prompt: Hi\n  should: [Greets]\n")
    (tmp_path / "a.tsv").write_text("index\tanswer\ttext\n")

    with pytest.raises(FileProblem, match="could be of several formats: weval, legalbench; give each file by itself"):
        choose_format(tmp_path)
    assert choose_format(tmp_path / "a.yml") is weval


def test_finished_results_are_sent_to_their_own_command(tmp_path):
    with pytest.raises(FileProblem, match="holds finished results, no definitions; use import_results"):
        choose_format(july_folder(tmp_path / "july"))


def test_results_are_recognised(tmp_path):
    assert choose_result_format(july_folder(tmp_path / "july")) is published_results
    (tmp_path / "april").mkdir()
    assert choose_result_format(april_folder(tmp_path / "april")) is published_results
    assert choose_result_format(pipeline_folder(tmp_path / "pipeline")) is pipeline_results


@pytest.mark.parametrize("name", ["empty.yml", "empty.txt"])
def test_empty_file_is_called_empty(tmp_path, name):
    (tmp_path / name).write_text(" \n")

    with pytest.raises(FileProblem) as problem:
        choose_format(tmp_path / name)

    assert problem.value.message == "is empty; choose a file that holds something"


def test_file_of_too_many_aliases_says_so(tmp_path):
    names = "abcdefgh"
    lines = [
        "a: &a [lol, lol]",
        *(f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]" for old, new in pairwise(names)),
    ]
    (tmp_path / "bomb.yml").write_text("\n".join(lines))

    with pytest.raises(FileProblem, match="alias") as problem:
        choose_format(tmp_path / "bomb.yml")

    assert "known are" not in problem.value.message
