"""What readers say: taken from anybody, read by an editor first, shown as plain text."""

import pytest
from django.test import Client
from django.urls import reverse

from impactbench.common.models import AuditEvent
from submissions.models import Suggestion
from submissions.services.publishing import publish
from tests.submissions.services.test_publishing import approved
from tests.support.builders import make_metric
from tests.support.portal import CONTENT, make_person, make_submission

pytestmark = pytest.mark.django_db
PAGE = "/metrics/autonomy/m01/"
SUGGEST, VOICES = f"{PAGE}suggest/", f"{PAGE}voices/"
TEXT = {
    "kind": "experience",
    "text": "It happened to <b>me</b>, see https://evil.example/",
    "signed_as": "M. \u202e <i>",
}


@pytest.fixture
def metric():
    return make_metric("m01", is_published=True).metric


@pytest.fixture
def editor():
    return make_person("Ed One", "editor")


def test_anybody_writes_and_nothing_is_shown_before_an_editor_has_read_it(client: Client, metric, editor) -> None:
    answer = client.post(SUGGEST, TEXT)

    assert (answer.status_code, answer["Location"]) == (302, f"{SUGGEST}thanks/")
    assert client.get(answer["Location"]).status_code == 200
    [made] = Suggestion.objects.all()
    assert (made.kind, made.text, made.state, made.person) == ("experience", TEXT["text"], "waiting", None)
    for path in (PAGE, SUGGEST, VOICES):
        assert "It happened" not in client.get(path).content.decode()

    client.force_login(editor)
    assert "It happened" in client.get("/review/suggestions/").content.decode()
    decided = client.post(f"/review/suggestions/{made.pk}/", {"state": "shown", "reply": "Thank <you>."})
    assert decided.status_code == 302
    for path in (SUGGEST, VOICES):
        page = Client().get(path).content.decode()
        assert "It happened to &lt;b&gt;me&lt;/b&gt;, see https://evil.example/" in page
        assert 'href="https://evil' not in page
        assert "Thank &lt;you&gt;." in page
        assert "From somebody it concerns" in page
        assert "\u202e" not in page
        assert "Ed One" not in page
    events = AuditEvent.objects.filter(action__startswith="suggestion").order_by("pk")
    assert [(one.action, one.actor) for one in events] == [("suggestion-made", None), ("suggestion-decided", editor)]


def test_a_dispute_that_is_shown_makes_the_metric_disputed_until_somebody_replies(
    client: Client, metric, editor
) -> None:
    client.post(SUGGEST, TEXT | {"kind": "dispute"})
    client.force_login(editor)
    made = Suggestion.objects.get()
    statuses, pages = [], []
    for state, reply in (("shown", ""), ("shown", "The wording was changed for that."), ("declined", "")):
        client.post(f"/review/suggestions/{made.pk}/", {"state": state, "reply": reply})
        statuses.append(metric.versions.get().status)

        pages.append("Disputes from readers" in client.get("/studies/").content.decode())

    assert statuses == ["disputed", "draft", "draft"]
    assert pages == [True, False, False]
    assert AuditEvent.objects.filter(action="metric-status-changed").count() == 2


def test_what_is_declined_is_never_shown(client: Client, metric, editor) -> None:
    client.post(SUGGEST, TEXT)
    client.force_login(editor)
    made = Suggestion.objects.get()

    client.post(f"/review/suggestions/{made.pk}/", {"state": "declined"})

    assert "It happened" not in Client().get(VOICES).content.decode()
    assert "It happened" in client.get("/review/suggestions/?state=declined").content.decode()
    assert client.post(f"/review/suggestions/{made.pk}/", {"state": "waiting", "reply": "kept"}).status_code == 422


def test_a_program_that_fills_every_field_is_thanked_and_ignored(client: Client, metric) -> None:
    assert client.post(SUGGEST, {**TEXT, "website": "https://evil.example/"}).status_code == 302

    assert Suggestion.objects.count() == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": " "}, "Write what you want to say."),
        ({"kind": "x"}, "Choose what you are writing."),
        ({"text": "x" * 5001}, "Shorten it to 5,000 characters; it has 5,001."),
        ({"signed_as": "n" * 101}, "Shorten the name to 100 characters."),
    ],
)
def test_a_refusal_says_what_to_do_and_keeps_the_text(client: Client, metric, changes, message) -> None:
    answer = client.post(SUGGEST, {**TEXT, **changes})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert message in page
    assert {**TEXT, **changes}["text"].strip()[:10].replace("<", "&lt;") in page
    assert Suggestion.objects.count() == 0


def test_one_address_is_stopped_after_five_and_another_is_not(client: Client, metric) -> None:
    for _ in range(5):
        assert client.post(SUGGEST, TEXT).status_code == 302

    refused = client.post(SUGGEST, TEXT, headers={"X-Forwarded-For": "203.0.113.9"})

    assert refused.status_code == 422
    assert "within an hour" in refused.content.decode()
    assert "It happened" in refused.content.decode()
    assert client.post(SUGGEST, TEXT, REMOTE_ADDR="203.0.113.5").status_code == 302


def test_metrics_that_nobody_may_see_take_nothing(client: Client, metric) -> None:
    make_metric("hidden")

    for path in ("/metrics/autonomy/hidden/", "/metrics/autonomy/none/"):
        for page in ("voices/", "suggest/", "suggest/thanks/"):
            assert client.get(path + page).status_code == 404
        assert client.post(f"{path}suggest/", TEXT).status_code == 404


def test_only_editors_have_the_queue(client: Client, metric) -> None:
    client.post(SUGGEST, TEXT)
    made = Suggestion.objects.get()

    for roles in (("expert",), ("reviewer",), ("operator",)):
        client.force_login(make_person(f"P {roles[0]}", *roles))
        assert client.get("/review/suggestions/").status_code == 404
        assert client.post(f"/review/suggestions/{made.pk}/", {"state": "shown"}).status_code == 404
    assert Suggestion.objects.get().state == "waiting"


def test_an_editor_does_not_decide_on_their_own_metric(client: Client, editor) -> None:
    author = make_person("Ada Editor", "editor", "expert")
    submission = approved(editor, author=author)
    publish(submission, actor=make_person("Ed Two", "editor"))
    client.post("/metrics/own-choices/avoid-deciding/suggest/", TEXT)
    made = Suggestion.objects.get()

    client.force_login(author)
    assert "It happened" not in client.get("/review/suggestions/").content.decode()
    assert client.post(f"/review/suggestions/{made.pk}/", {"state": "shown"}).status_code == 404
    client.force_login(editor)
    assert client.post(f"/review/suggestions/{made.pk}/", {"state": "shown"}).status_code == 302
    client.force_login(author)
    page = client.get(reverse("submissions:own-voices", args=[submission.public_id])).content.decode()
    assert "It happened to &lt;b&gt;me" in page


def test_the_text_of_a_draft_comes_along_for_its_author_alone(client: Client, metric) -> None:
    draft = make_submission(make_person("Ada Expert"))
    path = f"{SUGGEST}?from={draft.public_id}"

    assert CONTENT.construct not in client.get(path).content.decode()
    client.force_login(make_person("Ot Her", "editor"))
    assert CONTENT.construct not in client.get(path).content.decode()
    client.force_login(draft.owner)
    page = client.get(path).content.decode()
    assert CONTENT.construct in page
    assert CONTENT.definition in page


def test_the_page_of_a_metric_leads_to_what_people_say(client: Client, metric) -> None:
    page = client.get(PAGE).content.decode()

    assert f'hx-get="{VOICES}"' in page
    assert f'href="{SUGGEST}"' in page
