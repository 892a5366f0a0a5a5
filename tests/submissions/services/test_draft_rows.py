"""What editors do to drafts is kept, can be undone, and never overwrites what another one wrote."""

from dataclasses import replace
from typing import Any

import pytest

from impactbench.accounts.personal_data import exported
from impactbench.common.errors import DomainError
from submissions.import_text import RowText
from submissions.models import DraftRow, SourceImport
from submissions.services import draft_rows
from submissions.services.draft_rows import Edit
from submissions.services.transitions import NotAllowed
from tests.support.portal import make_person
from tests.support.source_files import make_import

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor() -> Any:
    return make_person("Ed One", "editor")


@pytest.fixture
def source(editor: Any) -> SourceImport:
    return make_import(editor)


def row(source: SourceImport, number: int, part: int = 0) -> DraftRow:
    return source.rows.get(number=number, part=part)


def text(found: DraftRow) -> RowText:
    return RowText.from_json(found.content)


def edit(found: DraftRow, *, is_checked: bool = True, **changes: Any) -> dict[int, Edit]:
    return {found.pk: Edit(found.version, replace(text(found), **changes), is_checked)}


def states(source: SourceImport) -> list[str]:
    return list(source.rows.filter(kind="metric").values_list("state", flat=True))


def test_what_is_written_is_kept_and_undone_as_a_whole(source, editor) -> None:
    edits = edit(row(source, 1), name="Asks first") | edit(row(source, 2), polarity="negative")

    act, stale = draft_rows.save(source, edits, actor=editor)

    assert act is not None
    assert (act.told, stale, states(source)) == (
        "2 rows were changed or checked.",
        [],
        ["confirmed"] * 2 + ["proposed"],
    )
    assert (text(row(source, 1)).name, text(row(source, 2)).polarity) == ("Asks first", "negative")
    draft_rows.undo(source, actor=editor)
    assert states(source) == ["proposed"] * 3
    assert (text(row(source, 1)).name, text(row(source, 2)).polarity) == (
        "Asks what the pupil wants to argue",
        "positive",
    )


def test_the_same_words_again_are_no_act(source, editor) -> None:
    assert draft_rows.save(source, edit(row(source, 1), is_checked=False), actor=editor) == (None, [])


def test_a_row_without_polarity_is_not_checked(source, editor) -> None:
    draft_rows.save(source, edit(row(source, 1), polarity=""), actor=editor)

    assert states(source)[0] == "proposed"
    with pytest.raises(DomainError, match="Row 1 needs a name, a behaviour and whether it is good or bad"):
        draft_rows.confirm(source, [row(source, 1).pk], actor=editor)


def test_words_of_another_editor_are_not_overwritten(source, editor) -> None:
    seen = edit(row(source, 1), name="Mine")
    draft_rows.save(source, edit(row(source, 1), name="Hers"), actor=make_person("Ed Two", "editor"))

    act, stale = draft_rows.save(source, seen, actor=editor)

    assert (act, [one.label for one in stale], text(row(source, 1)).name) == (None, ["1"], "Hers")


def test_rows_are_dropped_in_bulk_with_a_reason_and_brought_back(source, editor) -> None:
    keys = list(source.rows.values_list("pk", flat=True))

    with pytest.raises(DomainError, match="Say in a few words why"):
        draft_rows.drop(source, keys, reason=" ", actor=editor)
    act = draft_rows.drop(source, keys, reason="Too vague.", actor=editor)

    assert act.told == "4 rows were dropped."
    assert set(source.rows.values_list("state", "reason")) == {("dropped", "Too vague.")}
    draft_rows.restore(source, keys[:1], actor=editor)
    assert states(source) == ["proposed", "dropped", "dropped"]
    draft_rows.undo(source, actor=editor)
    draft_rows.undo(source, actor=editor)
    assert states(source) == ["proposed"] * 3
    with pytest.raises(DomainError, match="There is nothing to undo"):
        draft_rows.undo(source, actor=editor)


def test_merged_rows_bring_their_examples_along(source, editor) -> None:
    draft_rows.save(source, edit(row(source, 2), examples_present=("Like this.",)), actor=editor)

    act = draft_rows.merge(source, [row(source, 1).pk, row(source, 2).pk], actor=editor)

    assert act.told == "Row 2 went into row 1. Its source text came along."
    assert text(row(source, 1)).examples_present == ("What do you want it to argue?", "Like this.")
    assert (row(source, 2).state, row(source, 2).merged_into) == ("merged", row(source, 1))
    draft_rows.undo(source, actor=editor)
    assert (row(source, 2).state, row(source, 2).merged_into) == ("confirmed", None)
    with pytest.raises(DomainError, match="at least two rows"):
        draft_rows.merge(source, [row(source, 1).pk], actor=editor)


def test_a_good_row_and_a_bad_one_are_not_merged(source, editor) -> None:
    draft_rows.save(source, edit(row(source, 2), polarity="negative"), actor=editor)

    with pytest.raises(DomainError, match="Row 1 is good for the person and row 2 is bad"):
        draft_rows.merge(source, [row(source, 1).pk, row(source, 2).pk], actor=editor)

    assert row(source, 2).merged_into is None


def test_a_split_row_is_two_rows_of_the_same_source(source, editor) -> None:
    draft_rows.split(source, row(source, 2).pk, actor=editor)

    part = row(source, 2, 1)
    assert (part.label, part.text, part.content, part.split_from) == (
        "2.1", row(source, 2).text, row(source, 2).content, row(source, 2),
    )  # fmt: skip
    draft_rows.undo(source, actor=editor)
    assert source.rows.filter(number=2).count() == 1
    draft_rows.split(source, row(source, 2).pk, actor=editor)
    assert row(source, 2, 1).state == "proposed"


def test_scenarios_are_neither_merged_nor_split(source, editor) -> None:
    with pytest.raises(DomainError, match="Only rows of metrics"):
        draft_rows.split(source, row(source, 4).pk, actor=editor)


def test_rows_of_another_import_are_not_touched(source, editor) -> None:
    other = make_import(editor, name="other.yml")

    with pytest.raises(DomainError, match="Select rows"):
        draft_rows.drop(source, [row(other, 1).pk], reason="No.", actor=editor)
    assert states(other) == ["proposed"] * 3


def test_a_discarded_import_is_closed(source, editor) -> None:
    draft_rows.discard(source, actor=editor)

    with pytest.raises(DomainError, match="This import was discarded"):
        draft_rows.confirm(source, [row(source, 1).pk], actor=editor)


def test_only_editors_work_on_drafts(source) -> None:
    with pytest.raises(NotAllowed):
        draft_rows.confirm(source, [row(source, 1).pk], actor=make_person("Rita", "reviewer"))


def test_an_editor_takes_along_what_they_did(source, editor) -> None:
    draft_rows.drop(source, [row(source, 1).pk], reason="Too vague.", actor=editor)

    told = exported(editor)["submissions"]

    assert [one["file_name"] for one in told["imports"]] == ["essays.yml"]
    assert [(one["source"], one["told"]) for one in told["work_on_imports"]] == [(source.pk, "1 row was dropped.")]
