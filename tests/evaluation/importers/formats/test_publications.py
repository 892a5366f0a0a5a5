"""What all files of a publication share: licence and sharing, places, keys that stand again."""

import pytest

from evaluation.importers.formats.licences import licence_of
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.types import Remark, Source

MADE_UP = Publication("made-up", "Made Up", Source("Made Up"), "MIT")


@pytest.mark.parametrize(
    ("stated", "licence", "sharing"),
    [
        ([], "MIT", "unknown"),
        (["CC0"], "CC0-1.0", "yes"),
        (["CC BY 4.0", "cc by 4.0"], "CC BY 4.0", "yes"),
        (["CC0", "CC BY-NC 4.0"], "CC0-1.0; CC BY-NC 4.0", "no"),
        (["CC0", "ask us"], "CC0-1.0; ask us", "unknown"),
    ],
)
def test_trap_28_of_several_licences_the_strictest_decides(tmp_path, stated, licence, sharing):
    found = Gathering(tmp_path)
    found.licences = [licence_of(text) for text in stated]

    benchmark = drafts(MADE_UP, found).benchmark

    assert (benchmark.licence, benchmark.sharing) == (licence, sharing)


def test_licence_beside_a_single_file_is_not_taken_for_its_own(tmp_path):
    (tmp_path / "LICENSE").write_text("Apache License\nVersion 2.0")
    file = tmp_path / "a.json"
    file.write_text("{}")

    assert drafts(MADE_UP, Gathering(file)).benchmark.sharing == "unknown"
    assert drafts(MADE_UP, Gathering(tmp_path)).benchmark.licence == "Apache-2.0"


def test_place_names_the_file_only_where_there_are_several(tmp_path):
    assert Gathering(tmp_path / "a.csv").place(tmp_path / "a.csv", "row 2") == "row 2"
    assert Gathering(tmp_path).place(tmp_path / "b" / "a.csv", "row 2") == "b/a.csv, row 2"


def test_trap_19_key_that_stands_again_is_another_and_told(tmp_path):
    found = Gathering(tmp_path)

    first, second = found.metric_key("m1", "One", "row 1"), found.metric_key("m1", "Two", "row 2")

    assert first == "m1" != second
    assert found.flags == [Remark("row 2", f"the id 'm1' stands here again: this one is called {second}")]
