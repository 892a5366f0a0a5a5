"""Decisions: one open at a time, undone until the letter goes out, released all or nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import Benchmark
from impactbench.accounts.models import RoleGrant
from impactbench.common.models import AuditEvent, OutgoingMail
from submissions.models import ApprovedMetric, Assignment, Conflict, Decision, RequestedChange
from submissions.services import decisions
from submissions.services.approving import default_plan
from submissions.services.decision_choice import Choice, Point, Sending, points_from_reviews
from submissions.services.decision_letters import compose
from submissions.services.decisions import Refused, decide, hold, keep_draft, let_go, release, send_now, undo
from submissions.services.transitions import NotAllowed, WrongState
from submissions.states import State
from tests.support.portal import make_assignment, make_person, make_review, make_submission

pytestmark = pytest.mark.django_db

POINTS = (Point("definition", "Keep one of the two conditions."), Point("examples_absent", "Add a border case."))


def changes(points=POINTS, **fields):
    return Choice("request_changes", points, timezone.now() + timedelta(days=20), **fields)


@pytest.fixture
def editor():
    return make_person("Ed Editor", "editor")


@pytest.fixture
def submission(editor):
    owner = make_person("Ada Author", "expert", time_zone="Asia/Tokyo")
    submission = make_submission(owner, State.IN_REVIEW)
    for name in ("Rita Reviewer", "Rolf Reader"):
        make_review(make_assignment(submission.rounds.get(), make_person(name, "reviewer")))
    return submission


def state_of(submission):
    submission.refresh_from_db()
    return submission.state


def mails():
    return sorted(OutgoingMail.objects.values_list("event", "recipient__name", "kind"))


def test_decide_waits_and_nobody_but_the_editors_knows(submission, editor):
    decision = decide(submission, changes(), actor=editor, sending=Sending.SOON)

    assert decision.state == Decision.State.WAITING
    assert decision.release_at is not None
    assert timedelta(minutes=29) < decision.release_at - timezone.now() <= timedelta(minutes=30)
    assert (state_of(submission), mails(), RequestedChange.objects.count()) == (State.IN_REVIEW, [], 0)


def test_release_before_its_time_changes_nothing(submission, editor):
    decision = decide(submission, changes(), actor=editor, sending=Sending.TOMORROW)

    release(decision)

    assert (state_of(submission), list(decisions.due()), mails()) == (State.IN_REVIEW, [], [])


def test_release_asks_for_changes_in_one_go_and_only_once(submission, editor):
    decision = decide(submission, changes(), actor=editor, sending=Sending.NOW)
    release(decision)

    assert (decision.state, state_of(submission)) == (Decision.State.SENT, State.CHANGES_REQUESTED)
    assert list(RequestedChange.objects.values_list("number", "field", "text")) == [
        (1, "definition", "Keep one of the two conditions."),
        (2, "examples_absent", "Add a border case."),
    ]
    assert submission.rounds.get().closed_at is not None
    assert mails() == [
        ("decision-letter", "Ada Author", "decision"),
        ("review-decided", "Rita Reviewer", "assignment"),
        ("review-decided", "Rolf Reader", "assignment"),
    ]


def test_letter_that_arrives_is_the_one_that_was_shown(submission, editor):
    decide(
        submission, changes(letter="Dear author,\n\nplease see the two points.\n"), actor=editor, sending=Sending.NOW
    )

    assert OutgoingMail.objects.get(kind="decision").text == "Dear author,\n\nplease see the two points.\n"


def test_letter_has_the_date_in_the_authors_time_and_words_beside_pseudonyms(submission):
    moment = timezone.now().replace(year=2027, month=1, day=8, hour=23, minute=59, second=0, microsecond=0)

    written = compose(submission, Choice("request_changes", POINTS, moment))

    assert written.subject == f"Your metric {submission.public_id}: two changes, please"
    assert "until Friday 8 January 2027, 23:59 UTC. For you that is Saturday, 08:59. The same" in written.text
    assert "1. The behaviour. Keep one of the two conditions.\n\n2. " in written.text
    assert "- Clear: The same (Reviewer 1); The same (Reviewer 2)" in written.text
    assert "Two reviewers have read it." in written.text


def test_letter_defuses_what_people_wrote(submission):
    points = (Point("definition", "See https://evil.example/login\n$title {title} %(title)s"),)

    text = compose(submission, changes(points)).text

    assert "See https[:]//evil[.]example/login\n$title {title} %(title)s" in text


def test_approve_makes_metrics_when_the_letter_goes_out_and_not_before(submission, editor):
    Benchmark.objects.create(slug="agency", name="Agency")
    plan = {**default_plan(submission).to_json(), "benchmark": "agency"}

    decision = decide(submission, Choice("approve", plan=plan), actor=editor, sending=Sending.SOON)
    before = ApprovedMetric.objects.count()
    send_now(decision, actor=editor)

    assert (before, ApprovedMetric.objects.count(), state_of(submission)) == (0, 1, State.APPROVED)


def test_release_of_an_approval_whose_id_is_taken_is_held_with_its_trouble_and_nothing_is_half_done(submission, editor):
    Benchmark.objects.create(slug="agency", name="Agency")
    plan = {**default_plan(submission).to_json(), "benchmark": "agency"}
    decision = decide(submission, Choice("approve", plan=plan), actor=editor, sending=Sending.SOON)
    Decision.objects.filter(pk=decision.pk).update(plan={**plan, "benchmark": "gone"})

    decision = send_now(decision, actor=editor)

    assert (decision.state, state_of(submission)) == (Decision.State.HELD, State.IN_REVIEW)
    assert decision.trouble == "Choose the benchmark that the metric belongs to, or make a new one."
    assert submission.rounds.get().closed_at is None
    assert mails() == [("decision-in-trouble", "Ed Editor", "assignment")]


def test_release_after_the_decider_lost_the_role_is_held(submission, editor):
    second = make_person("Eve Editor", "editor")
    decision = decide(submission, changes(), actor=editor, sending=Sending.SOON)
    RoleGrant.objects.filter(user=editor).delete()

    decision = send_now(decision, actor=second)

    assert (decision.state, state_of(submission)) == (Decision.State.HELD, State.IN_REVIEW)
    assert mails() == [("decision-in-trouble", "Eve Editor", "assignment")]


def test_release_after_the_decider_got_a_conflict_is_held(submission, editor):
    second = make_person("Eve Editor", "editor")
    decision = decide(submission, changes(), actor=editor, sending=Sending.SOON)
    Conflict.objects.create(submission=submission, person=editor, kind="found")

    assert send_now(decision, actor=second).state == Decision.State.HELD


def test_undo_until_sent_leaves_no_trace_for_others(submission, editor):
    decision = decide(submission, changes(), actor=editor, sending=Sending.SOON)

    undo(decision, actor=editor)
    Decision.objects.filter(pk=decision.pk).update(release_at=timezone.now() - timedelta(hours=1))

    assert (list(decisions.due()), state_of(submission), mails()) == ([], State.IN_REVIEW, [])
    assert submission.rounds.get().closed_at is None
    assert set(Assignment.objects.values_list("state", flat=True)) == {"done"}


def test_undo_after_the_letter_went_out_is_refused(submission, editor):
    decision = decide(submission, changes(), actor=editor, sending=Sending.NOW)

    with pytest.raises(WrongState, match="can only be changed by a new decision"):
        undo(decision, actor=editor)

    assert state_of(submission) == State.CHANGES_REQUESTED


def test_hold_and_let_go_again(submission, editor):
    decision = decide(submission, changes(), actor=editor, sending=Sending.SOON)

    held = hold(decision, actor=editor)
    due_while_held = list(decisions.due(timezone.now() + timedelta(days=9)))
    let_go(held, actor=editor)

    assert due_while_held == []
    assert list(decisions.due(timezone.now() + timedelta(minutes=31))) == [decision]


def test_complaint_14_a_new_decision_cancels_the_unsent_one(submission, editor):
    second = make_person("Eve Editor", "editor")
    decide(submission, changes(), actor=editor, sending=Sending.SOON)
    decide(submission, Choice("reject", POINTS), actor=second, sending=Sending.SOON)

    for decision in decisions.due(timezone.now() + timedelta(hours=1)):
        send_now(decision, actor=second)

    assert list(Decision.objects.order_by("pk").values_list("kind", "state")) == [
        ("request_changes", "undone"),
        ("reject", "sent"),
    ]
    assert [row for row in mails() if row[0] == "decision-letter"] == [("decision-letter", "Ada Author", "decision")]
    assert state_of(submission) == State.REJECTED


def test_complaint_14_a_second_click_decides_once(submission, editor):
    choice = changes()

    first = decide(submission, choice, actor=editor, sending=Sending.SOON)
    second = decide(submission, choice, actor=editor, sending=Sending.SOON)

    assert (first.pk, Decision.objects.count()) == (second.pk, 1)
    assert AuditEvent.objects.filter(action="decision-made").count() == 1


def test_complaint_14_three_people_get_three_letters_however_often_it_is_released(submission, editor):
    decision = decide(submission, changes(), actor=editor, sending=Sending.NOW)

    for _ in range(3):
        release(decision)

    assert OutgoingMail.objects.count() == 3


@pytest.mark.parametrize(
    "words", ["Thanks to Rita Reviewer.", "Thanks to RITA  REVIEWER.", "rita-reviewer@rita-reviewer.example"]
)
def test_complaint_14_a_reviewers_name_never_stands_in_a_letter(submission, editor, words):
    with pytest.raises(Refused) as refused:
        decide(submission, changes(letter=words), actor=editor, sending=Sending.SOON)

    assert refused.value.reasons == ["The letter names Reviewer 1 by name or address. Write “Reviewer 1” instead."]
    assert (Decision.objects.count(), mails()) == (0, [])


def test_complaint_14_no_letter_names_a_reviewer_or_an_editor(submission, editor):
    decide(submission, changes(), actor=editor, sending=Sending.NOW)

    texts = "".join(f"{mail.subject}\n{mail.text}" for mail in OutgoingMail.objects.all())
    assert [name for name in ("Rita", "Rolf", "Ed Editor", "Ada") if name in texts] == []


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (
            Choice("request_changes", (), timezone.now() + timedelta(days=9)),
            "Write at least one change that the author can answer.",
        ),
        (Choice("request_changes", POINTS, None), "Choose a date for the answer that is still to come."),
        (Choice("reject"), "Write at least one reason, or what would help."),
        (Choice("reject", (Point("credit", "No."),)), "Say for each point which part of the text it is about."),
    ],
)
def test_decide_with_something_missing_says_what(submission, editor, choice, reason):
    with pytest.raises(Refused) as refused:
        decide(submission, choice, actor=editor, sending=Sending.SOON)

    assert refused.value.reasons == [reason]


def test_decide_by_the_owner_who_is_an_editor_is_refused(editor):
    owner = make_person("Olga Owner", "expert", "editor")
    submission = make_submission(owner, State.IN_REVIEW)

    with pytest.raises(NotAllowed):
        decide(submission, changes(), actor=owner, sending=Sending.NOW)

    assert Decision.objects.count() == 0


def test_decide_by_an_editor_who_reviewed_it_is_refused(submission):
    both = make_person("Bea Both", "editor", "reviewer")
    make_review(make_assignment(submission.rounds.get(), both))

    with pytest.raises(NotAllowed):
        decide(submission, changes(), actor=both, sending=Sending.NOW)


def test_decide_on_what_was_decided_is_refused(submission, editor):
    decide(submission, changes(), actor=editor, sending=Sending.NOW)

    with pytest.raises(WrongState):
        decide(submission, Choice("reject", POINTS), actor=editor, sending=Sending.NOW)


def test_reject_before_any_review_needs_no_round(editor):
    submission = make_submission(make_person("Ada Author", "expert"), State.SUBMITTED)

    decision = decide(submission, Choice("reject", POINTS), actor=editor, sending=Sending.NOW)

    assert (decision.state, decision.round, state_of(submission)) == (Decision.State.SENT, None, State.REJECTED)
    assert "The editors have read it. We do not accept it." in decision.letter


def test_keep_draft_twice_keeps_one_and_it_is_never_due(submission, editor):
    keep_draft(submission, changes(()), actor=editor)
    keep_draft(submission, changes(POINTS), actor=make_person("Eve Editor", "editor"))

    assert list(Decision.objects.values_list("state", "decided_by__name")) == [("draft", "Eve Editor")]
    assert list(decisions.due(timezone.now() + timedelta(days=99))) == []


def test_points_from_reviews_are_the_comments_beside_low_values(submission):
    review = submission.rounds.get().assignments.first().review
    review.answers["single"] |= {"value": 2, "comment": "Two behaviours in one."}
    review.answers["clarity"] |= {"value": 4, "comment": "Very clear."}
    review.private_remark = "Never shown."
    review.save()

    assert points_from_reviews(submission) == (Point("definition", "Two behaviours in one."),)
