"""Sends what is due from the outbox, after asking once more whether it is still wanted."""

import smtplib
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from impactbench.common.mail import ALWAYS_SENT, State, check_of
from impactbench.common.models import OutgoingMail

# Minutes until the next attempt; after the last of them a mail has failed.
RETRY_MINUTES = (1, 5, 30, 120, 480)
MOST_ATTEMPTS = len(RETRY_MINUTES) + 1
MOST_AT_ONCE = 500


def deliver_due(limit: int = MOST_AT_ONCE) -> dict[str, int]:
    """Handle at most `limit` mails that are due; what became of them, as {state: count}.

    Safe beside other deliverers: each attempt belongs to one. An attempt is counted before it is made, so a mail
    that brings a worker down is not tried for ever.
    """
    outcomes: dict[str, int] = {}
    for _ in range(limit):
        mail = _claim()
        if mail is None:
            break
        state = _settle(mail) if mail.state == State.WAITING else mail.state
        outcomes[state] = outcomes.get(state, 0) + 1
    return outcomes


@transaction.atomic
def _claim() -> OutgoingMail | None:
    """The next mail that is due, with this attempt counted and the next one set; failed when it had too many."""
    due = OutgoingMail.objects.filter(state=State.WAITING, not_before__lte=timezone.now())
    mail = due.select_for_update(skip_locked=True).order_by("not_before", "pk").first()
    if mail is None:
        return None
    if mail.attempts >= MOST_ATTEMPTS:
        mail.state = State.FAILED
        mail.last_error = mail.last_error or "the last attempt did not end"
    else:
        pause = RETRY_MINUTES[min(mail.attempts, len(RETRY_MINUTES) - 1)]
        mail.attempts += 1
        mail.not_before = timezone.now() + timedelta(minutes=pause)
    mail.save(update_fields=["state", "attempts", "not_before", "last_error"])
    return mail


@transaction.atomic
def _settle(claimed: OutgoingMail) -> str:
    """Send the mail or say why not; the row stays locked meanwhile, so that nobody cancels what is on its way."""
    mail = (
        OutgoingMail.objects.select_for_update(of=("self",))
        .select_related("recipient")
        .filter(pk=claimed.pk, state=State.WAITING, attempts=claimed.attempts)
        .first()
    )
    if mail is None:  # cancelled or held meanwhile
        return State.CANCELLED
    try:
        mail.state = _wanted_state(mail)
        if mail.state == State.SENT:
            _message(mail).send()
            mail.sent_at = timezone.now()
        mail.last_error = ""
    except Exception as error:  # whatever it is, the other mails must go on
        mail.state = State.FAILED if mail.attempts >= MOST_ATTEMPTS else State.WAITING
        mail.last_error = _reason(error)
    mail.save(update_fields=["state", "sent_at", "last_error"])
    return mail.state


def _wanted_state(mail: OutgoingMail) -> State:
    person = mail.recipient
    if person is not None and (not person.is_active or getattr(person, "erased_at", None) or not person.email):
        return State.CANCELLED
    with transaction.atomic():  # a check that fails in the database must not take our own transaction with it
        if not check_of(mail)(mail):
            return State.CANCELLED
    if mail.kind not in ALWAYS_SENT and mail.kind in getattr(person, "muted_mail_kinds", ()):
        return State.MUTED
    return State.SENT


def _message(mail: OutgoingMail) -> EmailMessage:
    address = mail.recipient.email if mail.recipient else mail.address
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip("> ")
    headers = {
        # The same for every attempt: a mail program shows a letter once that arrived twice.
        "Message-ID": f"<outbox-{mail.pk}-{mail.created_at:%Y%m%d%H%M%S}@{domain}>",
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(mail.subject, mail.text, to=[address], headers=headers)


def _reason(error: Exception) -> str:
    """The kind of failure and the server's code; never its words, which may name people."""
    code = f" {error.smtp_code}" if isinstance(error, smtplib.SMTPResponseException) else ""
    return f"{type(error).__name__}{code}"
