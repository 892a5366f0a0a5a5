"""Erasing an account: every column, session, cached value, file and log is filled with people first, searched after.

A column that the sweep neither fills nor knows a reason for fails the first test: whoever adds a table decides.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import timedelta
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount, SocialToken
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from evaluation.models import StudyRater
from evaluation.services.studies import inviting
from impactbench.accounts.erasure import erase_account
from impactbench.accounts.models import AccessToken, KeptAnswer
from impactbench.accounts.personal_data import exported
from impactbench.accounts.traces import FILES_OF_MAIL
from impactbench.common.mail_delivery import deliver_due
from submissions.models import Suggestion
from submissions.services.crediting import credit_line, credits_of
from submissions.services.publishing import versions_of
from tests.support import traces
from tests.support.studies import make_study, rate_all, take_seat
from tests.support.whole_story import IDENTITIES, Story, begin_story

pytestmark = pytest.mark.django_db

# What the story and this test write into their columns about the people in it, and every place that is filled so.
FILLED = frozenset(
    """
    account_emailaddress.email accounts_accesstoken.name accounts_keptanswer.body accounts_user.affiliation
    accounts_user.conflicts_of_interest accounts_user.email accounts_user.expertise accounts_user.name
    accounts_user.time_zone common_outgoingmail.address common_outgoingmail.subject common_outgoingmail.text
    evaluation_metricversion.contributor evaluation_studyrater.email
    socialaccount_socialaccount.extra_data socialaccount_socialaccount.uid socialaccount_socialtoken.token
    submissions_approvedmetric.credits submissions_attachment.name submissions_coauthor.email submissions_coauthor.name
    submissions_conflict.reason submissions_draftversion.content submissions_extension.reason
    submissions_revision.content submissions_submission.author_domains submissions_submission.content
    submissions_suggestion.signed_as submissions_trial.content
    usersessions_usersession.data usersessions_usersession.ip usersessions_usersession.user_agent
    """.split()  # noqa: SIM905  (a list of quoted words is harder to read)
)
# Why other columns name nobody who has an account.
CODES = "Kinds, states, keys, hashes and numbers of our own, or the library's."
SEALED = "Packed or sealed, so that no search finds anything in it; it is gone with its row, which other tests see."
TESTED = "What is tested and measured, from plans, files and models; no code writes anything of an account into it."
WORK = "What somebody wrote as work: it stays, under an account without a name. That it names nobody is up to them."
RULES = {
    # libraries
    "auth_*": CODES,
    "account_emailconfirmation.key": CODES,
    "accounts_user.country": CODES,
    "accounts_user.password": SEALED,
    "accounts_user.muted_mail_kinds": CODES,
    "accounts_rolegrant.*": CODES,
    "accounts_accesstoken.*": CODES,
    "accounts_keptanswer.*": CODES,
    "django_session.*": SEALED,
    "mfa_authenticator.*": SEALED,
    "socialaccount_socialapp.*": CODES,
    "socialaccount_socialaccount.provider": CODES,
    "socialaccount_socialtoken.token_secret": SEALED,
    "usersessions_usersession.session_key": CODES,
    # ours; the trail is searched as well, and was never to hold a name
    "common_auditevent.*": CODES,
    "common_outgoingmail.*": CODES,
    "evaluation_study.*": WORK,
    "evaluation_adjudication.*": WORK,
    "evaluation_rating.*": WORK,
    "evaluation_generateddraft.*": WORK,
    "evaluation_releaserequest.*": WORK,
    "evaluation_taxonomydraft.*": WORK,
    "evaluation_studyrater.*": CODES,
    "evaluation_*": TESTED,
    "submissions_attachment.*": CODES,
    "submissions_coauthor.*": CODES,
    "submissions_conflict.kind": CODES,
    "submissions_submission.*": CODES,
    "submissions_trialmodel.*": CODES,
    "submissions_sourceimport.*": TESTED,
    "submissions_*": WORK,
}
# What people wrote of themselves and of others in the story, and with whose account it has to go.
SAID = {
    "owner": ["zqillness"],
    "co-author": ["zqnemesis", "zqfilecontent"],
    "declined": ["zqbusy"],
    "conflicted": ["zqfamily"],
    "shut-out editor": ["zqnoted"],
}
# The last operator cannot go.
STAYS = "operator"
# What stays when everybody has gone.
KEPT = ("zqreviewone", "zqreviewtwo", "zqreviewall", "zqamongeditors", "zqshownvoice", "zqversiontwo")


def words_of(who: str) -> list[str]:
    """Everything that gives one person of the story away."""
    number = list(IDENTITIES).index(who)
    name, email, _place = IDENTITIES[who]
    numbers = [f"0000-0002-1825-{number:04}", f"198.51.100.{number + 10}", f"zqdevice{number:02}"]
    return [name.split()[1].lower(), email, name.lower(), *numbers, *SAID.get(who, [])]


@pytest.fixture
def home(settings: Any, tmp_path: Path) -> Path:
    """A home folder with the files of this test alone; letters are files in it."""
    settings.PRIVATE_FILES = tmp_path / "files"
    settings.EMAIL_BACKEND = FILES_OF_MAIL
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    return tmp_path


@pytest.fixture
def story(home: Path) -> Story:
    """Everybody left traces wherever the site keeps any."""
    story = begin_story()
    story.go_on_to("reviewing")
    # A trial keeps a copy of the text as it stood.
    story.submission.trials.update(content=story.submission.content)
    story.go_on_to("published")
    for number, (who, person) in enumerate(story.people.items()):
        _fill_account(person, number, IDENTITIES[who][0])
    _credit(story)
    _rate(story)
    signed = story.people["other expert"]
    Suggestion.objects.filter(person=signed).update(signed_as=signed.name)
    _deliver()
    return story


def _fill_account(person: Any, number: int, name: str) -> None:
    for field in ("expertise", "conflicts_of_interest"):
        setattr(person, field, f"About {name}")
    person.time_zone = f"zqdevice{number:02}"
    person.save()
    linked = SocialAccount.objects.create(
        user=person, provider="orcid", uid=f"0000-0002-1825-{number:04}", extra_data={"name": name}
    )
    ends = timezone.now() + timedelta(days=1)
    AccessToken.objects.create(
        owner=person, name=f"Program of {name}", digest=f"{number:064}", scopes=["read"], expires_at=ends
    )
    KeptAnswer.objects.create(owner=person, key_digest="1" * 64, status=201, body=json.dumps({"title": name}))
    SocialToken.objects.create(account=linked, token=f"zqdevice{number:02}")
    for held in ({"_auth_user_id": str(person.pk)}, {"account_login": {"email": person.email}}):
        session = SessionStore()
        session.update(held)
        session.create()
        if "_auth_user_id" in held:
            UserSession.objects.create(
                user=person, ip=f"198.51.100.{number + 10}", user_agent=f"zqdevice{number:02}",
                session_key=session.session_key, data={"seen": f"198.51.100.{number + 10}"},
            )  # fmt: skip


def _credit(story: Story) -> None:
    """The authors are named on the metric's page."""
    [version] = versions_of(story.submission)
    row = version.approved_from
    row.credits = credits_of(story.submission, replace(story.submission.draft, credit="named"))
    row.save()
    version.contributor = credit_line(row.credits)
    version.save(update_fields=["contributor"])


