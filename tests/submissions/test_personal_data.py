"""Taking along and forgetting what the portal keeps about a person."""

import json
from dataclasses import replace

import pytest
from django.core.serializers.json import DjangoJSONEncoder

from evaluation.services.content_notices import set_on_metric
from impactbench.accounts.erasure import erase_account
from impactbench.accounts.personal_data import exported
from submissions.models import Assignment, CoAuthor, Conflict, Review, Submission, Suggestion
from submissions.services.cases import CaseText, begin
from submissions.services.cases import publish as publish_case
from submissions.services.publishing import publish, versions_of
from submissions.states import State
from submissions.turn_notes import Annotation
from tests.submissions.access.people_and_states import client_of
from tests.submissions.services.test_publishing import approved
from tests.support.builders import make_metric
from tests.support.editorial import make_reply, make_verdict
from tests.support.portal import CONTENT, make_assignment, make_person, make_review, make_submission

pytestmark = pytest.mark.django_db


def co_author(submission: Submission, name: str = "Bo Second") -> CoAuthor:
    person = make_person(name)
    return CoAuthor.objects.create(submission=submission, email=person.email, person=person, state="confirmed")


def test_an_export_has_what_a_person_wrote_and_nothing_said_of_them_in_confidence() -> None:
    author = make_person("Ada Expert")
    submission = make_submission(author, State.IN_REVIEW)
    reviewer = make_person("Rita Reviewer", "reviewer")
    make_review(make_assignment(submission.rounds.get(), reviewer), private_remark="Mine to read")
    Conflict.objects.create(submission=submission, person=make_person("Ri Val"), kind="named", reason="A rival.")

    of_author = json.dumps(exported(author)["submissions"], cls=DjangoJSONEncoder)
    of_reviewer = json.dumps(exported(reviewer)["submissions"], cls=DjangoJSONEncoder)
    of_rival = json.dumps(exported(submission.conflicts.get().person)["submissions"], cls=DjangoJSONEncoder)

    assert CONTENT.definition in of_author
    assert "Mine to read" not in of_author
    assert "Mine to read" in of_reviewer
    assert "Ada" not in of_reviewer
    assert "rival" not in of_rival


def test_what_an_editor_added_to_public_pages_stays_without_a_name() -> None:
    editor, other = make_person("Ed Gone", "editor"), make_person("Ed Stays", "editor")
    verdict = make_verdict()
    case = begin(
        verdict, CaseText("How it came about", "It began well.", [Annotation(1, "note", "Here.")]), actor=editor
    )
    make_reply(verdict.conversation.target).versions.update(written_by=editor)
    set_on_metric(make_metric(is_published=True).metric, ["grief"], seen=[], reason="It is.", actor=editor)

    told = exported(editor)["submissions"]
    erase_account(editor)

    assert [one["summary"] for one in told["case_studies"]] == ["It began well."]
    assert [one["reply__model__slug"] for one in told["replies_of_providers"]] == ["case-model"]
    desk = client_of(other)
    pages = "\n".join(
        desk.get(path).content.decode()
        for path in (f"/review/cases/{case.slug}/", "/review/replies/", "/review/notices/metrics/autonomy/m01/")
    )
    assert "Gone" not in pages
    assert "an erased account" in pages
    assert publish_case(case, number=1, actor=other).published_by == other


def test_erasure_takes_the_name_off_the_page_and_leaves_those_of_others() -> None:
    author, editor = make_person("Ada Expert", affiliation="House"), make_person("Ed One", "editor")
    submission = make_submission(author, State.IN_REVIEW)
    other = co_author(submission)
    published = approved(editor, author=author)
    CoAuthor.objects.create(submission=published, email="x@y.example", person=other.person, state="confirmed")
    row = versions_of(published)[0].approved_from
    row.credits = [
        {"person": author.pk, "text": "Ada Expert (House)"},
        {"person": other.person_id, "text": "Bo Second"},
    ]
    row.save()
    publish(published, actor=make_person("Ed Two", "editor"))

    erase_account(author)

    assert versions_of(published)[0].contributor == "Bo Second"
    for one in Submission.objects.filter(pk__in=[submission.pk, published.pk]):
        assert one.owner == other.person
        assert [(item.person, item.state, item.name) for item in one.co_authors.all()] == [(author, "confirmed", "")]
        assert "ada" not in one.co_authors.get().email


def test_erasure_deletes_drafts_and_keeps_what_was_sent_without_notes_on_people() -> None:
    author = make_person("Ada Expert")
    content = replace(CONTENT, not_reviewers="Dr Rival of Rival House")
    make_submission(author, State.DRAFT, content)
    make_submission(author, State.DISCARDED, content)
    sent = make_submission(author, State.REJECTED, content)

    erase_account(author)

    [kept] = Submission.objects.all()
    assert kept == sent
    assert kept.revisions.get().text == replace(CONTENT, not_reviewers="")
    assert kept.draft.not_reviewers == ""
    assert [one.content["not_reviewers"] for one in kept.draft_versions.all()] == [""]
    assert kept.author_domains == []


def test_what_nobody_can_answer_for_any_more_is_withdrawn() -> None:
    author = make_person("Ada Expert")
    submission = make_submission(author, State.IN_REVIEW)

    erase_account(author)

    submission.refresh_from_db()
    assert submission.state == State.WITHDRAWN


def test_a_reviewer_who_goes_hands_back_and_their_reviews_stay() -> None:
    first, second = (make_submission(make_person(f"Ada {n}"), State.IN_REVIEW) for n in "ab")
    reviewer = make_person("Rita Reviewer", "reviewer")
    review = make_review(make_assignment(first.rounds.get(), reviewer))
    open_one = make_assignment(second.rounds.get(), reviewer)
    Conflict.objects.create(submission=first, person=reviewer, kind="declared", reason="We are married.")
    voice = Suggestion.objects.create(
        metric=make_metric().metric, kind="dispute", text="No.", signed_as="Rita", person=reviewer
    )

    erase_account(reviewer)

    open_one.refresh_from_db()
    assert open_one.state == Assignment.State.HANDED_BACK
    assert Review.objects.get(pk=review.pk).for_author == "Clear and useful."
    assert Conflict.objects.get().reason == ""
    voice.refresh_from_db()
    assert (voice.text, voice.signed_as, voice.person) == ("No.", "", None)
