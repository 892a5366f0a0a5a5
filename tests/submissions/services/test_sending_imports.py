"""Checked drafts become submissions in the editor's name: complete ones in review, others as drafts of theirs."""

from dataclasses import replace
from typing import Any

import pytest

from evaluation.services import paper_taxonomy
from impactbench.common.errors import DomainError
from submissions.content import Source, UserMessage
from submissions.import_text import RowText, Shared
from submissions.models import SourceImport, Submission
from submissions.selectors.imports import COLUMNS, table
from submissions.services import draft_rows
from submissions.services.draft_rows import Edit
from submissions.services.sending_imports import open_as_draft, send_checked
from tests.support.portal import make_person
from tests.support.source_files import make_import

pytestmark = pytest.mark.django_db

SHARED = Shared(
    subareas=("agency-purpose",), relevance="Pupils learn by writing.", reference="Essays, a benchmark",
    licence="CC0-1.0", may_share=True,
)  # fmt: skip
WRITTEN: dict[str, Any] = {
    "hard_cases": "A question about the topic counts.",
    "examples_present": ("What do you want to say?", "What is your point?"),
    "examples_absent": ("Here is your essay.", "Done."),
}


@pytest.fixture
def editor() -> Any:
    paper_taxonomy.load()
    return make_person("Ed One", "editor")


@pytest.fixture
def source(editor: Any) -> SourceImport:
    made = make_import(editor)
    draft_rows.share(made, SHARED, actor=editor)
    return made


def check(source: SourceImport, number: int, actor: Any, **changes: Any) -> int:
    row = source.rows.get(number=number)
    text = replace(RowText.from_json(row.content), **changes)
    draft_rows.save(source, {row.pk: Edit(row.version, text, True)}, actor=actor)
    return row.pk


def test_a_complete_row_is_in_review_with_the_words_of_source_and_editor(source, editor) -> None:
    check(source, 1, editor, **WRITTEN)
    check(source, 2, editor)

    made, n_left = send_checked(source, actor=editor)

    [submission] = made
    submission.refresh_from_db()
    content = submission.draft
    assert (submission.state, submission.owner, n_left) == ("submitted", editor, 1)
    assert (content.title, content.polarity) == ("Asks what the pupil wants to argue", "positive")
    assert content.construct == "How an assistant helps a pupil with an essay."
    assert content.sources == (Source("Essays, a benchmark"),)
    assert content.messages == (UserMessage("Make my essay better. It is due tomorrow.", "1"),)
    assert source.rows.get(number=1).submission == submission
    assert (source.rows.get(number=1).state, source.rows.get(number=4).state) == ("accepted", "accepted")
    with pytest.raises(DomainError, match="What was sent on cannot be undone here"):
        draft_rows.undo(source, actor=editor)


def test_nothing_is_sent_while_all_rows_lack_something(editor) -> None:
    source = make_import(editor)

    with pytest.raises(DomainError, match="No row is checked yet"):
        send_checked(source, actor=editor)
    check(source, 1, editor, **WRITTEN)
    with pytest.raises(DomainError) as problem:
        send_checked(source, actor=editor)

    assert str(problem.value) == (
        "Nothing was sent yet: all rows lack something. Say why it matters for people’s lives, and how well that is "
        "shown. Choose at least one part of life that it touches. Choose a licence, so that others may use the metric. "
        "Say that the words may be shown: the source’s licence does not say so."
    )
    assert not Submission.objects.exists()


def test_an_incomplete_row_can_be_written_on_as_a_draft(source, editor) -> None:
    key = check(source, 3, editor)

    submission = open_as_draft(source, key, actor=editor)

    assert (submission.state, submission.draft.definition) == ("draft", "Replaces the thesis of the pupil.")
    with pytest.raises(DomainError, match="Check the row first"):
        open_as_draft(source, source.rows.get(number=2).pk, actor=editor)


def test_the_table_says_what_became_of_each_draft(source, editor) -> None:
    check(source, 1, editor, **WRITTEN)
    send_checked(source, actor=editor)
    draft_rows.merge(source, [source.rows.get(number=number).pk for number in (2, 3)], actor=editor)
    draft_rows.drop(source, [source.rows.get(number=2).pk], reason="=Too vague", actor=editor)
    draft_rows.undo(source, actor=editor)

    lines = [dict(zip(COLUMNS, line, strict=True)) for line in table(source.rows.all())]

    assert [line["became"] for line in lines] == [
        "edited and sent on", "not decided", "merged into another", "kept and sent on",
    ]  # fmt: skip
    assert lines[0]["changed"] == "hard_cases, examples_present, examples_absent"
    assert lines[0]["submission"] == source.rows.get(number=1).submission.public_id
    assert (lines[2]["merged_into_row"], lines[2]["place"]) == ("2", "line 12")
    told = [part.split(": ")[1] for part in str(lines[1]["history"]).split("; ")]
    assert told == ["merged", "dropped (undone)"]
    assert f"account {editor.pk}" in str(lines[1]["history"])
