"""What a person is to a submission, and that every list agrees with it."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils import timezone

from submissions.models import Assignment, Call, CoAuthor, Conflict
from submissions.naming import display_name
from submissions.selectors.visible import for_editing, for_reviewing, submission_for, written_by
from submissions.standing import Standing, standing_of
from submissions.states import PRIVATE, State
from tests.support.portal import make_assignment, make_person, make_submission

pytestmark = pytest.mark.django_db
EVERY_ROLE = ("expert", "reviewer", "editor", "operator")


def in_review():
    return make_submission(make_person("Ada Author", "expert"), State.IN_REVIEW)


def newest_round(submission):
    return submission.rounds.get()


def test_standing_of_the_owner_is_author_whatever_roles_they_hold():
    owner = make_person("Ada Author", *EVERY_ROLE)
    submission = make_submission(owner, State.IN_REVIEW)
    make_assignment(newest_round(submission), owner)

    assert standing_of(owner, submission) is Standing.AUTHOR
    assert list(for_editing(owner)) == []
    assert list(for_reviewing(owner)) == []
    assert list(written_by(owner)) == [submission]


@pytest.mark.parametrize("roles", [(), ("expert",), ("operator",)])
def test_standing_of_people_without_a_part_in_review_is_nobody(roles):
    assert standing_of(make_person("Nora Nobody", *roles), in_review()) is Standing.NOBODY


def test_standing_of_nobody_signed_in_is_nobody():
    assert standing_of(AnonymousUser(), in_review()) is Standing.NOBODY
    assert list(written_by(AnonymousUser())) == []
    assert list(for_editing(AnonymousUser())) == []
    assert list(for_reviewing(AnonymousUser())) == []


@pytest.mark.parametrize("state", list(State))
def test_standing_of_an_editor_begins_when_it_is_sent(state):
    editor = make_person("Ed Editor", "editor")
    submission = make_submission(make_person("Ada Author"), state)

    assert standing_of(editor, submission) is (Standing.NOBODY if state in PRIVATE else Standing.EDITOR)
    assert list(for_editing(editor)) == ([] if state in PRIVATE else [submission])


@pytest.mark.parametrize(
    ("state", "standing"),
    [
        (Assignment.State.INVITED, Standing.INVITED),
        (Assignment.State.ACCEPTED, Standing.REVIEWER),
        (Assignment.State.DONE, Standing.REVIEWER),
        (Assignment.State.HANDED_BACK, Standing.REVIEWER),
        (Assignment.State.DECLINED, Standing.NOBODY),
        (Assignment.State.CANCELLED, Standing.NOBODY),
    ],
)
def test_standing_of_a_reviewer_follows_the_assignment(state, standing):
    submission, reviewer = in_review(), make_person("Rita Reviewer", "reviewer")
    make_assignment(newest_round(submission), reviewer, state)

    assert standing_of(reviewer, submission) is standing
    assert list(for_reviewing(reviewer)) == ([submission] if standing is Standing.REVIEWER else [])


def test_standing_of_an_editor_who_reviews_is_reviewer_for_good():
    submission, both = in_review(), make_person("Rita Reviewer", "reviewer", "editor")
    make_assignment(newest_round(submission), both, Assignment.State.HANDED_BACK)

    assert standing_of(both, submission) is Standing.REVIEWER
    assert list(for_editing(both)) == []


def test_standing_of_a_reviewer_whose_role_was_taken_away_is_nobody_at_once():
    submission, reviewer = in_review(), make_person("Rita Reviewer", "reviewer")
    make_assignment(newest_round(submission), reviewer)
    reviewer.role_grants.all().delete()
    fresh = type(reviewer).objects.get(pk=reviewer.pk)

    assert standing_of(fresh, submission) is Standing.NOBODY
    assert list(for_reviewing(fresh)) == []


def test_standing_with_a_conflict_shuts_reviewers_and_editors_out_until_it_is_cleared():
    submission, person = in_review(), make_person("Rita Reviewer", "reviewer", "editor")
    conflict = Conflict.objects.create(submission=submission, person=person, kind=Conflict.Kind.DECLARED)
    assert standing_of(person, submission) is Standing.CONFLICTED
    assert list(for_editing(person)) == []

    conflict.cleared_at = timezone.now()
    conflict.save()

    assert standing_of(person, submission) is Standing.EDITOR
    assert list(for_editing(person)) == [submission]


def test_standing_of_somebody_of_the_same_organisation_is_conflicted():
    submission = make_submission(make_person("Ada Author", email="ada@uni.example"), State.IN_REVIEW)
    colleague = make_person("Cora Colleague", "reviewer", "editor", email="cora@uni.example")
    make_assignment(newest_round(submission), colleague)

    assert standing_of(colleague, submission) is Standing.CONFLICTED
    assert list(for_editing(colleague)) == []
    assert list(for_reviewing(colleague)) == []


def test_standing_of_people_at_a_public_mail_provider_is_no_conflict():
    submission = make_submission(make_person("Ada Author", email="ada@gmail.com"), State.IN_REVIEW)

    assert standing_of(make_person("Ed Editor", "editor", email="ed@gmail.com"), submission) is Standing.EDITOR


@pytest.mark.parametrize(
    ("state", "standing"),
    [
        (CoAuthor.State.INVITED, Standing.CONFLICTED),
        (CoAuthor.State.DECLINED, Standing.CONFLICTED),
        (CoAuthor.State.REMOVED, Standing.EDITOR),
        (CoAuthor.State.CONFIRMED, Standing.AUTHOR),
    ],
)
def test_standing_of_a_co_author_counts_from_the_invitation_on(state, standing):
    submission, editor = in_review(), make_person("Ed Editor", "editor")
    person = editor if state == CoAuthor.State.CONFIRMED else None
    CoAuthor.objects.create(submission=submission, email=editor.email, person=person, state=state)

    assert standing_of(editor, submission) is standing
    assert list(for_editing(editor)) == ([submission] if standing is Standing.EDITOR else [])


def test_submission_for_answers_alike_where_there_is_none_and_where_it_is_not_for_you():
    submission, stranger = in_review(), make_person("Nora Nobody", "expert")

    for public_id in (submission.public_id, "S-NOTONE"):
        with pytest.raises(Http404):
            submission_for(stranger, public_id, Standing.AUTHOR, Standing.EDITOR, Standing.REVIEWER)


@pytest.mark.parametrize("blinding", [Call.Blinding.DOUBLE, Call.Blinding.SINGLE])
def test_display_name_shows_each_to_each_as_the_call_says(blinding):
    call = Call.objects.create(slug="winter", title="Winter", blinding=blinding)
    author = make_person("Ada Author", "expert")
    submission = make_submission(author, State.IN_REVIEW, call=call)
    first, second = make_person("Rita Reviewer", "reviewer"), make_person("Rob Reviewer", "reviewer")
    editor, other = make_person("Ed Editor", "editor"), make_person("Eve Editor", "editor")
    for person in (first, second):
        make_assignment(newest_round(submission), person)
    people = (author, first, second, editor)
    name_of_author = "Ada Author" if blinding == Call.Blinding.SINGLE else "The author"

    seen = {viewer.name: [display_name(person, viewer, submission) for person in people] for viewer in (*people, other)}

    assert seen == {
        "Ada Author": ["You", "Reviewer 1", "Reviewer 2", "An editor"],
        "Rita Reviewer": [name_of_author, "You", "Reviewer 2", "An editor"],
        "Rob Reviewer": [name_of_author, "Reviewer 1", "You", "An editor"],
        "Ed Editor": ["Ada Author", "Rita Reviewer", "Rob Reviewer", "You"],
        "Eve Editor": ["Ada Author", "Rita Reviewer", "Rob Reviewer", "Ed Editor"],
    }
