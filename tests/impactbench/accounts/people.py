"""People for the tests of accounts, and what they do again and again."""

from __future__ import annotations

import base64
import hmac
import re
import struct
import time

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.test import Client

from impactbench.accounts.models import User
from impactbench.accounts.services import grant_role

PASSWORD = "correct horse 42 battery"
CODE = re.compile(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b")


def make_person(email: str = "ada@example.org", *roles: str, **fields: object) -> User:
    """Somebody with a password and a confirmed address."""
    user = User.objects.create_user(email, PASSWORD, **fields)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    for role in roles:
        grant_role(user, role, by=None)
    return user


def sign_in(client: Client, email: str = "ada@example.org", password: str = PASSWORD, **extra: str) -> str:
    """Sign in by the form; the address of the page that follows, or nothing when it was refused."""
    response = client.post("/accounts/login/", {"login": email, "password": password, **extra})
    return response["Location"] if response.status_code == 302 else ""


def signed_in(client: Client, user: User) -> Client:
    """The client, signed in by the form: the library has seen the password just now."""
    assert sign_in(client, user.email)
    return client


def confirm_identity(client: Client) -> None:
    """Give the password once more, as pages that guard something ask."""
    response = client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/accounts/profile/"})
    assert response.status_code == 302


def code_of_last_mail() -> str:
    found = CODE.search(str(mail.outbox[-1].body))
    assert found, mail.outbox[-1].body
    return found.group()


def add_authenticator_app(user: User) -> str:
    """Set up an authenticator app; its secret."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return str(secret)


def code_of_app(secret: str) -> str:
    """The six digits that an app shows now (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.digest(base64.b32decode(secret), counter, "sha1")
    start = digest[-1] & 15
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def second_factors(user: User) -> list[str]:
    return sorted(Authenticator.objects.filter(user=user).values_list("type", flat=True))
