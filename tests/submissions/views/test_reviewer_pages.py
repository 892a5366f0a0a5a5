"""The pages of reviewers: what opens to whom, what a form keeps, and what no page may tell."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from impactbench.accounts.models import RoleGrant
from impactbench.common.models import OutgoingMail
from submissions.models import Assignment, Attachment, Call, Conflict, RequestedChange, Review
from submissions.rubric import CRITERION_KEYS
from submissions.services.attachments import attach
from submissions.states import State
from tests.support.portal import (
    CONTENT,
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_revision,
    make_round,
    make_submission,
)

pytestmark = pytest.mark.django_db
WHOLE = {**dict.fromkeys(CRITERION_KEYS, "3"), "for_author": "Good work.", "advice": "approve"}
OWNER_NAME = "Adelheid Ownersdottir"


def in_review(state=State.IN_REVIEW, **fields):
    return make_submission(make_person(OWNER_NAME, "expert"), state, **fields)


def reviewer_of(submission, name="Rita Reviewer", state=Assignment.State.ACCEPTED, roles=("reviewer",)):
    person = make_person(name, *roles)
    return person, make_assignment(submission.rounds.order_by("-number").first(), person, state)


def page_of(submission, name="review"):
    return reverse(f"submissions:{name}", args=[submission.public_id])


def body(response):
    return response.content.decode()


def signed_in(client, person):
    client.force_login(person)
    return client


def test_further_complaint_reviewer_opens_any_submission_by_url(client):
    """A reviewer without an assignment gets what an unknown id gets, at every address of the submission."""
    submission = in_review()
    signed_in(client, make_person("Rita Reviewer", "reviewer"))
    names = ["review", "review-answer", "review-hand-back", "review-skip", "review-comments", "own-comments"]

    answers = [client.get(page_of(submission)).status_code]
    answers += [client.post(page_of(submission, name)).status_code for name in names]
    unknown = [client.get("/review/S-222222/").status_code]

    assert (answers, unknown) == ([404] * 7, [404])


@pytest.mark.parametrize("state", ["declined", "conflict", "cancelled"])
def test_page_of_who_left_without_reading_is_not_there(client, state):
    submission = in_review()
    person, _ = reviewer_of(submission, state=state)

    assert signed_in(client, person).get(page_of(submission)).status_code == 404


def test_invited_person_reads_a_title_and_one_sentence_only(client):
    content = replace(CONTENT, construct="One sentence about it. HIDDEN second one.")
    submission = in_review(content=content)
    person, _ = reviewer_of(submission, state="invited")

    text = body(signed_in(client, person).get(page_of(submission)))

    hidden = ["HIDDEN", CONTENT.definition, CONTENT.hard_cases, CONTENT.relevance, CONTENT.examples_present[0]]
    assert [part for part in hidden if part in text] == []
    assert (CONTENT.title in text, "One sentence about it." in text) == (True, True)


def test_accept_needs_the_declaration_and_keeps_the_reason_that_was_typed(client):
    submission = in_review()
    person, assignment = reviewer_of(submission, state="invited")
    signed_in(client, person)

    refused = client.post(page_of(submission, "review-answer"), {"a": "accept", "reason": "MY WORDS"})
    assert (refused.status_code, "MY WORDS" in body(refused)) == (422, True)
    accepted = client.post(page_of(submission, "review-answer"), {"a": "accept", "conflict": "no"})

    assignment.refresh_from_db()
    assert (accepted.status_code, accepted.url, assignment.state) == (302, page_of(submission), "accepted")


def test_doubt_about_a_conflict_shuts_it_whichever_button_is_pressed(client):
    submission = in_review()
    person, assignment = reviewer_of(submission, state="invited")
    signed_in(client, person)

    client.post(page_of(submission, "review-answer"), {"a": "accept", "conflict": "yes"})

    assignment.refresh_from_db()
    assert (assignment.state, Conflict.objects.count()) == ("conflict", 1)
    assert client.get(page_of(submission)).status_code == 404


def test_queue_shows_what_is_blocked_with_the_reason_and_without_counting_it(client):
    person = make_person("Rita Reviewer", "reviewer", email="rita@clinic.example")
    owner = make_person("Ada Author", "expert", email="ada@clinic.example")
    blocked = make_submission(owner, State.IN_REVIEW)
    make_assignment(blocked.rounds.get(), person, "invited")
    signed_in(client, person)

    response = client.get("/review/")

    queue = response.context["queue"]
    assert [item.obstacle for item in queue.invitations] == ["It comes from your organisation."]
    assert (queue.n_waiting, queue.n_total) == (0, 0)
    assert page_of(blocked, "review-answer") not in body(response)


def test_queue_leaves_out_invitations_that_have_ended(client):
    submission = in_review()
    person, _ = reviewer_of(submission, state="invited")
    Assignment.objects.update(answer_by=timezone.now() - timedelta(minutes=1))

    response = signed_in(client, person).get("/review/")

    assert response.context["queue"].invitations == []
    assert "Nothing to review today." in body(response)


def test_queue_names_the_next_thing_and_skips_it_for_now(client):
    person = make_person("Rita Reviewer", "reviewer")
    first, second = (make_submission(make_person(f"Author {number}"), State.IN_REVIEW) for number in (1, 2))
    for submission, days in ((first, 3), (second, 9)):
        assignment = make_assignment(submission.rounds.get(), person)
        Assignment.objects.filter(pk=assignment.pk).update(due_at=timezone.now() + timedelta(days=days))
    signed_in(client, person)

    def next_one():
        return client.get("/review/").context["queue"].next.public_id

    seen = [next_one()]
    for submission in (first, second):
        client.post(page_of(submission, "review-skip"))
        seen.append(next_one())

    assert seen == [first.public_id, second.public_id, first.public_id]


@pytest.mark.parametrize(
    ("kind", "decision", "state", "outcome"),
    [
        ("approve", "waiting", State.IN_REVIEW, "in discussion"),
        ("reject", "held", State.IN_REVIEW, "in discussion"),
        ("approve", "sent", State.APPROVED, "approved"),
        ("approve", "sent", State.PUBLISHED, "published"),
        ("reject", "sent", State.REJECTED, "not accepted"),
        ("request_changes", "sent", State.CHANGES_REQUESTED, "changes requested"),
    ],
)
def test_outcome_is_told_only_once_the_letter_is_out(client, kind, decision, state, outcome):
    submission = in_review(state)
    person, assignment = reviewer_of(submission)
    make_review(assignment)
    make_decision(submission, make_person("Ed Editor", "editor"), kind, decision)

    queue = signed_in(client, person).get("/review/").context["queue"]

    assert [item.outcome for item in queue.sent] == [outcome]


@pytest.mark.parametrize(("roles", "status"), [((), 404), (("expert",), 404), (("reviewer",), 200), (("editor",), 200)])
def test_desk_is_for_reviewers_and_editors(client, roles, status):
    signed_in(client, make_person("Somebody", *roles))

    assert client.get("/review/").status_code == status


def test_desk_tab_of_editors_is_not_for_reviewers(client):
    signed_in(client, make_person("Rita Reviewer", "reviewer"))

    response = client.get("/review/?tab=all")

    assert response.templates[0].name == "submissions/reviewers/queue.html"


def test_role_taken_away_shuts_page_and_form_with_the_next_request(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)
    before = client.get(page_of(submission)).status_code
    RoleGrant.objects.filter(user=person).delete()

    after = [client.get(page_of(submission)).status_code, client.post(page_of(submission), WHOLE).status_code]

    assert (before, after, Review.objects.count()) == (200, [404, 404], 0)


def test_save_by_script_answers_with_the_new_version(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)

    response = client.post(
        page_of(submission), {"version": "0", "clarity": "2", "a": "save"}, headers={"accept": "application/json"}
    )

    answer = json.loads(body(response))
    assert (answer["version"], answer["n_answered"]) == (1, 1)
    assert Review.objects.get().answers["clarity"]["value"] == 2


def test_complaint_03_unfinished_review_is_kept_with_a_summary_in_the_title_and_focus(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)

    response = client.post(page_of(submission), {**WHOLE, "clarity": "", "version": "0", "a": "send"})

    text = body(response)
    assert response.status_code == 422
    assert "<title>Problem: Review" in text
    assert 'tabindex="-1" autofocus aria-labelledby="h-problems"' in text
    assert '<a href="#c-clarity">Clear: choose one of the four' in text
    assert (Review.objects.get().for_author, Review.objects.get().sent_at) == ("Good work.", None)


def test_complaint_04_stale_form_gets_both_texts_and_overwrites_nothing(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)
    client.post(page_of(submission), {"for_author": "FROM THE OTHER WINDOW", "version": "0"})

    response = client.post(page_of(submission), {"for_author": "FROM THIS PAGE", "version": "0"})

    text = body(response)
    assert response.status_code == 409
    assert (text.count("FROM THE OTHER WINDOW"), text.count("FROM THIS PAGE")) == (1, 2)
    assert 'name="version" value="1"' in text
    assert Review.objects.get().for_author == "FROM THE OTHER WINDOW"


def test_refused_change_comes_back_with_its_text(client):
    submission = in_review()
    person, assignment = reviewer_of(submission)
    make_review(assignment)
    make_decision(submission, make_person("Ed Editor", "editor"), "approve", "waiting")
    signed_in(client, person)

    response = client.post(page_of(submission), {**WHOLE, "for_author": "MY LATE WORDS", "version": "1", "a": "send"})

    text = body(response)
    assert (response.status_code, "MY LATE WORDS" in text, "The editors are deciding" in text) == (409, True, True)
    assert Review.objects.get().for_author == "Clear and useful."


def test_complaint_01_review_sent_after_the_session_ended_comes_back_with_its_text(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)
    client.logout()

    page = client.post(page_of(submission), {**WHOLE, "for_author": "LONG WORDS", "version": "0"})
    script = client.post(page_of(submission), WHOLE, headers={"accept": "application/json"})

    assert (page.status_code, "LONG WORDS" in body(page)) == (403, True)
    assert script.status_code == 401


def test_next_leads_to_the_next_open_review(client):
    person = make_person("Rita Reviewer", "reviewer")
    one, other = (make_submission(make_person(f"Author {number}"), State.IN_REVIEW) for number in (1, 2))
    for submission in (one, other):
        make_assignment(submission.rounds.get(), person)
    signed_in(client, person)

    response = client.post(page_of(one), {**WHOLE, "version": "0", "a": "next"})

    assert (response.status_code, response.url) == (302, page_of(other))


def test_other_reviews_open_after_the_own_one_without_private_remarks(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    _, assignment = reviewer_of(submission, "Rolf Reviewer")
    make_review(assignment, for_author="OTHER WORDS", private_remark="PRIVATE WORDS")
    signed_in(client, person)

    before = body(client.get(page_of(submission)))
    client.post(page_of(submission), {**WHOLE, "version": "0", "a": "send"})
    after = body(client.get(page_of(submission)))

    assert ("OTHER WORDS" in before, "OTHER WORDS" in after) == (False, True)
    assert ("PRIVATE WORDS" in after, "Rolf" in after, "Reviewer 2" in after) == (False, False, True)


def second_round():
    """A submission whose second version answers two requests, with a reviewer of both rounds and one of the first."""
    submission = in_review()
    person, assignment = reviewer_of(submission)
    first_only, early = reviewer_of(submission, "Rolf Reviewer")
    make_review(assignment)
    make_review(early)
    decision = make_decision(submission, make_person("Ed Editor", "editor"), "request_changes")
    RequestedChange.objects.create(
        decision=decision, number=1, field="definition", text="ASKED WORDS", answer="ANSWERED WORDS", done="changed"
    )
    submission.rounds.update(closed_at=timezone.now())
    submission.content = {**submission.content, "definition": "NEW WORDS"}
    submission.save()
    make_revision(submission)
    make_assignment(make_round(submission), person)
    return submission, person, first_only


def test_second_round_shows_what_was_asked_answered_and_changed(client):
    submission, person, _ = second_round()

    text = body(signed_in(client, person).get(page_of(submission)))

    assert [words in text for words in ("ASKED WORDS", "ANSWERED WORDS", "<ins>NEW WORDS</ins>")] == [True] * 3


def test_complaint_11_reviewer_of_the_first_round_alone_learns_nothing_of_the_second(client):
    """Blindness follows the person: the first round's reviewer stays a reviewer of the first version."""
    submission, _, first_only = second_round()

    text = body(signed_in(client, first_only).get(page_of(submission)))

    assert [words in text for words in ("NEW WORDS", "ANSWERED WORDS", OWNER_NAME)] == [False] * 3
    assert "This round of review is over" in text


