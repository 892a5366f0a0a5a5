"""What can be done to accounts."""

from collections.abc import Iterable

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import signing
from django.db import transaction

from impactbench.accounts.models import RoleGrant, User
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

SIGN_IN_SALT = "impactbench.accounts.sign-in"
SIGN_IN_LINK_SECONDS = 24 * 60 * 60


@transaction.atomic
def create_account(*, email: str, roles: Iterable[str]) -> tuple[User, bool]:
    """The account of an address, made where it is missing, holding at least these roles; True when it is new.

    Whoever gives the command vouches for the address. Writes an audit event for each new account and each new role.
    Raises ValueError for an unknown role.
    """
    wanted = list(dict.fromkeys(roles))
    for role in wanted:
        _refuse_unknown(role)
    user = User.objects.by_email(email)
    is_new = user is None
    if user is None:
        user = User.objects.create_user(email)
        EmailAddress.objects.create(user=user, email=user.email.lower(), verified=True, primary=True)
        record(actor=None, action="account-created", target=user)
    for role in wanted:
        grant_role(user, role, by=None)
    return user, is_new


@transaction.atomic
def grant_role(user: User, role: str, by: User | None) -> bool:
    """Give a role; `by` is an operator, or None for a command or a rule. True when it is new.

    Writes an audit event. Raises ValueError for an unknown role.
    """
    _refuse_unknown(role)
    _, is_new = RoleGrant.objects.get_or_create(user=user, role=role)
    user.forget_roles()
    if is_new:
        record(actor=by, action="role-granted", target=user, details={"role": role})
    return is_new


@transaction.atomic
def revoke_role(user: User, role: str, by: User | None) -> bool:
    """Take a role away. True when the person held it.

    Writes an audit event. Raises ValueError for an unknown role, DomainError when nobody else is an operator.
    """
    _refuse_unknown(role)
    if role == RoleGrant.Role.OPERATOR:
        refuse_to_lose_the_last_operator(user)
    n_deleted, _ = RoleGrant.objects.filter(user=user, role=role).delete()
    user.forget_roles()
    if n_deleted:
        record(actor=by, action="role-revoked", target=user, details={"role": role})
    return bool(n_deleted)


@transaction.atomic
def remove_second_factors(user: User, by: User | None) -> int:
    """Take away all second factors of somebody who lost them, and say how many. Writes an audit event."""
    n_deleted, _ = Authenticator.objects.filter(user=user).delete()
    if n_deleted:
        record(actor=by, action="second-factor-removed", target=user, details={"count": n_deleted})
    return n_deleted


def refuse_to_lose_the_last_operator(user: User) -> None:
    """Raise DomainError when the user is the only active operator; others wait until the transaction is over."""
    operators = RoleGrant.objects.select_for_update(of=("self",)).filter(role=RoleGrant.Role.OPERATOR)
    active = set(operators.filter(user__is_active=True).values_list("user_id", flat=True))
    if active == {user.pk}:
        raise DomainError("This is the last operator. Make somebody else an operator first.")


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


def _refuse_unknown(role: str) -> None:
    if role not in RoleGrant.Role.values:
        raise ValueError(f"there is no role {role!r}; choose from {', '.join(sorted(RoleGrant.Role.values))}")
