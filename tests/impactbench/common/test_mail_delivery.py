"""Delivery: what is still wanted is sent once, what fails is tried again, and says so without names."""

import io
import smtplib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as sent_mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from impactbench.accounts.models import User
from impactbench.common import mail
from impactbench.common.mail_delivery import MOST_ATTEMPTS, deliver_due
from impactbench.common.models import OutgoingMail

State = OutgoingMail.State


class RefusingBackend(BaseEmailBackend):
    """A mail server that takes nothing."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:  # noqa: ARG002  (Django's signature)
        raise smtplib.SMTPResponseException(450, b"ada@example.org is over quota")


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada@example.org")


def _post(to: User | None = None, **changed: object) -> OutgoingMail:
    words = {"event": "review-requested", "kind": "review", "subject": "A review", "text": "Please read.", "to": to}
    return mail.post(**{**words, **changed})  # type: ignore[arg-type]


def _fresh(letter: OutgoingMail) -> OutgoingMail:
    return OutgoingMail.objects.get(pk=letter.pk)


def test_due_mail_is_sent_once_as_plain_text(ada: User) -> None:
    letter = _post(ada)

    assert (deliver_due(), deliver_due()) == ({"sent": 1}, {})

    sent = sent_mail.outbox[0]
    assert (sent.to, sent.subject, sent.body) == (["ada@example.org"], "A review", "Please read.")
    assert sent.message().get_content_type() == "text/plain"
    assert sent.extra_headers["Auto-Submitted"] == "auto-generated"
    assert (_fresh(letter).state, _fresh(letter).attempts) == (State.SENT, 1)


def test_invitation_goes_to_its_bare_address(db: None) -> None:
    _post(address="new@example.org")
    deliver_due()

    assert [sent.to for sent in sent_mail.outbox] == [["new@example.org"]]


def test_mail_that_is_no_longer_true_is_cancelled(ada: User) -> None:
    mail.register_check("tests.never", lambda _mail: False)
    letter = _post(ada, still_true="tests.never")

    assert deliver_due() == {"cancelled": 1}
    assert (_fresh(letter).state, sent_mail.outbox) == (State.CANCELLED, [])


def test_check_that_holds_lets_the_mail_go(ada: User) -> None:
    mail.register_check("tests.round-is-2", lambda row: row.round == "2")
    _post(ada, round="2", still_true="tests.round-is-2")

    assert deliver_due() == {"sent": 1}


def test_check_that_breaks_the_database_harms_that_mail_alone(ada: User) -> None:
    def broken(_mail: OutgoingMail) -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1/0")
        return True

    mail.register_check("tests.broken", broken)
    letter = _post(ada, still_true="tests.broken")
    _post(ada, event="other")

    assert deliver_due() == {"waiting": 1, "sent": 1}
    assert _fresh(letter).last_error == "DataError"


def test_inactive_person_gets_nothing(ada: User) -> None:
    _post(ada, kind="decision")
    User.objects.filter(pk=ada.pk).update(is_active=False)

    assert deliver_due() == {"cancelled": 1}


@pytest.mark.parametrize(("kind", "state"), [("review", "muted"), ("decision", "sent"), ("account", "sent")])
def test_opt_out_mutes_its_kind_except_decisions_and_the_account(ada: User, kind: str, state: str) -> None:
    User.objects.filter(pk=ada.pk).update(muted_mail_kinds=[kind])
    _post(ada, kind=kind)

    assert deliver_due() == {state: 1}


@pytest.fixture
def refusing(settings: Any) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.RefusingBackend"


def test_failing_mail_is_tried_again_later_and_names_nobody(ada: User, refusing: None) -> None:
    letter = _post(ada)

    assert (deliver_due(), deliver_due()) == ({"waiting": 1}, {})

    row = _fresh(letter)
    assert (row.attempts, row.last_error) == (1, "SMTPResponseException 450")
    assert row.not_before > timezone.now()


def test_mail_fails_after_its_last_attempt(ada: User, refusing: None) -> None:
    letter = _post(ada)
    for _ in range(MOST_ATTEMPTS + 1):
        deliver_due()
        OutgoingMail.objects.update(not_before=timezone.now() - timedelta(seconds=1))

    row = _fresh(letter)
    assert (row.state, row.attempts) == (State.FAILED, MOST_ATTEMPTS)


def test_mail_whose_attempts_never_ended_fails_without_another(ada: User) -> None:
    letter = _post(ada)
    OutgoingMail.objects.update(attempts=MOST_ATTEMPTS)

    assert deliver_due() == {"failed": 1}
    assert (_fresh(letter).last_error, sent_mail.outbox) == ("the last attempt did not end", [])


@pytest.mark.django_db(transaction=True)
def test_deliverers_side_by_side_send_each_mail_once() -> None:
    ada = User.objects.create_user("ada@example.org")
    for number in range(30):
        _post(ada, event=f"event-{number}")

    def deliver(_: int) -> int:
        try:
            return deliver_due().get("sent", 0)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        n_sent = sum(pool.map(deliver, range(4)))

    assert (n_sent, len(sent_mail.outbox)) == (30, 30)


def test_command_says_what_became_of_the_mails(ada: User) -> None:
    _post(ada)
    _post(ada, event="other")
    told = io.StringIO()

    call_command("deliver_mail", stdout=told)
    call_command("deliver_mail", stdout=told)

    assert told.getvalue() == "mails: 2 sent\nmails: none is due\n"
