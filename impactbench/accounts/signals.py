"""What follows when somebody signs up, confirms an address or changes how they sign in."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.socialaccount import signals as social
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from impactbench.accounts.alarms import visitor
from impactbench.accounts.models import RoleGrant, User
from impactbench.accounts.services import grant_role
from impactbench.common.audit import record

logger = logging.getLogger("impactbench.accounts.sign_in")


@receiver(user_logged_in)
def log_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    """Who by the number of the account, and by which ways; never an address."""
    methods = sorted({str(one.get("method")) for one in request.session.get("account_authentication_methods", [])})
    logger.info("%s signed in by %s", user, " and ".join(methods) or "a link")


@receiver(user_login_failed)
def log_refusal(request: HttpRequest | None = None, **_: Any) -> None:
    """That somebody was refused, and who it was as far as lines of the log may say so."""
    logger.info("%s was refused to sign in", visitor(request) if request is not None else "somebody")


@receiver(user_logged_out)
def log_sign_out(user: User | None, **_: Any) -> None:
    if user is not None:
        logger.info("%s signed out", user)


@receiver(account.user_signed_up)
def note_new_account(user: User, **_: Any) -> None:
    record(actor=user, action="account-created", target=user)
    if EmailAddress.objects.filter(user=user, verified=True).exists():
        grant_role(user, RoleGrant.Role.EXPERT, by=None)


@receiver(account.email_confirmed)
def make_expert(email_address: EmailAddress, **_: Any) -> None:
    """Whoever can be reached may submit."""
    grant_role(User.objects.get(pk=email_address.user_id), RoleGrant.Role.EXPERT, by=None)


@receiver(account.email_changed)
def end_other_sessions(request: HttpRequest, user: User, from_email_address: Any, **_: Any) -> None:
    """The new address has ended all sessions of the person; this one goes on."""
    if from_email_address is None:
        return
    user.refresh_from_db()
    if request.user.is_authenticated:
        update_session_auth_hash(request, user)
    record(actor=user, action="address-changed", target=user)


@receiver([account.password_changed, account.password_set, account.password_reset])
def note_password(user: User, **_: Any) -> None:
    record(actor=user, action="password-changed", target=user)


@receiver(mfa.authenticator_added)
def note_second_factor(user: User, authenticator: Any, **_: Any) -> None:
    record(actor=user, action="second-factor-added", target=user, details={"type": authenticator.type})


@receiver(mfa.authenticator_removed)
def note_second_factor_gone(user: User, authenticator: Any, **_: Any) -> None:
    record(actor=user, action="second-factor-removed", target=user, details={"type": authenticator.type})


@receiver(social.social_account_added)
def note_linked_account(sociallogin: Any, **_: Any) -> None:
    record(actor=sociallogin.user, action="account-linked", target=sociallogin.user)


@receiver(social.social_account_removed)
def note_unlinked_account(socialaccount: Any, **_: Any) -> None:
    record(actor=socialaccount.user, action="account-unlinked", target=socialaccount.user)
