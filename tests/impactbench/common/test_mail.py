"""The outbox: one mail an event, part of the transaction, and a log of what was sent."""

from datetime import timedelta

import pytest
from django.core import mail as sent_mail
from django.db import transaction
from django.utils import timezone

from impactbench.accounts.models import User
from impactbench.common import mail
from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.mail_delivery import deliver_due
from impactbench.common.models import AuditEvent, OutgoingMail

pytestmark = pytest.mark.django_db
State = OutgoingMail.State


def _user(email: str = "ada@example.org") -> User:
    return User.objects.create_user(email)


def _post(to: User | None = None, **changed: object) -> OutgoingMail:
    words = {"event": "review-requested", "kind": "review", "subject": "A review", "text": "Please read.", "to": to}
    return mail.post(**{**words, **changed})  # type: ignore[arg-type]


def test_event_gives_a_person_one_mail() -> None:
    ada, bob = _user(), _user("bob@example.org")

    first = _post(ada, about=bob, round="1")
    again = _post(ada, about=bob, round="1", subject="Another wording")

    assert again == first
    assert again.subject == "A review"


@pytest.mark.parametrize("changed", [{"event": "reminder"}, {"round": "2"}, {"about": None}])
def test_other_event_round_or_object_gives_another_mail(changed: dict[str, object]) -> None:
    ada = _user()
    first = _post(ada, about=ada, round="1")

    assert _post(ada, **{"about": ada, "round": "1", **changed}) != first


def test_address_gets_one_mail_whatever_its_capitals() -> None:
    first = _post(address="New.Person@Example.org")

    assert _post(address="new.person@example.org") == first
    assert first.address == "new.person@example.org"


def test_mail_is_gone_with_the_transaction_that_posted_it() -> None:
    ada = _user()
    with transaction.atomic():
        _post(ada)
        transaction.set_rollback(True)

    assert OutgoingMail.objects.count() == 0


def test_cancelled_mail_makes_room_for_a_new_one() -> None:
    ada = _user()
    first = _post(ada, about=ada)
    mail.cancel(event="review-requested", about=ada)

    assert _post(ada, about=ada) != first


@pytest.mark.parametrize("to_both", [True, False])
def test_mail_has_exactly_one_recipient(to_both: bool) -> None:
    with pytest.raises(ValueError, match="to a user or to an address"):
        _post(_user() if to_both else None, address="bob@example.org" if to_both else "")


@pytest.mark.parametrize("subject", ["", "  ", "Hello\nBcc: all@example.org", "Hello\rthere", "a\x00b", "a\u2028b"])
def test_subject_that_is_not_one_line_is_refused(subject: str) -> None:
    with pytest.raises(UnusableInput, match="one line"):
        _post(_user(), subject=subject)


@pytest.mark.parametrize("address", ["nobody", "a@b.org\nBcc: c@d.org", "a@b.org, c@d.org", "<a@b.org>"])
def test_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(UnusableInput, match="not an e-mail address"):
        _post(address=address)


def test_unknown_check_is_refused_when_posting() -> None:
    with pytest.raises(LookupError, match="no-such-check"):
        _post(_user(), still_true="no-such-check")


def test_cancel_takes_unsent_mails_of_the_event_alone() -> None:
    ada, bob = _user(), _user("bob@example.org")
    _post(ada, about=ada)
    deliver_due()
    _post(bob, about=ada, held=True)
    other = _post(ada, about=ada, event="reminder")

    n_cancelled = mail.cancel(event="review-requested", about=ada)

    assert n_cancelled == 1
    assert [row.state for row in mail.mails_about(ada)] == [State.WAITING, State.CANCELLED, State.SENT]
    assert mail.cancel(about=ada, to=bob) == 0
    assert mail.cancel(about=ada, to=ada, round="") == 1
    other.refresh_from_db()
    assert other.state == State.CANCELLED


def test_held_mail_waits_for_its_release() -> None:
    letter = _post(_user(), held=True)
    assert deliver_due() == {}

    mail.release(letter)

    assert deliver_due() == {"sent": 1}
    with pytest.raises(DomainError, match="This mail is sent"):
        mail.release(letter)
    with pytest.raises(DomainError, match="This mail is sent"):
        mail.hold(letter)


def test_waiting_mail_can_be_held_again() -> None:
    letter = mail.hold(_post(_user()))

    assert (letter.state, deliver_due()) == (State.HELD, {})


def test_mail_of_later_waits_for_its_time() -> None:
    _post(_user(), not_before=timezone.now() + timedelta(hours=1))

    assert deliver_due() == {}


def test_resend_writes_a_new_row_and_keeps_the_first() -> None:
    ada, editor = _user(), _user("ed@example.org")
    first = _post(ada, about=editor)
    deliver_due()

    again = mail.resend(first, editor)

    assert mail.resend(first, editor) == again
    assert deliver_due() == {"sent": 1}
    assert [letter.body for letter in sent_mail.outbox] == ["Please read.", "Please read."]
    assert list(mail.mails_of(ada)) == [OutgoingMail.objects.get(pk=again.pk), first]
    event = AuditEvent.objects.get()
    assert (event.action, event.actor, event.details) == ("mail-resent", editor, {"new": again.pk})


def test_resend_refuses_a_mail_that_was_never_tried() -> None:
    with pytest.raises(DomainError, match="it is waiting"):
        mail.resend(_post(_user()), None)


def test_person_sees_only_what_was_sent_to_them() -> None:
    ada, bob = _user(), _user("bob@example.org")
    _post(ada)
    _post(bob)
    deliver_due()
    _post(ada, event="reminder")

    assert [row.event for row in mail.mails_of(ada)] == ["review-requested"]
