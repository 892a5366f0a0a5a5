"""Co-authors: invited, confirmed, declined, ordered, removed."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from impactbench.common.errors import DomainError
from impactbench.common.models import OutgoingMail
from submissions.models import CoAuthor, Submission
from submissions.naming import display_name
from submissions.selectors.visible import for_editing
from submissions.services import coauthors
from submissions.services.transitions import NotAllowed, WrongState
from submissions.standing import Involved, Standing, standing_of
from submissions.states import State
from tests.support.portal import make_assignment, make_person, make_revision, make_round, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Any:
    return make_person("Ada", "expert")


def _invite(submission: Submission, email: str = "ben@ben.example") -> str:
    """The token that the letter carries."""
    coauthors.invite(submission, email=email, name="Ben", actor=submission.owner)
    mail = OutgoingMail.objects.filter(event="co-author-invited").order_by("-pk")[0]
    found = re.search(r"/submissions/invitations/([\w-]+)/", mail.text)
    assert found is not None
    return found[1]


def test_only_a_hash_of_the_token_is_kept(owner: Any) -> None:
    token = _invite(make_submission(owner))

    row = CoAuthor.objects.get()
    assert token not in (row.token_hash, str(row.__dict__))
    assert row.token_hash == coauthors.hash_of(token)


def test_who_is_invited_has_a_conflict_from_then_on(owner: Any) -> None:
    reviewer = make_person("Ben", "reviewer", email="ben@ben.example")
    submission = make_submission(owner)
    before = Involved(submission).has_conflict(reviewer)

    _invite(submission)

    assert (before, Involved(submission).has_conflict(reviewer)) == (False, True)


def test_reading_the_letter_consumes_nothing_and_yes_works_once(owner: Any) -> None:
    submission, ben = make_submission(owner), make_person("Ben", "expert")
    address = f"/submissions/invitations/{_invite(submission)}/"
    client = Client()
    client.force_login(ben)

    for _ in range(3):
        assert client.get(address).status_code == 200
    client.post(address, {"answer": "yes"})

    assert standing_of(ben, submission) is Standing.AUTHOR
    assert client.get(address).status_code == 404
    submission.refresh_from_db()
    assert submission.author_domains == ["ada.example", "ben.example"]


def test_somebody_signed_out_is_led_to_sign_in_and_back(owner: Any) -> None:
    address = f"/submissions/invitations/{_invite(make_submission(owner))}/"

    assert Client().get(address)["Location"] == f"/accounts/login/?next={address}"


def test_no_is_kept_and_still_counts_as_a_conflict(owner: Any) -> None:
    submission, ben = make_submission(owner), make_person("Ben", "reviewer", email="ben@ben.example")

    coauthors.decline(_invite(submission), person=ben)

    assert CoAuthor.objects.get().state == CoAuthor.State.DECLINED
    assert Involved(submission).has_conflict(ben)


def test_an_invitation_ends_after_14_days(owner: Any) -> None:
    token = _invite(make_submission(owner))
    CoAuthor.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(DomainError, match="no longer good"):
        coauthors.confirm(token, person=make_person("Ben"))


def test_invited_again_the_old_link_is_void(owner: Any) -> None:
    submission = make_submission(owner)
    first = _invite(submission)
    second = _invite(submission)

    assert coauthors.invitation(first) is None
    assert coauthors.invitation(second) is not None
    assert submission.co_authors.count() == 1


def test_a_reviewer_of_it_does_not_become_its_author(owner: Any) -> None:
    submission, ben = make_submission(owner, State.CHANGES_REQUESTED), make_person("Ben", "reviewer")
    make_assignment(submission.rounds.get(), ben)

    with pytest.raises(DomainError, match="asked to review"):
        coauthors.confirm(_invite(submission, "other@ben.example"), person=ben)


@pytest.mark.parametrize("email", ["", "nobody", "a@b\nBcc: c@d.example", "ada@ada.example"])
def test_a_wrong_address_is_refused_in_words(owner: Any, email: str) -> None:
    with pytest.raises(DomainError):
        coauthors.invite(make_submission(owner), email=email, name="", actor=owner)


def test_only_the_owner_invites_and_only_while_it_is_edited(owner: Any) -> None:
    with pytest.raises(NotAllowed):
        coauthors.invite(make_submission(owner), email="x@x.example", name="", actor=make_person("Ben", "expert"))
    with pytest.raises(WrongState):
        coauthors.invite(make_submission(owner, State.SUBMITTED), email="x@x.example", name="", actor=owner)


def test_order_and_removal(owner: Any) -> None:
    submission = make_submission(owner)
    for email in ("a@a.example", "b@b.example", "c@c.example"):
        coauthors.invite(submission, email=email, name="", actor=owner)
    rows = {row.email: row.pk for row in coauthors.co_authors_of(submission)}

    coauthors.move_up(submission, rows["c@c.example"], actor=owner)
    coauthors.remove(submission, rows["a@a.example"], actor=owner)

    assert [row.email for row in coauthors.co_authors_of(submission)] == ["c@c.example", "b@b.example"]


def test_a_removed_co_author_reads_it_no_more(owner: Any) -> None:
    submission, ben = make_submission(owner), make_person("Ben", "expert")
    row = coauthors.confirm(_invite(submission), person=ben)

    coauthors.remove(submission, row.pk, actor=owner)

    assert standing_of(ben, submission) is Standing.NOBODY
    submission.refresh_from_db()
    assert submission.author_domains == ["ada.example"]


def test_a_name_in_the_letter_makes_nothing_clickable(owner: Any) -> None:
    owner.name = "www.evil.example"
    owner.save()

    _invite(make_submission(owner))

    mail = OutgoingMail.objects.get(event="co-author-invited")
    assert "www.evil.example" not in mail.subject + mail.text


def test_who_has_read_it_as_a_reviewer_never_becomes_its_author(owner: Any) -> None:
    """Not even after the editors took the review away: they know what the other reviewers said."""
    submission, ben = make_submission(owner, State.CHANGES_REQUESTED), make_person("Ben", "reviewer")
    make_assignment(submission.rounds.get(), ben, "cancelled")
    submission.rounds.get().assignments.update(answered_at=timezone.now())
    token = _invite(submission, ben.email)

    with pytest.raises(DomainError, match="cannot become its author"):
        coauthors.confirm(token, person=ben)

    assert not submission.co_authors.filter(state=CoAuthor.State.CONFIRMED).exists()


def test_who_was_a_co_author_never_handles_it_and_is_never_taken_for_an_editor(owner: Any) -> None:
    """Taken off, and even invited once more and taken off again, they still know who wrote it."""
    submission, ben = make_submission(owner), make_person("Ben", "reviewer", "editor", email="ben@ben.example")
    row = coauthors.confirm(_invite(submission), person=ben)
    coauthors.remove(submission, row.pk, actor=owner)
    _invite(submission)
    coauthors.remove(submission, row.pk, actor=owner)
    make_revision(submission)
    submission.state = State.IN_REVIEW
    submission.save()
    reviewer = make_person("Rita", "reviewer")
    make_assignment(make_round(submission), reviewer)

    assert (standing_of(ben, submission), list(for_editing(ben))) == (Standing.CONFLICTED, [])
    assert display_name(ben, reviewer, submission) == "The author"