def test_complaint_12_editor_who_is_the_author_or_reviews_it_never_gets_the_editors_page(client):
    owner = make_person("Ada Author", "expert", "reviewer", "editor")
    submission = make_submission(owner, State.IN_REVIEW)
    person, assignment = reviewer_of(submission, roles=("reviewer", "editor"))
    _, other = reviewer_of(submission, "Rolf Reviewer")
    make_review(other, private_remark="PRIVATE WORDS", for_author="OTHER WORDS")

    as_author = signed_in(client, owner).get(page_of(submission)).status_code
    signed_in(client, person)
    as_reviewer = body(client.get(page_of(submission)))
    Assignment.objects.filter(pk=assignment.pk).update(state="cancelled", answered_at=timezone.now())
    relieved = body(client.get(page_of(submission)))

    assert as_author == 404
    assert [word in as_reviewer + relieved for word in ("PRIVATE WORDS", "OTHER WORDS", "Ada Author")] == [False] * 3


def every_page_of(client, submission):
    """Everything a reviewer can open about a submission, headers of downloads too."""
    pages = [
        client.get("/review/"),
        client.get(page_of(submission)),
        client.get(page_of(submission, "review-hand-back")),
    ]
    pages += [client.post(page_of(submission), {"version": "7", "for_author": "x", "a": "send"})]
    pages += [client.post(page_of(submission, "review-comments"), {"text": "", "audience": "editors"})]
    return "".join(body(page) + str(page.headers) for page in pages)


