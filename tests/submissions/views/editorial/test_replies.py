"""Replies of providers on their pages: posting, correcting, withdrawing, and what readers see."""

import pytest
from django.test import Client

from submissions.models import ProviderReply
from submissions.services.provider_replies import withdraw
from tests.submissions.access.people_and_states import client_of
from tests.submissions.views.editorial.test_cases import words
from tests.support.editorial import make_reply, make_verdict
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db
FORM = {
    "model": "case-model",
    "release": "release-of-case-metric",
    "provider": "Example <Labs>",
    "said_on": "2026-11-02",
    "source_url": "https://labs.example.org/reply",
    "text": "We read it.\n\nSee http://evil.example <script>alert(1)</script>.",
}


@pytest.fixture
def desk() -> Client:
    return client_of(make_person("Ed One", "editor"))


def test_a_reply_stands_dated_and_apart_in_the_providers_own_words(desk, client) -> None:
    release = make_verdict().release

    posted = desk.post("/review/replies/new/", FORM)
    part = client.get("/models/case-model/reply/", headers={"HX-Request": "true"})
    page = client.get("/models/case-model/reply/")

    raw = part.content.decode()
    assert (posted.status_code, "HX-Request" in part["Vary"], "<html" in raw, "<html" in page.content.decode()) == (
        302, True, False, True,
    )  # fmt: skip
    text = words(part)
    assert "These are the provider’s own words, copied by an editor." in text
    assert f"Example <Labs> said on 2 November 2026 , about {release.title}:" in text
    assert "See http://evil.example <script>alert(1)</script>." in text
    assert raw.count("<a ") == 1
    assert '<a href="https://labs.example.org/reply" rel="nofollow noopener ugc">' in raw
    assert "Ed One" not in raw


def test_a_refused_form_names_each_field_and_keeps_what_was_typed(desk) -> None:
    make_verdict()

    answer = desk.post("/review/replies/new/", {**FORM, "source_url": "http://labs.example.org", "said_on": "soon"})

    page = words(answer)
    assert answer.status_code == 422
    assert "Write the day as year-month-day" in page
    assert 'value="http://labs.example.org"' in answer.content.decode()
    again = desk.post("/review/replies/new/", {**FORM, "source_url": "http://labs.example.org"})
    assert "It begins with https://" in words(again)
    assert not ProviderReply.objects.exists()


def test_a_correction_is_dated_and_an_outdated_form_is_told(desk, client) -> None:
    reply = make_reply(make_verdict().conversation.target)
    address = f"/review/replies/{reply.pk}/"

    first = desk.post(address, {**FORM, "based_on": "1", "text": "We read it twice."})
    late = desk.post(address, {**FORM, "based_on": "1", "text": "Mine."})

    assert (first.status_code, late.status_code) == (302, 409)
    assert "Version 2 was saved meanwhile." in words(late)
    assert "Mine.</textarea>" in late.content.decode()
    text = words(client.get("/models/case-model/reply/"))
    assert "We read it twice." in text
    assert "corrected here on" in text


def test_a_withdrawn_reply_leaves_its_reason(desk, client) -> None:
    reply = make_reply(make_verdict().conversation.target)

    refused = desk.post(f"/review/replies/{reply.pk}/withdraw/", {"based_on": "1", "reason": ""})
    done = desk.post(f"/review/replies/{reply.pk}/withdraw/", {"based_on": "1", "reason": "It was not theirs."})

    assert (refused.status_code, done.status_code) == (422, 302)
    text = words(client.get("/models/case-model/reply/"))
    assert "It was not theirs." in text
    assert "We have read the results." not in text


def test_no_reply_and_no_such_model(client) -> None:
    make_verdict()

    assert "The provider has not replied to these results." in words(client.get("/models/case-model/reply/"))
    assert [client.get(f"/models/{name}/reply/").status_code for name in ("nope", "judge-model")] == [404, 404]


def test_replies_ask_a_fixed_number_of_questions(client, django_assert_max_num_queries) -> None:
    model = make_verdict().conversation.target
    for number in range(5):
        make_reply(model, text=f"Number {number}.")
    withdraw(make_reply(model), reason="Wrong.", based_on=1, actor=make_person("Ed", "editor"))

    with django_assert_max_num_queries(3):
        client.get("/models/case-model/reply/", headers={"HX-Request": "true"})
