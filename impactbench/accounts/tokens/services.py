"""Makes, finds and revokes the tokens of people's programs."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from impactbench.accounts.models import AccessToken, User
from impactbench.accounts.tokens import texts
from impactbench.accounts.tokens.scopes import scopes_for
from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

LIVES_DAYS = (7, 30, 90, 365)
# Of one person, neither expired nor revoked.
MOST_TOKENS = 20
_LETTER = """A token for the API was made for your account. It allows:

{allowed}

and is good until {until}. If it was not you, revoke it on the page Account, Tokens, and change your password.
"""


@transaction.atomic
def make_token(owner: User, *, name: str, scopes: Collection[str], days: int) -> tuple[AccessToken, str]:
    """A new token and its text, which is told this once and not kept. Writes an audit event and a mail to the owner.

    Raises DomainError for a person with `MOST_TOKENS`, for no scope or one that is not theirs, for a life that is none
    of `LIVES_DAYS`.
    """
    User.objects.select_for_update().get(pk=owner.pk)
    allowed = [scope for scope in scopes_for(owner) if scope.name in scopes]
    if not allowed or len(allowed) != len(set(scopes)):
        raise DomainError("Choose what the token shall allow, from what your account may do.")
    if days not in LIVES_DAYS:
        raise DomainError(f"A token lives {', '.join(map(str, LIVES_DAYS[:-1]))} or {LIVES_DAYS[-1]} days.")
    now = timezone.now()
    if owner.access_tokens.filter(revoked_at=None, expires_at__gt=now).count() >= MOST_TOKENS:
        raise DomainError(f"You have {MOST_TOKENS} tokens. Revoke one before you make another.")
    text = texts.new_text()
    token = AccessToken.objects.create(
        owner=owner,
        name=name,
        beginning=text[: texts.SHOWN_CHARACTERS],
        digest=texts.digest(text),
        scopes=[scope.name for scope in allowed],
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    record(actor=owner, action="token-made", target=token, details={"scopes": token.scopes, "days": days})
    mail.post(
        event="token-made",
        kind="account",
        to=owner,
        about=token,
        subject="A token was made for your account",
        text=_LETTER.format(
            allowed="\n".join(f"- {scope.words}" for scope in allowed), until=f"{token.expires_at:%-d %B %Y}"
        ),
    )
    return token, text


@transaction.atomic
def revoke_token(token: AccessToken, *, by: User | None, why: str = "") -> bool:
    """Make a token worthless at once and for good; True when it was not so before. Writes an audit event.

    `why` stands in it, and names nobody.
    """
    is_new = bool(AccessToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()))
    if is_new:
        record(actor=by, action="token-revoked", target=token, details={"why": why} if why else None)
    return is_new


def revoke_all(owner: User, *, by: User | None) -> int:
    """Make every token of a person worthless, such as of an account in the wrong hands; how many it were."""
    return sum(revoke_token(token, by=by) for token in owner.access_tokens.filter(revoked_at=None))


def token_of(text: str) -> AccessToken | None:
    """The token with this text and its owner, whatever has become of them; None for a text that is none of ours."""
    if not texts.is_well_formed(text):
        return None
    return AccessToken.objects.select_related("owner").filter(digest__in=texts.digests(text)).first()


def note_use(token: AccessToken) -> None:
    """Remember on which day the token was last used."""
    today = timezone.now().date()
    if token.last_used_on != today:
        AccessToken.objects.filter(pk=token.pk).update(last_used_on=today)