@pytest.mark.parametrize(("blinding", "is_named"), [(Call.Blinding.DOUBLE, False), (Call.Blinding.SINGLE, True)])
def test_complaint_09_author_is_named_only_where_the_call_says_so(client, blinding, is_named):
    call = Call.objects.create(slug="winter", title="Winter", blinding=blinding)
    content = replace(CONTENT, not_reviewers="Professor Nemesis")
    submission = in_review(call=call, content=content)
    owner = submission.owner
    owner.affiliation = "Institute of Ownership"
    owner.save()
    Attachment.objects.create(
        submission=submission,
        stored="stored",
        name=f"{OWNER_NAME} appendix.pdf",
        content_type="application/pdf",
        size=10,
        sha256="",
        warning="This file names its author.",
        added_by=owner,
        added_at=submission.revisions.get().sent_at,
    )
    person, assignment = reviewer_of(submission)
    make_review(assignment)

    text = every_page_of(signed_in(client, person), submission)
    mails = "".join(mail.subject + mail.text for mail in OutgoingMail.objects.filter(recipient=person))

    assert (OWNER_NAME in text) is is_named
    marks = [owner.email, "Institute of Ownership", "Professor Nemesis", f"{OWNER_NAME} appendix", "names its author"]
    assert [mark for mark in marks if mark in text] == []
    assert OWNER_NAME not in mails
    assert "Attachment 1.pdf" in text


