"""The pages of editors: what they list, what they do, and whom they keep out."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Area, Benchmark, Subarea, Taxonomy
from impactbench.accounts.models import RoleGrant
from impactbench.common.models import AuditEvent, OutgoingMail
from submissions.models import Assignment, Call, Conflict, Decision, Extension, Reviewer
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


@pytest.fixture
def owner():
    return make_person("Ada Author", "expert")


@pytest.fixture
def editor():
    return make_person("Ed Editor", "editor")


@pytest.fixture
def desk(client, editor):
    client.force_login(editor)
    return client


@pytest.fixture
def subarea():
    """The one subarea that the content of the tests names."""
    taxonomy = Taxonomy.objects.create(slug="t", title="T")
    area = Area.objects.create(taxonomy=taxonomy, slug="meaning", name="Meaning and purpose")
    return Subarea.objects.create(taxonomy=taxonomy, area=area, slug="agency-purpose", name="Agency")


def reviewed(owner, n=2, **values):
    submission = make_submission(owner, State.IN_REVIEW)
    for number in range(1, n + 1):
        person = make_person(f"Rita Reviewer{number}", "reviewer")
        make_review(make_assignment(submission.rounds.get(), person), private_remark=f"Remark {number}", **values)
    return submission


def at(name, submission, *more):
    return reverse(f"submissions:{name}", args=[submission.public_id, *more])


def listed(response):
    return sorted(row.submission.public_id for row in response.context["page"])


def board(client, **query):
    return client.get("/review/", {"tab": "all", **query})


def body(response):
    return response.content.decode()


def state_of(submission):
    submission.refresh_from_db()
    return submission.state


# --- the board


def test_board_lists_what_is_open_and_counts_drafts_without_showing_them(desk, owner):
    shown = make_submission(owner, State.SUBMITTED)
    make_submission(owner, State.PUBLISHED)
    draft = make_submission(owner, State.DRAFT)

    response = board(desk)

    assert listed(response) == [shown.public_id]
    assert "1 of 2 submissions." in body(response)
    assert "1 draft is being written." in body(response)
    assert draft.public_id not in body(response)


def test_complaint_12_editor_who_is_also_the_owner_finds_own_submission_in_no_list_count_or_export(client, owner):
    both = make_person("Olga Owner", "expert", "editor")
    client.force_login(both)
    own = reviewed(both)
    make_decision(own, make_person("Eve Editor", "editor"), "reject", "waiting")
    reviewer = own.rounds.get().assignments.first()
    Assignment.objects.filter(pk=reviewer.pk).update(state="accepted")
    other = make_submission(owner, State.SUBMITTED)
    pages = {
        "board": board(client, state="any", q=""),
        "search": board(client, state="any", q=own.public_id),
        "json": board(client, state="any", format="json"),
        "csv": board(client, state="any", format="csv"),
        "outbox": client.get("/review/?tab=outbox"),
        "people": client.get("/review/people/"),
        "bulk": client.post("/review/bulk/", {"a": "remind", "s": [own.public_id]}),
    }
    texts = {
        name: b"".join(page.streaming_content).decode() if page.streaming else body(page)
        for name, page in pages.items()
    }

    assert listed(pages["board"]) == [other.public_id]
    assert "1 of 1 submission." in texts["board"]
    # A search repeats what was typed, in its own field only.
    assert texts.pop("search").count(own.public_id) == 1
    assert [name for name, text in texts.items() if own.public_id in text] == []
    assert [row["n_open"] for row in pages["people"].context["rows"]] == [0, 0]
    for name in ("review-reviewers", "review-decision"):
        assert client.get(at(name, own)).status_code == 404
    assert b"Remark 1" not in client.get(at("review", own)).content


def test_complaint_12_a_conflict_noted_now_holds_at_the_next_request(desk, editor, owner):
    submission = reviewed(owner)
    before = desk.get(at("review", submission)).status_code
    Conflict.objects.create(submission=submission, person=editor, kind="declared")

    after = [desk.get(at(name, submission)).status_code for name in ("review", "review-decision", "review-reviewers")]

    assert (before, after, listed(board(desk))) == (200, [404, 404, 404], [])


def test_board_after_the_role_was_taken_away_is_not_there(desk, editor, owner):
    make_submission(owner, State.SUBMITTED)
    RoleGrant.objects.filter(user=editor).delete()

    assert board(desk).status_code == 404


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"turn": "editors"}, ["alone", "decide"]),
        ({"turn": "reviewers"}, ["late"]),
        ({"turn": "author"}, ["changes"]),
        ({"state": "changes_requested"}, ["changes"]),
        ({"flag": "overdue"}, ["late"]),
        ({"flag": "alone"}, ["alone"]),
        ({"flag": "apart"}, ["decide"]),
        ({"flag": "differs"}, ["alone"]),
        ({"call": "spring"}, ["changes"]),
        ({"turn": "nonsense", "state": "draft"}, ["alone", "changes", "decide", "late"]),
        ({"q": "WORDS nobody wrote"}, []),
        ({"q": "instruction"}, ["alone", "changes", "decide", "late"]),
    ],
)
def test_board_filters_in_the_address(desk, editor, owner, query, names):
    found = {
        "alone": make_submission(owner, State.SUBMITTED),
        "late": make_submission(owner, State.IN_REVIEW),
        "decide": make_submission(owner, State.IN_REVIEW),
        "changes": make_submission(owner, State.CHANGES_REQUESTED, call=Call.objects.create(slug="spring", title="S")),
    }
    found["alone"].revisions.update(trial={"n_differ": 1, "n_examples": 4})
    late = make_assignment(found["late"].rounds.get(), make_person("Rita", "reviewer"))
    Assignment.objects.filter(pk=late.pk).update(due_at=timezone.now() - timedelta(days=2))
    for name, values in (("Rolf", (4,) * 8), ("Rosa", (4, 2, *(4,) * 6))):
        make_review(make_assignment(found["decide"].rounds.get(), make_person(name, "reviewer")), values=values)
    make_decision(found["changes"], editor, "request_changes")

    assert listed(board(desk, **query)) == sorted(found[name].public_id for name in names)


def test_board_searches_the_sent_text_and_not_the_draft(desk, owner):
    submission = make_submission(owner, State.CHANGES_REQUESTED)
    submission.content = {**submission.content, "title": "Zebra crossing"}
    submission.save()

    assert listed(board(desk, q="zebra")) == []
    assert listed(board(desk, q="deciding FOR the")) == [submission.public_id]
    assert listed(board(desk, q="ada auth")) == [submission.public_id]


def test_complaint_13_export_has_exactly_the_rows_shown_and_no_formula(desk, owner):
    submission = make_submission(owner, State.SUBMITTED)
    revision = submission.revisions.get()
    revision.content = {**revision.content, "title": "=1+1"}
    revision.save()
    make_submission(owner, State.REJECTED)

    text = b"".join(board(desk, format="csv").streaming_content).decode("utf-8-sig")
    rows = json.loads(board(desk, format="json").content)["submissions"]

    assert [line.split(",")[:2] for line in text.splitlines()[1:]] == [[f'"{submission.public_id}"', '"\'=1+1"']]
    assert [(row["id"], row["author"]) for row in rows] == [(submission.public_id, "Ada Author")]


def test_board_gives_fifty_on_a_page(desk):
    for number in range(51):
        make_submission(make_person(f"Ada {number}", "expert"), State.SUBMITTED)

    assert [len(board(desk, page=page).context["page"]) for page in (1, 2, 99)] == [50, 1, 1]


def test_board_for_a_reviewer_is_their_own_desk(client, owner):
    submission = make_submission(owner, State.SUBMITTED)
    client.force_login(make_person("Rita Reviewer", "reviewer"))

    assert submission.public_id not in body(board(client))
    for address in ("/review/calls/", "/review/people/", "/review/import/"):
        assert client.get(address).status_code == 404


# --- bulk


def test_bulk_page_shows_only_what_it_may_and_says_what_will_not_happen(desk, editor, owner):
    seen, finished = make_submission(owner, State.IN_REVIEW), reviewed(owner, 1)
    own, draft = make_submission(editor, State.IN_REVIEW), make_submission(owner, State.DRAFT)
    make_assignment(seen.rounds.get(), make_person("Rolf Reader", "reviewer"))

    response = desk.post(
        "/review/bulk/", {"a": "remind", "s": [one.public_id for one in (seen, finished, own, draft)] + ["S-NOTHERE"]}
    )

    assert [(one.title, one.words) for one in response.context["will"]] == [(CONTENT.title, "Remind Rolf Reader.")]
    assert [one.words for one in response.context["will_not"]] == ["Nobody has anything left to do."]
    assert response.context["n_missing"] == 3
    assert [one.public_id for one in (own, draft) if one.public_id in body(response)] == []
    assert OutgoingMail.objects.count() == 0


def test_bulk_remind_lists_partial_failure_and_does_nothing_twice(desk, owner):
    seen, finished = make_submission(owner, State.IN_REVIEW), reviewed(owner, 1)
    make_assignment(seen.rounds.get(), make_person("Rolf Reader", "reviewer"))
    data = {"a": "remind", "s": [seen.public_id, finished.public_id]}

    first, second = desk.post("/review/bulk/do/", data), desk.post("/review/bulk/do/", data)

    assert [one.words for one in first.context["will"]] == [
        "1 reminder written.",
        "Nobody was reminded: nothing is open, or they were reminded today.",
    ]
    assert [one.words.split(":")[0] for one in second.context["will"]] == ["Nobody was reminded"] * 2
    assert OutgoingMail.objects.count() == 1


def test_bulk_assign_asks_those_the_preview_named(desk, owner, subarea):
    reviewers = [make_person(name, "reviewer") for name in ("Rita Reviewer", "Rolf Reader")]
    for person in reviewers:
        person.reviewer.subareas.add(subarea)
    submissions = [make_submission(owner, State.SUBMITTED) for _ in range(2)]
    Reviewer.objects.filter(person=reviewers[0]).update(most_open=1)
    preview = desk.post("/review/bulk/", {"a": "assign", "s": [one.public_id for one in submissions]})
    keys = [one.key for one in preview.context["will"]]

    done = desk.post("/review/bulk/do/", {"a": "assign", "s": keys})

    assert [one.words for one in preview.context["will"]] == [
        "Ask Rita Reviewer and Rolf Reader.",
        "Ask Rolf Reader. 1 more needed.",
    ]
    assert [one.words for one in done.context["will"]] == ["Rita Reviewer and Rolf Reader asked.", "Rolf Reader asked."]
    assert OutgoingMail.objects.filter(event="review-asked").count() == 3


def test_bulk_assign_with_somebody_in_conflict_by_then_leaves_that_submission_alone(desk, owner):
    person = make_person("Rita Reviewer", "reviewer")
    first, second = (make_submission(owner, State.SUBMITTED) for _ in range(2))
    Conflict.objects.create(submission=first, person=person, kind="named")

    done = desk.post(
        "/review/bulk/do/", {"a": "assign", "s": [f"{one.public_id}:{person.pk}" for one in (first, second)]}
    )

    assert [one.words for one in done.context["will_not"]] == [
        "Rita Reviewer cannot review this submission: a conflict."
    ]
    assert (state_of(first), state_of(second)) == (State.SUBMITTED, State.IN_REVIEW)


def test_bulk_draft_keeps_one_draft_each_and_leaves_waiting_letters_alone(desk, editor, owner):
    first, second = reviewed(owner, 1), make_submission(owner, State.IN_REVIEW)
    make_decision(second, editor, "reject", "waiting")
    data = {"a": "draft", "kind": "request_changes", "s": [first.public_id, second.public_id]}

    desk.post("/review/bulk/do/", data)
    desk.post("/review/bulk/do/", data)

    assert sorted(Decision.objects.values_list("kind", "state")) == [
        ("reject", "waiting"),
        ("request_changes", "draft"),
    ]


# --- one submission


def test_overview_shows_names_remarks_trail_and_mails(desk, editor, owner):
    submission = reviewed(owner)
    make_decision(submission, editor, "request_changes")
    make_round(make_submission(owner, State.SUBMITTED))
    make_revision(submission)

    page = body(desk.get(at("review", submission)))

    wanted = ["Ada Author", "Rita Reviewer1", "Remark 1", "Remark 2", "What changed from version 1 to 2", "Opened"]
    assert [words for words in wanted if words not in page] == []


def test_overview_shows_answers_to_requests_once_they_are_sent(desk, editor, owner):
    submission = make_submission(owner, State.CHANGES_REQUESTED)
    decision = make_decision(submission, editor, Decision.Kind.REQUEST_CHANGES)
    decision.changes.create(
        number=1, field="definition", text="Name the sign.", answer="It is the word must.", done="changed"
    )
    address = reverse("submissions:review", args=[submission.public_id])

    assert b"It is the word must." not in desk.get(address).content

    submission.state = State.IN_REVIEW
    submission.save()
    make_revision(submission)
    make_round(submission)
    page = desk.get(address).content.decode()
    assert (page.count("It is the word must."), page.count("Name the sign.")) == (1, 1)


def test_overview_trail_filters_by_action_and_person(desk, editor, owner):
    submission = make_submission(owner, State.SUBMITTED)
    make_person("Rita Reviewer", "reviewer")
    desk.post(at("review-reviewers", submission), {"a": "ask", "person": [Reviewer.objects.get().person.pk]})

    lines = desk.get(at("review", submission), {"action": "round-opened", "who": editor.pk}).context["trail"]

    assert [(line.who, line.action, line.details) for line in lines] == [("Ed Editor", "Round opened", "round: 1")]


def test_overview_nested_ids_are_checked_against_their_submission(desk, owner):
    one, other = reviewed(owner), make_submission(owner, State.IN_REVIEW)
    foreign = make_assignment(other.rounds.get(), make_person("Rolf Reader", "reviewer"))
    conflict = Conflict.objects.create(submission=other, person=make_person("Cora", "reviewer"), kind="found")

    answers = [
        desk.post(at("review-assignment", one, foreign.pk), {"a": "cancel"}).status_code,
        desk.post(at("review-conflict-clear", one, conflict.pk)).status_code,
    ]

    foreign.refresh_from_db()
    conflict.refresh_from_db()
    assert (answers, foreign.state, conflict.cleared_at) == ([404, 404], "accepted", None)


def test_conflict_noted_by_an_editor_shuts_a_reviewer_out_and_ends_the_assignment(desk, client, owner):
    submission = make_submission(owner, State.IN_REVIEW)
    person = make_person("Rolf Reader", "reviewer")
    make_assignment(submission.rounds.get(), person)

    desk.post(at("review-conflicts", submission), {"email": person.email.upper(), "reason": "They share an office."})

    assert Assignment.objects.get().state == Assignment.State.HANDED_BACK
    client.force_login(person)
    assert client.get(at("review", submission)).status_code == 404


def test_extension_of_a_draft_is_answered_without_showing_the_draft(desk, owner):
    draft = make_submission(owner, State.DRAFT)
    asked = Extension.objects.create(submission=draft, reason="I was ill.")
    until = (timezone.now() + timedelta(days=5)).date()

    page = body(board(desk))
    desk.post(reverse("submissions:review-extension", args=[asked.pk]), {"a": "grant", "until": until.isoformat()})

    asked.refresh_from_db()
    assert ("I was ill." in page, CONTENT.title in page) == (True, False)
    assert f"{asked.until:%Y-%m-%d %H:%M}" == f"{until} 23:59"
    assert list(OutgoingMail.objects.values_list("event", "recipient__name")) == [("extension-answered", "Ada Author")]
    assert desk.get(at("review", draft)).status_code == 404


def test_reopen_needs_a_reason_and_tells_the_author(desk, owner):
    submission = make_submission(owner, State.WITHDRAWN)

    desk.post(at("review-reopen", submission), {"reason": " "})
    before = state_of(submission)
    desk.post(at("review-reopen", submission), {"reason": "The author asked for it."})

    assert (before, state_of(submission)) == (State.WITHDRAWN, State.SUBMITTED)
    assert AuditEvent.objects.get(action="submission-reopen").details["reason"] == "The author asked for it."
    assert list(OutgoingMail.objects.values_list("event", "recipient__name")) == [("submission-reopened", "Ada Author")]


# --- reviewers of one submission


def test_reviewers_page_previews_the_letter_and_asks_nobody(desk, owner):
    submission = make_submission(owner, State.SUBMITTED)
    person = make_person("Rita Reviewer", "reviewer")

    response = desk.post(at("review-reviewers", submission), {"a": "preview", "person": [person.pk]})

    assert response.context["letter"].subject == f"Would you review {submission.public_id}?"
    assert (state_of(submission), OutgoingMail.objects.count()) == (State.SUBMITTED, 0)


def test_import_with_a_bad_line_lists_every_one_and_asks_nobody(desk, owner):
    submission = make_submission(owner, State.SUBMITTED)
    person = make_person("Rita Reviewer", "reviewer")
    lines = [
        "id,address",
        f"{submission.public_id},{person.email}",
        "S-NOPE,x@x.example",
        f"{submission.public_id},nobody@x.example",
        "one",
    ]

    response = desk.post("/review/import/", {"text": "\n".join(lines)})

    assert response.status_code == 422
    assert response.context["problems"] == [
        "Line 3: there is no submission S-NOPE that you handle.",
        "Line 4: no reviewer has the address nobody@x.example.",
        "Line 5: it has 1 cells; write an id and an address, with a comma between them.",
    ]
    assert (state_of(submission), Assignment.objects.count()) == (State.SUBMITTED, 0)


def test_import_twice_asks_once(desk, owner):
    submission = make_submission(owner, State.SUBMITTED)
    people = [make_person(name, "reviewer") for name in ("Rita", "Rolf")]
    text = "\n".join(f"{submission.public_id};{person.email}" for person in people)

    codes = [desk.post("/review/import/", {"text": text}).status_code for _ in range(2)]

    assert (codes, Assignment.objects.count(), OutgoingMail.objects.count()) == ([302, 302], 2, 2)


def test_import_of_the_editors_own_submission_says_what_an_unknown_one_says(desk, editor):
    own = make_submission(editor, State.SUBMITTED)

    response = desk.post("/review/import/", {"text": f"{own.public_id},x@x.example"})

    assert response.context["problems"] == [f"Line 1: there is no submission {own.public_id} that you handle."]


def test_board_says_whether_there_is_nothing_or_nothing_fits(desk, owner):
    nothing = body(board(desk))
    make_submission(owner, State.REJECTED)

    assert "Nothing has been sent yet." in nothing
    assert "Nothing is open now." in body(board(desk))
    assert "Nothing fits these filters." in body(board(desk, turn="editors", q="zzz"))


# --- the decision


def form(**fields):
    due = (timezone.now() + timedelta(days=20)).date().isoformat()
    return {
        "kind": "request_changes",
        "point_field": ["definition"],
        "point_text": ["Keep one of the two."],
        "due": due,
        "sending": "soon",
        **fields,
    }


def test_decision_opens_with_nothing_chosen_and_wants_a_choice(desk, owner):
    submission = reviewed(owner)

    opened = desk.get(at("review-decision", submission))
    refused = desk.post(at("review-decision", submission), form(a="save", kind=""))

    assert [body(answer).count('name="kind"') > 1 for answer in (opened, refused)] == [True, True]
    assert ['type="radio" name="kind"' in body(answer) and " checked><span>" in body(answer)
            for answer in (opened, refused)] == [False, False]  # fmt: skip
    assert "Choose a decision, then press" in body(opened)
    assert "Choose what to decide." in body(refused)
    assert "Keep one of the two." in body(refused)


def test_decision_preview_keeps_nothing_and_shows_the_letter(desk, owner):
    submission = reviewed(owner)

    response = desk.post(at("review-decision", submission), form(a="preview"))

    assert "1. The behaviour. Keep one of the two." in response.context["letter"].text
    assert Decision.objects.count() == 0


def test_decision_letter_that_goes_out_is_the_one_previewed(desk, owner):
    submission = reviewed(owner)
    shown = desk.post(at("review-decision", submission), form(a="preview")).context["letter"]

    desk.post(at("review-decision", submission), form(a="save", sending="now"))

    sent = OutgoingMail.objects.get(kind="decision")
    assert (sent.subject, sent.text) == (shown.subject, shown.text)


def test_decision_wording_of_ones_own_is_kept_until_composed_anew(desk, owner):
    submission = reviewed(owner)
    first = desk.post(at("review-decision", submission), form(a="preview")).context
    own = {"subject": "Two things", "letter": "Dear author,\r\n\r\nsee below.", "composed": first["composed"]}

    kept = desk.post(at("review-decision", submission), form(a="add", **own)).context
    anew = desk.post(at("review-decision", submission), form(a="compose", **own)).context

    assert (kept["letter"].text, kept["is_own_wording"]) == ("Dear author,\n\nsee below.", True)
    assert (anew["letter"], anew["is_own_wording"]) == (first["letter"], False)


def test_decision_letter_follows_the_form_while_nobody_changed_its_wording(desk, owner):
    submission = reviewed(owner)
    first = desk.post(at("review-decision", submission), form(a="preview")).context
    posted = {"subject": first["letter"].subject, "letter": first["letter"].text.replace("\n", "\r\n")}

    second = desk.post(
        at("review-decision", submission),
        form(a="preview", composed=first["composed"], point_text=["Another thing."], **posted),
    ).context

    assert "1. The behaviour. Another thing." in second["letter"].text


def test_decision_points_are_added_removed_and_taken_from_reviews(desk, owner):
    submission = reviewed(owner)
    review = submission.rounds.get().assignments.first().review
    review.answers["clarity"] |= {"value": 1, "comment": "Two readings."}
    review.save()
    two = {"point_field": ["definition", "messages"], "point_text": ["One.", "Two."]}

    pressed = {
        name: [
            point.text
            for point in desk.post(at("review-decision", submission), form(a=name, **two)).context["choice"].points
        ]
        for name in ("add", "remove-1", "take")
    }

    assert pressed == {"add": ["One.", "Two.", ""], "remove-1": ["Two."], "take": ["One.", "Two.", "Two readings."]}


def test_decision_with_problems_keeps_what_was_typed(desk, owner):
    submission = reviewed(owner)

    response = desk.post(
        at("review-decision", submission), form(a="save", point_text=["By Rita Reviewer1."], due="soon")
    )

    assert response.status_code == 422
    assert response.context["problems"] == [
        "Choose a date for the answer that is still to come.",
        "The letter names Reviewer 1 by name or address. Write “Reviewer 1” instead.",
    ]
    assert "By Rita Reviewer1." in body(response)


def test_decision_to_approve_says_what_the_plan_lacks_and_then_decides(desk, owner):
    submission = reviewed(owner)
    Benchmark.objects.create(slug="agency", name="Agency")
    plan = {"plan-benchmark": "", "plan-local_id_1": "avoid-deciding", "plan-profiles": ["adult"]}

    refused = desk.post(at("review-decision", submission), form(a="save", kind="approve", **plan))
    taken = desk.post(
        at("review-decision", submission), form(a="save", kind="approve", **{**plan, "plan-benchmark": "agency"})
    )

    assert refused.context["problems"] == ["Choose the benchmark that the metric belongs to, or make a new one."]
    assert (taken.status_code, Decision.objects.get().plan["local_ids"]) == (302, ["avoid-deciding"])


def test_decision_undo_until_sent_and_not_after(desk, owner):
    submission = reviewed(owner)
    desk.post(at("review-decision", submission), form(a="save"))
    waiting = Decision.objects.get()

    desk.post(at("review-decision-act", submission, waiting.pk), {"a": "undo"})
    desk.post(at("review-decision", submission), form(a="save", sending="now"))
    sent = Decision.objects.get(state="sent")
    answer = desk.post(at("review-decision-act", submission, sent.pk), {"a": "undo"}, follow=True)

    assert sorted(Decision.objects.values_list("state", flat=True)) == ["sent", "undone"]
    assert "can only be changed by a new decision" in body(answer)
    assert state_of(submission) == State.CHANGES_REQUESTED


def test_outbox_tab_holds_lets_go_and_cancels(desk, owner):
    submission = make_submission(owner, State.SUBMITTED)
    make_person("Rita Reviewer", "reviewer")
    desk.post(at("review-reviewers", submission), {"a": "ask", "person": [Reviewer.objects.get().person.pk]})
    mail = OutgoingMail.objects.get()

    states = []
    for action in ("hold", "release", "cancel", "cancel"):
        desk.post(reverse("submissions:review-mail", args=[mail.pk]), {"a": action})
        mail.refresh_from_db()
        states.append(mail.state)

    assert states == ["held", "waiting", "cancelled", "cancelled"]


def test_mail_about_somebody_elses_work_is_not_there_for_an_editor_in_conflict(desk, editor, owner):
    submission = make_submission(owner, State.SUBMITTED)
    make_person("Rita Reviewer", "reviewer")
    desk.post(at("review-reviewers", submission), {"a": "ask", "person": [Reviewer.objects.get().person.pk]})
    Conflict.objects.create(submission=submission, person=editor, kind="found")

    address = reverse("submissions:review-mail", args=[OutgoingMail.objects.get().pk])
    assert desk.post(address, {"a": "cancel"}).status_code == 404


def test_nothing_changes_by_get(desk, owner):
    submission = reviewed(owner)
    decision = make_decision(submission, make_person("Eve", "editor"), "reject", "waiting")
    addresses = [
        reverse("submissions:review-bulk"),
        reverse("submissions:review-bulk-do"),
        at("review-decision-act", submission, decision.pk),
        at("review-assignment", submission, submission.rounds.get().assignments.first().pk),
        at("review-conflicts", submission),
        at("review-reopen", submission),
    ]

    assert [desk.get(address).status_code for address in addresses] == [405] * len(addresses)


# --- calls and reviewers


def call_form(**fields):
    return {
        "title": "Spring", "slug": "spring", "description": "", "time_zone": "Europe/Paris",
        "opens_at": "2027-01-01T00:00", "closes_at": "2027-03-31T23:59", "grace_hours": "12", "blinding": "double",
        "reviewers_wanted": "2", "review_days": "14", "answer_days": "28", **fields,
    }  # fmt: skip


def test_complaint_15_a_call_is_typed_in_its_own_zone_and_kept_as_an_instant(desk, editor):
    editor.time_zone = "America/Los_Angeles"
    editor.save()

    desk.post("/review/calls/new/", call_form())

    call = Call.objects.get()
    assert f"{call.closes_at:%Y-%m-%d %H:%M %Z}" == "2027-03-31 21:59 UTC"
    page = body(desk.get("/review/calls/"))
    assert "31 March 2027, 23:59 in Europe/Paris (21:59 UTC)" in page


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"closes_at": "2026-12-31T23:59"}, "The call closes before it opens; choose a later end."),
        ({"slug": "winter"}, "There is a call with the id winter already. Choose another id."),
        ({"slug": "new"}, "The id “new” is taken by the page for new calls. Choose another id."),
    ],
)
def test_call_that_cannot_be_says_why(desk, fields, problem):
    Call.objects.create(slug="winter", title="Winter")

    response = desk.post("/review/calls/new/", call_form(**fields))

    assert (response.status_code, response.context["form"].non_field_errors()) == (422, [problem])


def test_call_whose_submissions_are_under_review_keeps_its_blinding(desk, owner):
    call = Call.objects.create(slug="spring", title="Spring")
    make_submission(owner, State.IN_REVIEW, call=call)

    refused = desk.post("/review/calls/spring/", call_form(blinding="single"))
    taken = desk.post("/review/calls/spring/", call_form(title="Spring 2027"))

    call.refresh_from_db()
    assert (refused.status_code, taken.status_code) == (422, 302)
    assert (call.blinding, call.title) == ("double", "Spring 2027")


def test_areas_of_a_reviewer_are_set_by_editors_for_reviewers_only(desk, subarea):
    reviewer, expert = make_person("Rita Reviewer", "reviewer"), make_person("Ella Expert", "expert")

    desk.post(reverse("submissions:review-person", args=[reviewer.pk]), {"subareas": [subarea.pk]})
    refused = desk.get(reverse("submissions:review-person", args=[expert.pk])).status_code

    assert (list(reviewer.reviewer.subareas.all()), refused) == ([subarea], 404)
