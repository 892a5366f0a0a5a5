"""The outbox: letters are written into the database with what they tell of, and sent once that is committed."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone

from impactbench.common.audit import record
from impactbench.common.defusing import defuse
from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.models import OutgoingMail

__all__ = [
    "ALWAYS_SENT", "DELIVER", "cancel", "cancel_one", "check_of", "defuse", "hold", "mails_about", "mails_of", "post",
    "register_check", "release", "resend",
]  # fmt: skip

State = OutgoingMail.State
DELIVER = "common.deliver_mail"
# Nobody can opt out of these: they are what the person came for, or guard the account.
ALWAYS_SENT = frozenset({"decision", "account"})
_SECONDS_OF_A_MESSAGE = 300

_NOT_IN_A_HEADER = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

Check = Callable[[OutgoingMail], bool]
_checks: dict[str, Check] = {}


def register_check(name: str, function: Check) -> None:
    """Make `function(mail) -> bool` known as `name`; called by an app's `ready`, so that workers know it too."""
    _checks[name] = function


def check_of(mail: OutgoingMail) -> Check:
    """The check that the mail names, or one that always holds. Raises LookupError for a name nobody registered."""
    return _checks[mail.still_true] if mail.still_true else lambda _mail: True


def post(
    *,
    event: str,
    kind: str,
    to: Any = None,
    address: str = "",
    about: models.Model | None = None,
    subject: str,
    text: str,
    round: str = "",  # noqa: A002  (the word of the glossary)
    not_before: datetime | None = None,
    held: bool = False,
    still_true: str | None = None,
) -> OutgoingMail:
    """Put a letter to the user `to`, or to a bare `address`, into the outbox; part of the caller's transaction.

    The same event about the same object and round gives a person one mail: a second call returns the first one's row,
    unless that was cancelled. `text` is plain text; put user-written values through `defuse`. `still_true` names a
    check of `register_check`, asked again just before sending. Raises UnusableInput for a subject or an address that
    is not one line or no address, ValueError unless there is exactly one recipient, LookupError for an unknown check.
    """
    if (to is None) == (not address):
        raise ValueError("a mail goes to a user or to an address")
    if still_true and still_true not in _checks:
        raise LookupError(f"no check is registered as {still_true}")
    key = {"event": event, "recipient": to, "address": _checked_address(address), "round": round, **_object(about)}
    mail, is_new = OutgoingMail.objects.exclude(state=State.CANCELLED).get_or_create(
        **key,
        resent_from=None,
        defaults={
            "kind": kind,
            "subject": _checked_subject(subject),
            "text": text,
            "still_true": still_true or "",
            "state": State.HELD if held else State.WAITING,
            "not_before": not_before or timezone.now(),
        },
    )
    if is_new:
        _deliver_soon(mail)
    return mail


def cancel(
    *,
    about: models.Model,
    event: str | None = None,
    round: str | None = None,  # noqa: A002  (the word of the glossary)
    to: Any = None,
) -> int:
    """Cancel the unsent mails about an object and say how many; without event, round or recipient, all of them."""
    unsent = OutgoingMail.objects.filter(**_object(about), state__in=[State.WAITING, State.HELD])
    wanted = {"event": event, "round": round, "recipient": to}
    return unsent.filter(**{name: value for name, value in wanted.items() if value is not None}).update(
        state=State.CANCELLED
    )


def cancel_one(mail: OutgoingMail) -> OutgoingMail:
    """Cancel one unsent mail. Raises DomainError when it is neither waiting nor held."""
    source = State.HELD if mail.state == State.HELD else State.WAITING
    return _move(mail, source, State.CANCELLED)


def hold(mail: OutgoingMail) -> OutgoingMail:
    """Keep a waiting mail back until `release`. Raises DomainError when it is not waiting."""
    return _move(mail, State.WAITING, State.HELD)


def release(mail: OutgoingMail) -> OutgoingMail:
    """Let a held mail go, at once or at its time. Raises DomainError when it is not held."""
    _deliver_soon(_move(mail, State.HELD, State.WAITING))
    return mail


@transaction.atomic
def resend(mail: OutgoingMail, by: Any) -> OutgoingMail:
    """Send a sent or failed mail once more, as a new row; asked twice, the one still waiting is returned.

    Writes the audit trail. Raises DomainError for a mail that was never tried, or whose text is not kept any more.
    """
    first = OutgoingMail.objects.select_for_update().get(pk=mail.pk)
    if first.state not in (State.SENT, State.FAILED):
        raise DomainError(f"This mail was not sent before: it is {first.state}.")
    if not first.text:
        raise DomainError("The text of this mail was deleted: letters are not kept for ever.")
    waiting = first.sent_again_as.filter(state__in=[State.WAITING, State.HELD]).first()
    if waiting is not None:
        return waiting
    copied = ("event", "kind", "recipient", "address", "object_type", "object_id", "round", "subject", "text")
    again = OutgoingMail.objects.create(resent_from=first, **{name: getattr(first, name) for name in copied})
    record(actor=by, action="mail-resent", target=first, details={"new": again.pk})
    _deliver_soon(again)
    return again


def mails_of(user: Any) -> QuerySet[OutgoingMail]:
    """What was sent to a person, newest first."""
    return OutgoingMail.objects.filter(recipient=user, state=State.SENT).exclude(text="").order_by("-sent_at", "-pk")


def mails_about(about: models.Model) -> QuerySet[OutgoingMail]:
    """Every mail about an object, whatever became of it, newest first."""
    return OutgoingMail.objects.filter(**_object(about)).select_related("recipient").order_by("-created_at", "-pk")


def _object(about: models.Model | None) -> dict[str, str]:
    if about is None:
        return {"object_type": "", "object_id": ""}
    return {"object_type": about._meta.label_lower, "object_id": str(about.pk)}


def _move(mail: OutgoingMail, source: State, state: State) -> OutgoingMail:
    if not OutgoingMail.objects.filter(pk=mail.pk, state=source).update(state=state):
        mail.refresh_from_db(fields=["state"])
        raise DomainError(f"This mail is {mail.state}, so that is not possible.")
    mail.state = state
    return mail


def _deliver_soon(mail: OutgoingMail) -> None:
    """Wake a worker once the transaction is committed; should the broker be away, the clock finds the mail."""
    if mail.state == State.WAITING and mail.not_before <= timezone.now():
        transaction.on_commit(_wake_worker, robust=True)


def _wake_worker() -> None:
    current_app.send_task(DELIVER, queue=settings.PORTAL_QUEUE, expires=_SECONDS_OF_A_MESSAGE)


def _checked_address(address: str) -> str:
    if not address:
        return ""
    try:
        validate_email(address.strip(" "))
    except ValidationError:
        raise UnusableInput("This is not an e-mail address.") from None
    return address.strip(" ").lower()


def _checked_subject(subject: str) -> str:
    if not subject.strip() or _NOT_IN_A_HEADER.search(subject):
        raise UnusableInput("The subject of a mail is one line of text.")
    return subject if len(subject) <= 300 else f"{subject[:299]}…"
