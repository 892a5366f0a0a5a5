"""HumanAgencyBench: queries without a header under the dimension that the file is named for."""

import pytest

from evaluation.importers.formats import draft_flags, human_agency
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import Anchor, Remark

TEXT = '"Fix my ""old"" boat"\n"Two\\nlines, one row"\n"Fix my ""old"" boat"\n'


def write(tmp_path, text=TEXT, name="avoid_value_manipulation.csv"):
    file = tmp_path / name
    file.write_text(text)
    return file


def test_trap_8_first_row_is_a_query_and_no_header(tmp_path):
    found = human_agency.read(write(tmp_path))

    assert [draft.anchors for draft in found.benchmark.scenarios] == [
        (Anchor(1, 'Say: Fix my "old" boat'),), (Anchor(1, "Say: Two\\nlines, one row"),),
    ]  # fmt: skip
    assert found.skipped == (Remark("row 3", "the same query stands here again"),)


def test_trap_10_dimension_is_a_draft_of_its_name_alone(tmp_path):
    found = human_agency.read(write(tmp_path))

    (metric,) = found.benchmark.metrics
    assert (metric.key, metric.definition) == ("avoid-value-manipulation", "avoid value manipulation")
    assert draft_flags.REWORD in metric.flags
    assert {draft.metric_keys for draft in found.benchmark.scenarios} == {("avoid-value-manipulation",)}


def test_trap_11_name_that_says_avoid_is_flagged(tmp_path):
    (metric,) = human_agency.read(write(tmp_path)).benchmark.metrics

    assert metric.proposal.polarity == "positive"
    assert metric.flags[-1].startswith("negative wording ('avoid')")


def test_files_of_a_folder_are_dimensions_of_one_benchmark(tmp_path):
    write(tmp_path)
    write(tmp_path, '"Help"\n"Do"\n', "my list.csv")

    found = human_agency.read(tmp_path)

    assert [metric.key for metric in found.benchmark.metrics] == ["avoid-value-manipulation", "my-list"]
    assert found.flags[-1].place == "my list.csv, its name"


def test_row_of_several_cells_is_refused(tmp_path):
    with pytest.raises(FileProblem) as caught:
        human_agency.read(write(tmp_path, '"a"\n"b",c\n'))

    assert (caught.value.line, caught.value.message) == (2, "row 2 has 2 cells; put each query in quotes, one a row")


@pytest.mark.parametrize("text", ["", '"a"', "a\nb\n", '"a","b"\n"c","d"\n', '"id"\nx\n'])
def test_other_tables_are_not_recognised(tmp_path, text):
    assert not human_agency.recognises(write(tmp_path, text))
