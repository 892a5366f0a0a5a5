"""What can be done to accounts."""

from collections.abc import Iterable

from django.core import signing
from django.db import transaction

from impactbench.accounts.models import RoleGrant, User
from impactbench.common.audit import record

SIGN_IN_SALT = "impactbench.accounts.sign-in"
SIGN_IN_LINK_SECONDS = 24 * 60 * 60


@transaction.atomic
def create_account(*, email: str, roles: Iterable[str]) -> tuple[User, bool]:
    """The account of an address, made where it is missing, holding at least these roles; True when it is new.

    Writes an audit event for each new account and each new role. Raises ValueError for an unknown role.
    """
    known = set(RoleGrant.Role.values)
    wanted = list(dict.fromkeys(roles))
    for role in wanted:
        if role not in known:
            raise ValueError(f"there is no role {role!r}; choose from {', '.join(sorted(known))}")
    user = User.objects.by_email(email)
    is_new = user is None
    if user is None:
        user = User.objects.create_user(email)
        record(actor=None, action="account-created", target=user)
    for role in wanted:
        _, granted = RoleGrant.objects.get_or_create(user=user, role=role)
        if granted:
            record(actor=None, action="role-granted", target=user, details={"role": role})
    return user, is_new


def sign_in_token(user: User) -> str:
    """A token that signs this user in once, within a day; signing in makes it worthless."""
    return signing.dumps({"user": user.pk, "seen": _last_login(user)}, salt=SIGN_IN_SALT)


def user_of_token(token: str) -> User | None:
    """The user whom a sign-in token belongs to; None when it is forged, too old or already used."""
    try:
        content = signing.loads(token, salt=SIGN_IN_SALT, max_age=SIGN_IN_LINK_SECONDS)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=content["user"], is_active=True).first()
    return user if user is not None and _last_login(user) == content["seen"] else None


def _last_login(user: User) -> str:
    return user.last_login.isoformat() if user.last_login else ""
