"""Erasing an account: the person goes, the work stays under a row without a name."""

from __future__ import annotations

from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.utils import timezone

from impactbench.accounts import personal_data, traces
from impactbench.accounts.models import AccessToken, KeptAnswer, User
from impactbench.accounts.services import refuse_to_lose_the_last_operator
from impactbench.common.audit import record
from impactbench.common.models import AuditEvent, OutgoingMail

ERASED_DOMAIN = "erased.invalid"


@transaction.atomic
def erase_account(user: User) -> None:
    """Remove everything that tells who the person is, end all sessions, and close the account for good.

    Reviews, ratings and submissions stay, under a row that names nobody. Writes an audit event. Raises DomainError
    for the last operator.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    refuse_to_lose_the_last_operator(user)
    personal_data.erase_parts(user)
    user.role_grants.all().delete()
    for name in ("name", "affiliation", "expertise", "country", "time_zone", "conflicts_of_interest"):
        setattr(user, name, "")
    user.email = f"erased-{user.pk}@{ERASED_DOMAIN}"
    user.muted_mail_kinds = []
    user.wants_to_review = False
    user.is_active = False
    user.erased_at = timezone.now()
    user.set_unusable_password()
    user.save()
    record(actor=user, action="account-erased", target=user)


def export_account(user: User) -> dict[str, Any]:
    """What accounts keep about a person; secrets of second factors are only named."""
    return {
        "email": user.email,
        "joined_at": user.joined_at,
        "last_sign_in_at": user.last_login,
        "name": user.name,
        "affiliation": user.affiliation,
        "expertise": user.expertise,
        "country": user.country,
        "time_zone": user.time_zone,
        "conflicts_of_interest": user.conflicts_of_interest,
        "wants_to_review": user.wants_to_review,
        "muted_mail_kinds": user.muted_mail_kinds,
        "roles": sorted(user.roles),
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "linked_accounts": list(SocialAccount.objects.filter(user=user).values("provider", "uid", "date_joined")),
        "second_factors": list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")),
        "sessions": list(UserSession.objects.filter(user=user).values("created_at", "ip", "user_agent")),
        "tokens": list(AccessToken.objects.filter(owner=user).values("name", "scopes", "created_at", "expires_at")),
        "answers_to_programs": list(KeptAnswer.objects.filter(owner=user).values("created_at", "status", "body")),
        "mails": list(OutgoingMail.objects.filter(recipient=user).values("sent_at", "kind", "subject", "text")),
        "actions": list(AuditEvent.objects.filter(actor=user).values("at", "action", "target_type", "target_id")),
    }


def erase_sign_in(user: User) -> None:
    """Forget how the person signed in and what was written to them."""
    traces.end_sessions(user)
    traces.forget_letters(user)
    # Files know no transactions: they go when the account is gone for sure.
    transaction.on_commit(partial(traces.forget_files_of_mail, traces.marks_of(user)))
    AccessToken.objects.filter(owner=user).delete()
    KeptAnswer.objects.filter(owner=user).delete()
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
