"""Replies of providers: dated, sourced, kept in versions, withdrawn with a reason."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from impactbench.common.errors import DomainError
from submissions.models import ProviderReply
from submissions.selectors.provider_replies import replies_about
from submissions.services import provider_replies as replies
from submissions.services.provider_replies import ChangedMeanwhile, ReplyText, Unusable
from submissions.services.transitions import NotAllowed
from tests.support.builders import make_model
from tests.support.editorial import make_reply, make_verdict
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db
TEXT = ReplyText("Example  Labs", date(2026, 11, 2), "https://labs.example.org/reply", " We read it. ")


def editor() -> Any:
    return make_person("Ed One", "editor")


def test_a_reply_is_posted_about_a_model_in_a_release() -> None:
    verdict = make_verdict()

    reply = replies.post(verdict.conversation.target, verdict.release, TEXT, actor=editor())

    [shown] = replies_about(verdict.conversation.target)
    assert (shown.reply, shown.newest.provider, shown.newest.text) == (reply, "Example Labs", "We read it.")
    assert (shown.reply.release, shown.is_corrected) == (verdict.release, False)


def test_a_correction_is_the_next_version_and_the_same_words_are_none() -> None:
    reply, person = make_reply(make_model()), editor()
    words = ReplyText("Example Labs", date(2026, 11, 2), "https://labs.example.org/reply", "We have read the results.")

    same = replies.correct(reply, words, based_on=1, actor=person)
    other = replies.correct(reply, replace(words, text="We read them twice."), based_on=1, actor=person)

    assert (same.number, other.number, other.written_by) == (1, 2, person)
    assert [one.text for one in reply.versions.all()] == ["We have read the results.", "We read them twice."]


def test_what_another_editor_corrected_meanwhile_stands() -> None:
    reply, person = make_reply(make_model()), editor()
    replies.correct(reply, TEXT, based_on=1, actor=person)

    with pytest.raises(ChangedMeanwhile):
        replies.correct(reply, replace(TEXT, text="Otherwise."), based_on=1, actor=person)
    with pytest.raises(ChangedMeanwhile):
        replies.withdraw(reply, reason="Wrong.", based_on=1, actor=person)

    assert replies.newest_version(reply).text == "We read it."


def test_a_withdrawn_reply_keeps_its_versions_and_takes_no_more() -> None:
    reply, person = make_reply(make_model()), editor()

    with pytest.raises(DomainError, match="Say why"):
        replies.withdraw(reply, reason="", based_on=1, actor=person)
    withdrawn = replies.withdraw(reply, reason="It was not theirs.", based_on=1, actor=person)
    with pytest.raises(DomainError, match="It was withdrawn"):
        replies.correct(reply, TEXT, based_on=1, actor=person)

    assert (withdrawn.withdrawal_reason, withdrawn.withdrawn_by, reply.versions.count()) == (
        "It was not theirs.",
        person,
        1,
    )


def test_only_editors_post() -> None:
    with pytest.raises(NotAllowed):
        replies.post(make_model(), None, TEXT, actor=make_person("Opal", "operator", "expert", "reviewer"))


@pytest.mark.parametrize(
    "address",
    [
        "http://labs.example.org", "javascript:alert(1)", "https://", "https://localhost/x", "https://user@labs.org/",
        "https://labs.org@evil.example/", "https://127.0.0.1/", "https://[::1]/", "https://labs.org/\u202ex",
        "https://labs.org:99999999/", "https://labs.org/ x", "//labs.org", "", "https:\\\\labs.org",
    ],
)  # fmt: skip
def test_a_source_is_a_public_https_address(address: str) -> None:
    with pytest.raises(Unusable) as error:
        replies.post(make_model(), None, replace(TEXT, source_url=address), actor=editor())

    assert [field for field, _ in error.value.problems] == ["source_url"]
    assert not ProviderReply.objects.exists()


def test_everything_that_is_missing_is_told_at_once() -> None:
    tomorrow = timezone.now().date() + timedelta(days=2)

    with pytest.raises(Unusable) as error:
        replies.post(make_model(), None, ReplyText(" ", tomorrow, "https://x.org", "x" * 10_001), actor=editor())

    assert error.value.problems == [
        ("provider", "Write who said it."),
        ("said_on", "That day is still to come. Give the date on which they said it."),
        ("text", "Shorten it to 10,000 characters; it has 10,001."),
    ]


def test_a_model_that_is_not_in_the_release_is_refused() -> None:
    with pytest.raises(Unusable) as error:
        replies.post(make_model("other"), make_verdict().release, TEXT, actor=editor())

    assert [field for field, _ in error.value.problems] == ["release"]