def _rate(story: Story) -> None:
    """One rates; another is only invited, by an address."""
    study = make_study(story.people["editor"])
    rater = story.people["other reviewer"]
    rate_all(take_seat(study, story.people["editor"], rater), rater)
    inviting.invite(study, [story.people["invited"].email], actor=story.people["editor"])


def _deliver() -> None:
    while deliver_due().get("sent"):
        pass


def _everywhere(words: list[str], home: Path) -> dict[str, Any]:
    """Where the words are found, by kind of place; what is empty is left out."""
    found = {
        "tables": traces.columns_with(words),
        "sessions": traces.sessions_with(words),
        "cache": traces.cached_with(words),
        "files": traces.files_with(words, home),
    }
    return {place: seen for place, seen in found.items() if seen}


def _rule(column: str) -> str | None:
    return next((reason for pattern, reason in RULES.items() if fnmatch(column, pattern)), None)


def test_every_column_is_filled_by_the_sweep_or_named_with_its_reason() -> None:
    models = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    columns = {column for column in traces.text_columns() if column.split(".")[0] in models}

    assert FILLED - columns == set()
    assert sorted(column for column in columns - FILLED if _rule(column) is None) == []
    assert [pattern for pattern in RULES if not any(fnmatch(column, pattern) for column in columns)] == []


def test_nobody_who_was_erased_is_found_anywhere(
    story: Story, home: Path, caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: Any
) -> None:
    caplog.set_level(logging.INFO)
    everybody = [word for who in IDENTITIES for word in words_of(who)]
    before = _everywhere(everybody, home)
    left: dict[str, Any] = {}

    for who, person in story.people.items():
        if who == STAYS:
            continue
        with django_capture_on_commit_callbacks(execute=True):
            erase_account(person)
        _deliver()
        found = _everywhere(words_of(who), home)
        left |= {who: found} if found else {}

    assert set(before["tables"]) == FILLED
    assert set(before) >= {"tables", "sessions", "files"}
    assert left == {}
    gone = [word for who in IDENTITIES if who != STAYS for word in words_of(who)]
    taken_along = json.dumps(exported(story.people[STAYS]), cls=DjangoJSONEncoder).lower()
    assert [word for word in gone if word in taken_along or word in caplog.text.lower()] == []
    assert traces.columns_with(KEPT) != {}
    assert {word for seen in traces.columns_with(KEPT).values() for word in seen} == set(KEPT)
    assert StudyRater.objects.filter(user=None, ratings__isnull=False).exists()
