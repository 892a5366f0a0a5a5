"""Tokens are made for what a person may do, told once, bounded in number and time, and die when they should."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from impactbench.accounts.erasure import erase_account
from impactbench.accounts.models import AccessToken
from impactbench.accounts.personal_data import exported
from impactbench.accounts.tokens.services import MOST_TOKENS, make_token, note_use, revoke_token, token_of
from impactbench.accounts.tokens.texts import new_text
from impactbench.common.errors import DomainError
from impactbench.common.models import AuditEvent, OutgoingMail
from tests.impactbench.accounts.people import make_person

pytestmark = pytest.mark.django_db
READ = ["submissions:read"]


def test_text_is_told_once_and_finds_its_token() -> None:
    ada = make_person("ada@example.org", "expert")

    token, text = make_token(ada, name="laptop", scopes=READ, days=7)

    assert token_of(text) == token
    assert token_of(new_text()) is None
    assert text not in str(AccessToken.objects.values().get())
    assert (token.beginning, token.scopes, token.expires_at - token.created_at) == (text[:7], READ, timedelta(days=7))


def test_owner_gets_a_mail_and_the_trail_an_entry_without_the_token() -> None:
    ada = make_person("ada@example.org", "expert")

    token, text = make_token(ada, name="Adas laptop", scopes=READ, days=7)
    revoke_token(token, by=ada)
    revoke_token(token, by=ada)

    letter = OutgoingMail.objects.get(event="token-made")
    events = list(AuditEvent.objects.filter(target_type="accounts.accesstoken").order_by("pk"))
    assert (letter.recipient, letter.kind) == (ada, "account")
    assert [event.action for event in events] == ["token-made", "token-revoked"]
    assert events[0].details == {"scopes": READ, "days": 7}
    kept = f"{letter.text} {letter.subject} {[vars(event) for event in events]}"
    assert [word in kept for word in (text, text[3:15], "laptop")] == [False] * 3


@pytest.mark.parametrize("scopes", [[], ["everything"], ["imports:write"], ["submissions:read", "imports:read"]])
def test_nobody_gets_a_token_for_more_than_they_may(scopes: list[str]) -> None:
    with pytest.raises(DomainError, match="Choose what the token shall allow"):
        make_token(make_person("ada@example.org", "expert"), name="x", scopes=scopes, days=7)


def test_life_and_number_are_bounded() -> None:
    ada = make_person("ada@example.org", "editor")
    with pytest.raises(DomainError, match=r"^A token lives 7, 30, 90 or 365 days\.$"):
        make_token(ada, name="x", scopes=READ, days=366)
    for _ in range(MOST_TOKENS):
        token, _ = make_token(ada, name="x", scopes=["imports:write"], days=365)
    with pytest.raises(DomainError, match="You have 20 tokens"):
        make_token(ada, name="x", scopes=READ, days=7)

    revoke_token(token, by=ada)

    assert make_token(ada, name="x", scopes=READ, days=7)[0].is_alive


def test_database_refuses_a_token_that_lives_for_ever() -> None:
    token, _ = make_token(make_person("ada@example.org"), name="x", scopes=READ, days=7)
    changes: list[dict[str, Any]] = [{"expires_at": timezone.now() + timedelta(days=400)}, {"scopes": []}]
    for change in changes:
        with pytest.raises(IntegrityError), transaction.atomic():
            AccessToken.objects.filter(pk=token.pk).update(**change)


def test_use_is_noted_by_the_day() -> None:
    token, text = make_token(make_person("ada@example.org"), name="x", scopes=READ, days=7)

    note_use(token)

    used = token_of(text)
    assert used is not None
    assert used.last_used_on == timezone.now().date()


def test_account_in_the_wrong_hands_loses_its_tokens() -> None:
    ada = make_person("ada@example.org")
    for _ in range(2):
        make_token(ada, name="x", scopes=READ, days=7)

    call_command("end_sessions", "ada@example.org", stdout=StringIO())

    assert [token.is_alive for token in ada.access_tokens.all()] == [False, False]
    assert AuditEvent.objects.filter(action="token-revoked", actor=None).count() == 2


def test_erased_account_leaves_no_token() -> None:
    ada = make_person("ada@example.org")
    _, text = make_token(ada, name="laptop", scopes=READ, days=7)

    told = exported(ada)["account"]["tokens"]
    erase_account(ada)

    assert [(one["name"], one["scopes"]) for one in told] == [("laptop", READ)]
    assert "digest" not in told[0]
    assert token_of(text) is None
