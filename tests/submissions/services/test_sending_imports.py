"""Checked drafts become submissions in the editor's name: complete ones in review, others as drafts of theirs."""

from dataclasses import replace
from typing import Any

import pytest

from evaluation.models import Metric
from evaluation.services import paper_taxonomy
from impactbench.common.errors import DomainError
from submissions.content import Source, UserMessage
from submissions.import_text import RowText, Shared
from submissions.models import SourceImport, Submission
from submissions.selectors.imports import COLUMNS, table
from submissions.services import draft_rows
from submissions.services.approving import ApprovalPlan, make_metrics
from submissions.services.draft_rows import Edit
from submissions.services.new_versions import new_version_of
from submissions.services.sending_imports import open_as_draft, prospects, send_checked
from submissions.services.transitions import NotAllowed
from tests.support.portal import make_person
from tests.support.source_files import BLUEPRINT, make_import

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
    check(source, 3, editor, polarity="positive")
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


EDITED = BLUEPRINT.replace("Asks what the pupil wants", "Asks what the pupil really wants")


def sent(source: SourceImport, editor: Any) -> Submission:
    check(source, 1, editor, **WRITTEN)
    [[submission], _] = send_checked(source, actor=editor)
    return submission


def published(source: SourceImport, editor: Any) -> Submission:
    """The first row of an import as a published metric, named anew in review."""
    submission = sent(source, editor)
    plan = ApprovalPlan("writing", True, "Writing", local_ids=("asks",), profiles=("teen",))
    make_metrics(submission, actor=editor, plan=plan)
    Submission.objects.filter(pk=submission.pk).update(state="published")
    return submission


def test_a_row_that_changes_what_is_published_is_not_sent_beside_it_and_becomes_its_new_version(source, editor) -> None:
    submission = published(source, editor)
    after = make_import(editor, EDITED)
    key = check(after, 1, editor, **{**WRITTEN, "hard_cases": "A question about the topic never counts."})
    check(after, 2, editor)

    with pytest.raises(DomainError, match=r"^Nothing was sent yet: each of the 1 checked rows lacks something"):
        send_checked(after, actor=editor)
    [prospect] = prospects(after, [after.rows.get(number=1)])
    draft = open_as_draft(after, key, actor=editor)

    told = f"It is published already, as {submission.public_id}. Check the row and start a new version of that."
    assert prospect.missing[0].message == told
    assert (draft.clone_of, draft.improves) == (submission, Metric.objects.get())
    assert draft.draft == replace(
        submission.revisions.get().text,
        title="Asks what the pupil really wants to argue",
        definition="Asks what the pupil really wants to argue.",
        hard_cases="A question about the topic never counts.",
    )
    assert (after.rows.get(pk=key).state, after.rows.get(pk=key).submission) == ("accepted", draft)


def test_a_third_reading_changes_the_new_version_and_words_for_one_that_is_written_are_refused(source, editor) -> None:
    submission = published(source, editor)
    again = make_import(editor, EDITED)
    third = make_import(editor, EDITED.replace("wants to argue", "wants to say and argue"))
    key = check(third, 1, editor, **WRITTEN)
    draft = new_version_of(submission, actor=editor)

    with pytest.raises(DomainError) as refused:
        open_as_draft(third, key, actor=editor)

    assert str(refused.value) == f"A new version is being written already: {draft.public_id}. Put the words in there."
    assert third.rows.get(number=1).earlier == again.rows.get(number=1)
    assert third.rows.get(number=1).state == "confirmed"


def test_a_row_that_changes_what_is_under_way_is_refused_until_that_ended(source, editor) -> None:
    submission = sent(source, editor)
    after = make_import(editor, EDITED)
    key = check(after, 1, editor, **WRITTEN)

    with pytest.raises(DomainError) as refused:
        open_as_draft(after, key, actor=editor)
    Submission.objects.filter(pk=submission.pk).update(state="rejected")
    made, n_left = send_checked(after, actor=editor)

    assert str(refused.value) == (
        f"Its earlier words are under way as {submission.public_id} (submitted). Change them there, or wait."
    )
    assert ([one.improves for one in made], n_left) == ([None], 0)


def test_only_authors_of_what_is_published_start_its_new_version(source, editor) -> None:
    published(source, editor)
    other = make_person("Ed Two", "editor")
    after = make_import(other, EDITED)
    key = check(after, 1, other, **WRITTEN)

    with pytest.raises(NotAllowed, match=r"^Only its authors write a new version"):
        open_as_draft(after, key, actor=other)
