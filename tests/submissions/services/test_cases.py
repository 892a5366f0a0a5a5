"""Case studies: every save is a version, a second editor publishes, two editors never overwrite one another."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from impactbench.common.errors import DomainError
from impactbench.common.models import AuditEvent
from submissions.models import CaseStudy
from submissions.services import cases
from submissions.services.cases import CaseText, ChangedMeanwhile, Unusable
from submissions.services.transitions import NotAllowed
from submissions.turn_notes import Annotation, typed
from tests.submissions.services.test_publishing import approved
from tests.support.editorial import make_case, make_verdict
from tests.support.frozen import nothing_is_frozen
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db
TEXT = CaseText(
    "How it came about", "It began well.", [Annotation(2, "note", "More."), Annotation(1, "note", " Here. ")]
)


def editors() -> tuple[Any, Any]:
    return make_person("Ed One", "editor"), make_person("Ed Two", "editor")


def test_a_case_begins_as_a_version_that_nobody_else_reads() -> None:
    one, _ = editors()

    case = cases.begin(make_verdict(), TEXT, actor=one)

    version = case.versions.get()
    assert (case.slug, version.number, version.written_by, version.published_at) == ("how-it-came-about", 1, one, None)
    assert version.annotations == [
        {"turn": 1, "kind": "note", "text": "Here."}, {"turn": 2, "kind": "note", "text": "More."},
    ]  # fmt: skip
    assert cases.published_version(case) is None


def test_addresses_stay_apart_and_clear_of_the_words_of_the_site() -> None:
    one, _ = editors()
    verdict = make_verdict()

    slugs = [cases.begin(verdict, replace(TEXT, title=title), actor=one).slug for title in ("New", "New", "自分")]

    assert slugs == ["new-2", "new-3", "case"]


def test_saving_makes_the_next_version_and_the_same_words_make_none() -> None:
    one, two = editors()
    case = cases.begin(make_verdict(), TEXT, actor=one)

    same = cases.save(case, TEXT, based_on=1, actor=two)
    other = cases.save(case, replace(TEXT, summary="Otherwise."), based_on=1, actor=two)

    assert (same.number, other.number, other.written_by) == (1, 2, two)
    assert [one.summary for one in case.versions.all()] == ["It began well.", "Otherwise."]


def test_what_another_editor_saved_meanwhile_stands() -> None:
    one, two = editors()
    case = cases.begin(make_verdict(), TEXT, actor=one)
    cases.save(case, replace(TEXT, summary="Hers."), based_on=1, actor=two)

    with pytest.raises(ChangedMeanwhile):
        cases.save(case, replace(TEXT, summary="His."), based_on=1, actor=one)
    with pytest.raises(ChangedMeanwhile):
        cases.publish(case, number=1, actor=one)

    assert cases.newest_version(case).summary == "Hers."


def test_the_writer_does_not_publish_and_another_editor_does() -> None:
    one, two = editors()
    case = cases.begin(make_verdict(), TEXT, actor=one)

    with pytest.raises(NotAllowed):
        cases.publish(case, number=1, actor=one)
    version = cases.publish(case, number=1, actor=two)

    assert (version.published_by, cases.published_version(case)) == (two, version)
    actions = AuditEvent.objects.filter(target_type="submissions.casestudy").order_by("pk")
    assert list(actions.values_list("action", "actor")) == [("case-begun", one.pk), ("case-published", two.pk)]


def test_readers_keep_the_published_version_while_the_next_is_written() -> None:
    one, two = editors()
    case = cases.begin(make_verdict(), TEXT, actor=one)
    cases.publish(case, number=1, actor=two)

    cases.save(case, replace(TEXT, summary="Otherwise."), based_on=1, actor=one)

    shown = cases.published_version(case)
    assert shown is not None
    assert (shown.number, shown.summary) == (1, "It began well.")


def test_a_retired_case_has_its_reason_and_comes_back_by_a_second_editor() -> None:
    _, two = editors()
    case = make_case()

    with pytest.raises(DomainError, match="Say why"):
        cases.retire(case, reason=" ", actor=two)
    retired = cases.retire(case, reason="It was unfair.", actor=two)
    with pytest.raises(DomainError, match="Only a case study that is shown"):
        cases.retire(case, reason="Again.", actor=two)

    assert (retired.retirement_reason, retired.retired_by, case.versions.count()) == ("It was unfair.", two, 1)
    cases.publish(case, number=1, actor=two)
    case.refresh_from_db()
    assert (case.retired_at, case.retirement_reason) == (None, "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (replace(TEXT, title=" "), ["Give it a title."]),
        (replace(TEXT, title="x" * 201), ["Shorten the title to 200 characters."]),
        (replace(TEXT, summary="x" * 3001), ["Shorten the summary to 3,000 characters."]),
        (replace(TEXT, annotations=[Annotation(9, "note", "x")]), ["There is no turn 9 in this conversation."]),
        (replace(TEXT, annotations=[Annotation(1, "", "x")]), ["Choose what your words at turn 1 are."]),
        (replace(TEXT, annotations=[Annotation(1, "note", " ")]), ["Write what you want to say at turn 1."]),
        (
            replace(TEXT, annotations=[Annotation(turn, "first-failure", "x") for turn in (1, 2)]),
            ["There can be only one first failure. Choose another kind for the later ones."],
        ),
    ],
)
def test_what_cannot_be_saved_is_told_in_sentences(text: CaseText, told: list[str]) -> None:
    with pytest.raises(Unusable) as error:
        cases.begin(make_verdict(), text, actor=editors()[0])

    assert error.value.problems == told
    assert not CaseStudy.objects.exists()


def test_nothing_half_finished_and_nothing_of_a_retracted_release_is_published() -> None:
    _, two = editors()
    case = make_case(is_published=False, summary="", annotations=[])
    release = case.release
    type(release).objects.filter(pk=release.pk).update(status="retracted", retraction_reason="Wrong judge.")

    with pytest.raises(Unusable) as error:
        cases.publish(case, number=1, actor=two)

    assert error.value.problems == [
        "Write a summary before it is published.",
        "Annotate at least one turn before it is published.",
        "Its release was retracted; choose a conversation of another one.",
    ]


def test_who_wrote_the_metric_or_is_no_editor_writes_no_case_about_it() -> None:
    one, two = editors()
    case = make_case()
    submission = approved(one, author=two)
    row = submission.revisions.get().approved_metrics.get()
    row.metric_version = case.conversation.scenario.base.metric_version
    row.save()

    for person in (two, make_person("Sam Expert", "expert")):
        with pytest.raises(NotAllowed):
            cases.retire(case, reason="Mine.", actor=person)
    assert cases.retire(case, reason="Unfair.", actor=one).retired_by == one


def test_a_conversation_without_words_is_no_case() -> None:
    verdict = make_verdict()
    with nothing_is_frozen():
        verdict.conversation.turns.all().delete()

    with pytest.raises(Unusable, match="The words of this conversation were not published"):
        cases.begin(verdict, TEXT, actor=editors()[0])


def test_the_database_wants_a_reason_with_retirement() -> None:
    case = make_case()

    with pytest.raises(IntegrityError), transaction.atomic():
        CaseStudy.objects.filter(pk=case.pk).update(retirement_reason="No date.")


def test_what_a_form_holds_is_read_row_by_row() -> None:
    assert typed(["1", "x", "2", "3"], ["note", "note", "", ""], ["a\r\nb", "b", "", "c\x00"]) == [
        Annotation(1, "note", "a\nb"),
        Annotation(3, "", "c"),
    ]