def test_further_complaint_file_is_handed_out_under_a_neutral_name_and_to_its_readers_only(client, settings, tmp_path):
    settings.IMPACTBENCH_HOME = tmp_path
    owner = make_person(OWNER_NAME, "expert")
    submission = make_submission(owner)
    upload = SimpleUploadedFile(f"{OWNER_NAME} notes.txt", b"Some notes.", "text/plain")
    attachment = attach(submission, upload, actor=owner)
    submission.state = State.IN_REVIEW
    submission.save()
    make_revision(submission)
    make_round(submission)
    reviewer, _ = reviewer_of(submission)
    elsewhere = make_submission(make_person("Otto Other"), State.IN_REVIEW)
    stranger, _ = reviewer_of(elsewhere, "Rolf Reviewer")

    def fetch(person, parent=submission):
        return signed_in(client, person).get(reverse("submissions:review-file", args=[parent.public_id, attachment.pk]))

    got = fetch(reviewer)
    assert (got.status_code, b"".join(got.streaming_content)) == (200, b"Some notes.")
    assert got.headers["Content-Disposition"] == 'attachment; filename="Attachment-1.txt"'
    refused = [fetch(stranger).status_code, fetch(stranger, elsewhere).status_code, fetch(owner).status_code]
    assert refused == [404, 404, 404]


