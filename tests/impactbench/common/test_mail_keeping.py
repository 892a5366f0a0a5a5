"""Letters are emptied by age; that there was one stays known."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from impactbench.accounts.models import User
from impactbench.common import mail
from impactbench.common.errors import DomainError
from impactbench.common.mail_keeping import forget_old_letters
from impactbench.common.models import OutgoingMail

pytestmark = pytest.mark.django_db
State = OutgoingMail.State


def letter(event: str, days: int, state: State = State.SENT, **to: Any) -> OutgoingMail:
    """A letter that ended so many days ago."""
    made = mail.post(event=event, kind="account", subject="About you", text="Dear you", **to)
    then = timezone.now() - timedelta(days=days)
    sent_at = then if state == State.SENT else None
    OutgoingMail.objects.filter(pk=made.pk).update(created_at=then, sent_at=sent_at, state=state)
    return made


def texts() -> dict[str, str]:
    return dict(OutgoingMail.objects.values_list("event", "text"))


def test_letters_are_emptied_by_age_and_nothing_is_told_twice(settings: Any) -> None:
    settings.LETTER_DAYS = 100
    ada = User.objects.create_user("ada@example.org")
    old, _, _, _, bare = (
        letter("old", 101, to=ada),
        letter("cancelled", 101, State.CANCELLED, to=ada),
        letter("young", 99, to=ada),
        letter("waiting", 500, State.WAITING, to=ada),
        letter("bare", 101, address="somebody@example.org"),
    )

    assert [forget_old_letters(), forget_old_letters()] == [3, 0]

    bare.refresh_from_db()
    assert texts() == {"old": "", "cancelled": "", "young": "Dear you", "waiting": "Dear you", "bare": ""}
    assert (bare.subject, bare.address) == ("", f"forgotten-{bare.pk}@erased.invalid")
    assert mail.post(event="old", kind="account", to=ada, subject="About you", text="Dear you") == old
    assert [one.event for one in mail.mails_of(ada)] == ["young"]
    with pytest.raises(DomainError, match="text of this mail was deleted"):
        mail.resend(old, ada)


def test_letters_stay_where_the_operator_says_so(settings: Any) -> None:
    settings.LETTER_DAYS = 0
    letter("old", 5_000, to=User.objects.create_user("ada@example.org"))

    assert (forget_old_letters(), texts()) == (0, {"old": "Dear you"})
