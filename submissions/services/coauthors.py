"""Co-authors: invites, confirms, orders and removes them; from the invitation on they count in conflicts."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from impactbench.accounts.naming import display_label
from impactbench.accounts.organisations import all_addresses, verified_domains
from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.defusing import defuse
from impactbench.common.errors import DomainError
from impactbench.common.moments import when_in
from submissions.addresses import invitation_of
from submissions.models import Assignment, CoAuthor, Submission
from submissions.models.people import INVITATION_LIFE
from submissions.services.transitions import NotAllowed, WrongState, locked
from submissions.states import EDITABLE

MOST_CO_AUTHORS = 20
INVITED = "co-author-invited"


@transaction.atomic
def invite(submission: Submission, *, email: str, name: str, actor: Any) -> CoAuthor:
    """Invite somebody by e-mail; invited again, they get a new letter and the old link is void.

    Raises NotAllowed, WrongState, or DomainError with what is wrong with the address.
    """
    fresh = _held(submission, actor)
    email = _checked(email, fresh)
    row = fresh.co_authors.filter(email=email).first()
    if row is not None and row.state == CoAuthor.State.CONFIRMED:
        raise DomainError("This person is a co-author already.")
    if row is None:
        if fresh.co_authors.exclude(state=CoAuthor.State.REMOVED).count() >= MOST_CO_AUTHORS:
            raise DomainError(f"There are {MOST_CO_AUTHORS} co-authors already; remove one first.")
        row = CoAuthor(submission=fresh, email=email, order=_last_place(fresh) + 1)
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    # Who was a co-author before stays named, so that they never review it or decide on it.
    row.name, row.state = name.replace("\x00", "").strip()[:200], CoAuthor.State.INVITED
    row.token_hash, row.invited_at, row.expires_at = hash_of(token), now, now + INVITATION_LIFE
    row.save()
    record(actor=actor, action="co-author-invited", target=fresh, details={"co_author": row.pk})
    _post_invitation(row, token)
    return row


def invitation(token: str) -> CoAuthor | None:
    """The invitation that a link opens, if it is still good; reading it changes nothing."""
    row = CoAuthor.objects.select_related("submission__owner").filter(token_hash=hash_of(token)).first()
    if row is None or row.state != CoAuthor.State.INVITED or row.submission.state not in EDITABLE:
        return None
    return row if row.expires_at is not None and row.expires_at > timezone.now() else None


@transaction.atomic
def confirm(token: str, *, person: Any) -> CoAuthor:
    """The signed-in person becomes a co-author; the link works once. Raises DomainError when it is void."""
    row = _locked_invitation(token)
    submission = row.submission
    if submission.owner_id == person.pk or submission.co_authors.filter(person=person).exclude(pk=row.pk).exists():
        raise DomainError("You are an author of this submission already.")
    asked = Assignment.objects.filter(round__submission=submission, person=person)
    # Only who never answered and is not asked any more has seen nothing of the review.
    if asked.exclude(state=Assignment.State.CANCELLED, answered_at=None).exists():
        raise DomainError("You were asked to review this submission, so you cannot become its author.")
    row.person, row.state, row.token_hash = person, CoAuthor.State.CONFIRMED, ""
    row.save(update_fields=["person", "state", "token_hash"])
    record(actor=person, action="co-author-confirmed", target=submission, details={"co_author": row.pk})
    refresh_domains(submission)
    return row


@transaction.atomic
def decline(token: str, *, person: Any) -> CoAuthor:
    """Say no to an invitation. Raises DomainError when it is void."""
    row = _locked_invitation(token)
    row.state, row.token_hash = CoAuthor.State.DECLINED, ""
    row.save(update_fields=["state", "token_hash"])
    record(actor=person, action="co-author-declined", target=row.submission, details={"co_author": row.pk})
    return row


@transaction.atomic
def remove(submission: Submission, key: int, *, actor: Any) -> CoAuthor:
    """Take a co-author off. Raises NotAllowed, WrongState, or DomainError for one that is not there."""
    fresh = _held(submission, actor)
    row = _row(fresh, key)
    row.state, row.token_hash = CoAuthor.State.REMOVED, ""
    row.save(update_fields=["state", "token_hash"])
    mail.cancel(about=row, event=INVITED)
    record(actor=actor, action="co-author-removed", target=fresh, details={"co_author": row.pk})
    refresh_domains(fresh)
    return row


@transaction.atomic
def move_up(submission: Submission, key: int, *, actor: Any) -> None:
    """Name a co-author one place earlier. Raises NotAllowed, WrongState, or DomainError for one that is not there."""
    fresh = _held(submission, actor)
    row = _row(fresh, key)
    rows = list(co_authors_of(fresh))
    place = next(at for at, other in enumerate(rows) if other.pk == row.pk)
    if place:
        rows[place - 1], rows[place] = rows[place], rows[place - 1]
    for order, other in enumerate(rows, start=1):
        if other.order != order:
            CoAuthor.objects.filter(pk=other.pk).update(order=order)


def co_authors_of(submission: Submission) -> list[CoAuthor]:
    """The co-authors that were not removed, in order."""
    rows = submission.co_authors.exclude(state=CoAuthor.State.REMOVED)
    return list(rows.select_related("person").order_by("order", "pk"))


def refresh_domains(submission: Submission, *, without: Any = None) -> None:
    """Keep the verified e-mail domains of all authors beside the submission, as every list of it asks for them.

    `without` is somebody whose account is about to go, with all of its addresses.
    """
    people = [submission.owner]
    confirmed = submission.co_authors.filter(state=CoAuthor.State.CONFIRMED, person__isnull=False)
    people += [row.person for row in confirmed.select_related("person") if row.person is not None]
    submission.author_domains = sorted(
        {domain for person in people if person != without for domain in verified_domains(person)}
    )
    submission.save(update_fields=["author_domains"])


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _held(submission: Submission, actor: Any) -> Submission:
    fresh = locked(submission)
    if fresh.owner_id != actor.pk or not actor.is_active:
        raise NotAllowed("Only its owner changes who its authors are.")
    if fresh.state not in EDITABLE:
        raise WrongState("This submission has been sent; its authors cannot be changed now.")
    return fresh


def _checked(email: str, submission: Submission) -> str:
    email = email.strip().lower()
    try:
        validate_email(email)
    except ValidationError:
        raise DomainError("This is not an e-mail address. Write it like name@example.org.") from None
    if email in all_addresses(submission.owner):
        raise DomainError("This is your own address; you are its author already.")
    return email


def _row(submission: Submission, key: int) -> CoAuthor:
    row = submission.co_authors.exclude(state=CoAuthor.State.REMOVED).filter(pk=key).first()
    if row is None:
        raise DomainError("This co-author was removed already.")
    return row


def _locked_invitation(token: str) -> CoAuthor:
    found = invitation(token)
    if found is not None:
        locked(found.submission)
        found = invitation(token)
    if found is None:
        raise DomainError("This invitation is no longer good. Ask the author for a new one.")
    return found


def _last_place(submission: Submission) -> int:
    return submission.co_authors.aggregate(last=Max("order"))["last"] or 0


def _post_invitation(row: CoAuthor, token: str) -> None:
    submission = row.submission
    mail.post(
        event=INVITED,
        kind="account",
        address=row.email,
        about=row,
        subject=f"{defuse(display_label(submission.owner))} names you as a co-author on ImpactBench",
        text=(
            f"{defuse(display_label(submission.owner))} writes a metric and names you as a co-author:\n\n"
            f"  {defuse(submission.title)}\n\n"
            f"Open this address to say yes or no; you are asked to sign in first:\n{invitation_of(token)}\n\n"
            f"It works once, until {when_in(row.expires_at or timezone.now(), 'UTC')}\n\n"
            "If you do not know this person, you need not do anything.\n"
        ),
        round=f"{row.invited_at:%Y-%m-%d %H:%M:%S.%f}",
    )