def test_complaint_08_filters_and_searches_of_the_desk_reach_nobody(client):
    """No parameter of the desk names people: what is asked for in the address changes nothing for a reviewer."""
    submission = in_review()
    person, _ = reviewer_of(submission)
    other, _ = reviewer_of(submission, "Rolf Reviewer")
    signed_in(client, person)

    asked = [f"/review/?{query}" for query in ("tab=all", "tab=outbox", f"person={other.pk}", "group=reviewers", "q=a")]
    text = "".join(body(client.get(address)) for address in asked)

    assert [name for name in ("Rolf", OWNER_NAME, other.email, submission.owner.email) if name in text] == []


def test_complaint_10_discussion_on_the_page_names_nobody(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    other, _ = reviewer_of(submission, "Rolf Reviewer")
    editor = make_person("Ed Editor", "editor")
    for writer in (submission.owner, other, editor):
        name = "own-comments" if writer == submission.owner else "review-comments"
        signed_in(client, writer).post(page_of(submission, name), {"text": "Words.", "audience": "everyone"})

    text = body(signed_in(client, person).get(page_of(submission)))

    assert [name for name in (OWNER_NAME, "Rolf", "Ed Editor") if name in text] == []
    headings = [line for line in ("The author to", "Reviewer 2 to", "An editor to") if line in text]
    assert headings == ["The author to", "Reviewer 2 to", "An editor to"]


def test_hostile_words_are_shown_as_words(client):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>{{ 7|add:7 }} javascript:alert(3) https://evil.example"
    content = replace(
        CONTENT, title=evil, construct=evil, definition=evil, hard_cases=evil, examples_present=(evil, evil)
    )
    submission = in_review(content=content)
    person, _ = reviewer_of(submission)
    signed_in(client, person)
    client.post(page_of(submission), {"for_author": evil, "m-clarity": evil, "version": "0"})
    client.post(page_of(submission, "review-comments"), {"text": evil, "audience": "everyone"})

    text = body(client.get(page_of(submission))) + body(client.get("/review/"))

    assert [
        mark for mark in ("<script>alert", "<img src=x", 'href="https://evil', 'href="javascript') if mark in text
    ] == []
    assert "{{ 7|add:7 }}" in text


def test_comment_that_is_refused_comes_back_with_its_text_and_audience(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)

    response = client.post(page_of(submission, "review-comments"), {"text": "MY WORDS", "audience": "seat-9"})

    assert (response.status_code, "MY WORDS" in body(response)) == (422, True)


@pytest.mark.parametrize(
    "posted", [{}, {"most_open": "0"}, {"most_open": "many"}, {"most_open": "3", "away_until": "x"}]
)
def test_settings_that_cannot_be_read_change_nothing(client, posted):
    person = make_person("Rita Reviewer", "reviewer")

    response = signed_in(client, person).post("/review/settings/", posted)

    person.reviewer.refresh_from_db()
    assert (response.status_code, person.reviewer.most_open) == (422, 4)


def test_settings_are_kept(client):
    person = make_person("Rita Reviewer", "reviewer")
    chosen = signed_in(client, person).get("/review/settings/").context["areas"][0][1][0][0]

    client.post(
        "/review/settings/",
        {"subareas": [chosen.pk], "most_open": "2", "away_until": "2027-01-31", "wants_credit": "on"},
    )

    kept = person.reviewer
    kept.refresh_from_db()
    assert (kept.most_open, str(kept.away_until), kept.wants_credit) == (2, "2027-01-31", True)
    assert list(kept.subareas.all()) == [chosen]


@pytest.mark.parametrize("name", ["review-answer", "review-skip", "review-comments", "own-comments"])
def test_nothing_changes_by_following_a_link(client, name):
    submission = in_review()
    person, _ = reviewer_of(submission)

    assert signed_in(client, person).get(page_of(submission, name)).status_code == 405
