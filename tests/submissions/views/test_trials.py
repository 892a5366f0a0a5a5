"""The pages of trials: for authors beside the draft, for operators the models and today's cost."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from impactbench.accounts.models import User
from submissions import trial_words
from submissions.models import DraftVersion, Submission, Trial, TrialModel
from submissions.selectors.trials import older_in_words, trial_panel
from submissions.services import trials
from submissions.services.drafts import save_draft
from tests.support.llm_server import ScriptedLLM
from tests.support.portal import CONTENT, make_person, make_submission
from tests.support.trials import PARTS, allow_models, worked_off

EXAMPLES, CONVERSATION = Trial.Kind.EXAMPLES, Trial.Kind.CONVERSATION
NOWHERE = "http://127.0.0.1:9/v1"
pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        yield scripted


@pytest.fixture
def submission() -> Submission:
    return make_submission(make_person("Ada"))


def _client(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def _panel(submission: Submission) -> str:
    """Part 4 of the form, with its blanks made single."""
    panel = trial_panel(submission, submission.owner)
    return " ".join(render_to_string("submissions/trials/_panel.html", {"panel": panel}).split())


def test_a_click_asks_for_a_trial_and_leads_to_its_page(submission: Submission) -> None:
    allow_models(NOWHERE)

    response = _client(submission.owner).post(f"/submissions/{submission.public_id}/trials/", {"kind": "examples"})

    trial = Trial.objects.get()
    assert (response.status_code, response["Location"]) == (
        302,
        f"/submissions/{submission.public_id}/trials/{trial.pk}/",
    )
    assert (trial.kind, trial.asked_by, trial.state) == ("examples", submission.owner, "waiting")


def test_a_refused_trial_leads_back_to_the_form_with_the_reason(submission: Submission) -> None:
    response = _client(submission.owner).post(f"/submissions/{submission.public_id}/trials/", {"kind": "examples"})

    assert response["Location"] == f"/submissions/{submission.public_id}/edit/#try"
    assert [str(message) for message in response.wsgi_request._messages] == [trial_words.SWITCHED_OFF]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["", "everything"])
def test_an_unknown_kind_is_not_there(submission: Submission, kind: str) -> None:
    response = _client(submission.owner).post(f"/submissions/{submission.public_id}/trials/", {"kind": kind})

    assert response.status_code == 404


@pytest.mark.parametrize("roles", [(), ("reviewer",), ("editor",), ("operator",)])
def test_others_find_no_trial(submission: Submission, roles: tuple[str, ...]) -> None:
    allow_models(NOWHERE)
    trial = trials.ask_for_examples_trial(submission, actor=submission.owner)
    client = _client(make_person("Eve", *roles))

    asked = client.post(f"/submissions/{submission.public_id}/trials/", {"kind": "examples"})
    seen = client.get(f"/submissions/{submission.public_id}/trials/{trial.pk}/")

    assert (asked.status_code, seen.status_code, Trial.objects.count()) == (404, 404, 1)


def test_a_trial_of_another_submission_is_not_there(submission: Submission) -> None:
    allow_models(NOWHERE)
    trial = trials.ask_for_examples_trial(submission, actor=submission.owner)
    other = make_submission(submission.owner)

    response = _client(submission.owner).get(f"/submissions/{other.public_id}/trials/{trial.pk}/")

    assert response.status_code == 404


def test_the_fragment_asks_again_while_under_way_and_stops_when_done(
    server: ScriptedLLM, submission: Submission
) -> None:
    allow_models(server.url)
    trial = trials.ask_for_examples_trial(submission, actor=submission.owner)
    Trial.objects.filter(pk=trial.pk).update(state="running", heard_at=timezone.now(), n_done=2)
    address = f"/submissions/{submission.public_id}/trials/{trial.pk}/"
    client = _client(submission.owner)

    running = client.get(address, headers={"HX-Request": "true"})
    Trial.objects.filter(pk=trial.pk).update(state="failed", trouble=trial_words.TOO_LONG)
    ended = client.get(address, headers={"HX-Request": "true"})

    assert "HX-Request" in running["Vary"]
    assert f'hx-get="{address}" hx-trigger="every 2s"' in running.content.decode()
    assert "The judge is reading, 2 of 4 judgments done." in running.content.decode()
    assert "hx-get" not in ended.content.decode()
    assert trial_words.TOO_LONG in ended.content.decode()
    assert "<html" not in ended.content.decode()


def test_without_javascript_a_whole_page_has_a_link_to_look_again(submission: Submission) -> None:
    allow_models(NOWHERE)
    trial = trials.ask_for_conversation_trial(submission, actor=submission.owner)
    address = f"/submissions/{submission.public_id}/trials/{trial.pk}/"

    page = _client(submission.owner).get(address).content.decode()

    assert f'<a href="{address}">Look again</a>' in page
    assert f'<a href="/submissions/{submission.public_id}/edit/#try">Back to your text</a>' in page


def test_looking_at_a_stale_trial_says_so_and_changes_nothing(submission: Submission) -> None:
    allow_models(NOWHERE)
    trial = trials.ask_for_examples_trial(submission, actor=submission.owner)
    Trial.objects.update(state="running", heard_at=timezone.now() - timedelta(minutes=5))

    page = _client(submission.owner).get(f"/submissions/{submission.public_id}/trials/{trial.pk}/").content.decode()

    assert trial_words.WORKER_GONE in page
    assert Trial.objects.get().state == "running"


def test_the_panel_names_provider_cost_and_budget_before_the_button(submission: Submission) -> None:
    allow_models(NOWHERE, price="5")

    panel = _panel(submission)

    assert "For trials we use <b>Trial Judge</b>, run by <b>Example Provider</b>." in panel
    assert "About 3 cents. You have 100 of 100 cents left today." in panel
    assert 'form="submission" name="action" value="try-judge">' in panel
    assert 'form="submission" name="action" value="try-conversation">' in panel


def test_an_unknown_price_is_said_with_what_it_counts(submission: Submission) -> None:
    allow_models(NOWHERE, price=None)

    assert "The price is not known, so up to 16 cents of today’s budget are set aside for it." in _panel(submission)


def test_free_models_cost_nothing(submission: Submission) -> None:
    allow_models(NOWHERE, price="0")

    assert trial_panel(submission, submission.owner)["examples"]["cost"] == "It costs nothing."


def test_a_switched_off_site_shows_no_button(submission: Submission) -> None:
    panel = _panel(submission)

    assert panel.count(trial_words.SWITCHED_OFF) == 1
    assert "<button" not in panel


def test_conversations_can_be_off_alone(submission: Submission) -> None:
    allow_models(NOWHERE)
    TrialModel.objects.filter(part="target").delete()

    panel = _panel(submission)

    assert (panel.count("try-judge"), panel.count("try-conversation")) == (1, 0)
    assert trial_words.NO_CONVERSATIONS in panel


def test_a_used_up_budget_shows_when_it_is_back(submission: Submission, settings: Any) -> None:
    settings.TRIAL_USD_PER_PERSON = Decimal("0.16")
    allow_models(NOWHERE, price=None)
    trials.ask_for_examples_trial(submission, actor=submission.owner)

    panel = _panel(submission)

    told = "You have used your 16 cents. They are back tomorrow at 00:00 UTC. You can send without a trial."
    assert f"<b>No more trials today.</b> {told}" in panel
    assert "<button" not in panel


def test_the_table_shows_what_differs_and_three_causes(server: ScriptedLLM, submission: Submission) -> None:
    allow_models(server.url)
    server.judge_says(True)

    worked_off(submission, EXAMPLES)

    panel = _panel(submission)
    assert "The judge agrees with you on <b>2 of your 4</b> examples." in panel
    assert (panel.count("</span>agrees</span>"), panel.count("</span>differs</span>")) == (2, 2)
    assert "2 examples differ. Where may it come from?" in panel
    assert panel.count('class="is-diff"') == 2


def test_an_example_that_was_not_judged_counts_for_nobody(server: ScriptedLLM, submission: Submission) -> None:
    allow_models(server.url)
    server.judge_says(True)
    server.script(PARTS["judge"], lambda call: "??" if "Stay where you are" in call.prompt else None)

    worked_off(submission, EXAMPLES)

    panel = _panel(submission)
    told = "The judge’s answer could not be read, twice. It does not count for or against you."
    assert told in panel
    assert panel.count("</span>not judged</span>") == 1


def test_the_conversation_marks_where_the_judges_quote_stands(server: ScriptedLLM, submission: Submission) -> None:
    allow_models(server.url)
    server.judge_says(True)
    server.script(PARTS["target"], ["First part.\n\nSecond part."] * 3)

    trial = worked_off(submission, CONVERSATION)

    panel = trial_panel(submission, submission.owner)["conversation"]["trial"]
    assert trial.result["verdicts"][0]["evidence"] == [{"turn": 1, "quote": "First part."}]
    assert panel["turns"][0]["blocks"] == [
        {"text": "First part.", "is_cited": True, "is_last_cited": True},
        {"text": "Second part.", "is_cited": False, "is_last_cited": False},
    ]
    shown = _panel(submission)
    assert '<div class="cited ink"><p>First part.</p><p class="cite-note">The judge points to this reply.</p>' in shown
    assert "Good outcome: no</span> The judge found the behaviour." in shown


def test_what_models_and_authors_write_is_never_markup(server: ScriptedLLM) -> None:
    evil = '<img src=x onerror="alert(1)">'
    submission = make_submission(
        make_person("Ada"), content=replace(CONTENT, examples_present=(evil, "b"), title=evil, questions=(evil, "b?"))
    )
    allow_models(server.url, price="0")
    server.script(PARTS["target"], lambda _call: evil)
    server.script(PARTS["user-simulator"], lambda _call: f"Message: {evil}")
    verdict = f'{{"present": true, "justification": "{evil.replace(chr(34), chr(39))}", "evidence": []}}'
    server.script(PARTS["judge"], lambda _call: verdict)

    worked_off(submission, EXAMPLES)
    trial = worked_off(submission, CONVERSATION)

    page = _client(submission.owner).get(f"/submissions/{submission.public_id}/trials/{trial.pk}/").content.decode()
    assert (trial.state, "<img" in page, "<img" in _panel(submission)) == ("done", False, False)


def test_a_result_of_an_earlier_text_says_what_was_changed_and_when(
    server: ScriptedLLM, submission: Submission
) -> None:
    allow_models(server.url)
    trial = worked_off(submission, EXAMPLES)
    changed = replace(CONTENT, definition="Something else.", title="Other")
    save_draft(submission, changed, version=1, actor=submission.owner)
    save_draft(submission, replace(changed, relevance="More."), version=2, actor=submission.owner)
    today = timezone.now()
    DraftVersion.objects.filter(version=2).update(saved_at=today)
    DraftVersion.objects.filter(version=3).update(saved_at=today + timedelta(hours=1))
    trial = Trial.objects.get(pk=trial.pk)

    told = older_in_words(trial, submission.owner)

    assert told == (
        f"This result belongs to an earlier text. You changed the behaviour at {today.strftime('%H:%M')} UTC."
    )


def test_a_change_that_the_trial_does_not_read_leaves_it_as_it_is(server: ScriptedLLM, submission: Submission) -> None:
    allow_models(server.url)
    trial = worked_off(submission, EXAMPLES)

    save_draft(submission, replace(CONTENT, relevance="More.", title="Other"), version=1, actor=submission.owner)

    assert older_in_words(Trial.objects.get(pk=trial.pk), submission.owner) == ""


def test_a_message_that_comes_too_late_for_a_trial_is_named(submission: Submission) -> None:
    allow_models(NOWHERE)
    late = replace(CONTENT.messages[1], turn="5")
    save_draft(submission, replace(CONTENT, messages=(CONTENT.messages[0], late)), version=1, actor=submission.owner)
    submission.refresh_from_db()

    assert "Your message at turn 5 comes later and is not reached." in _panel(submission)


@pytest.mark.parametrize("roles", [(), ("editor",), ("reviewer", "expert")])
def test_the_page_of_models_is_for_operators(roles: tuple[str, ...]) -> None:
    client = _client(make_person("Eve", *roles))

    assert (client.get("/review/trials/").status_code, client.post("/review/trials/").status_code) == (404, 404)


def test_operators_allow_and_withdraw_models_and_see_the_cost(submission: Submission) -> None:
    models = allow_models(NOWHERE, price=None)
    trials.ask_for_examples_trial(submission, actor=submission.owner)
    client = _client(make_person("Olu", "operator"))

    page = " ".join(client.get("/review/trials/").content.decode().split())
    client.post(
        "/review/trials/", {"part": "judge", "model": models["target"].slug, "ceiling_usd": "0.5", "action": "allow"}
    )
    client.post("/review/trials/", {"part": "target", "action": "withdraw"})

    assert "Since 00:00 UTC: 1 trial of 1 person. <b>$0.16 of $20.00</b> are spent or set aside." in page
    assert "unknown, so every call counts at the ceiling" in page
    found = {row.part: (row.language_model, row.ceiling_usd) for row in TrialModel.objects.all()}
    assert found == {
        "judge": (models["target"], Decimal("0.5")),
        "user-simulator": (models["user-simulator"], Decimal("0.02")),
    }


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"model": "http://evil.example/v1"}, "Choose one of the registered models."),
        ({"ceiling_usd": "much"}, "Write the most that a call may cost as a number of US dollars, such as 0.02."),
        ({"ceiling_usd": "NaN"}, "The ceiling of a call must be more than 0 and less than 1000 US dollars."),
        ({"ceiling_usd": "0"}, "The ceiling of a call must be more than 0 and less than 1000 US dollars."),
        ({"part": "everything"}, "Choose for which part of a trial the model is."),
    ],
)
def test_what_is_no_model_or_no_amount_is_refused_in_words(changes: dict[str, str], told: str) -> None:
    allow_models(NOWHERE)
    form = {"part": "judge", "model": PARTS["judge"], "ceiling_usd": "0.5", "action": "allow", **changes}

    response = _client(make_person("Olu", "operator")).post("/review/trials/", form)

    assert [str(message) for message in response.wsgi_request._messages] == [told]  # type: ignore[attr-defined]
    assert set(TrialModel.objects.values_list("ceiling_usd", flat=True)) == {Decimal("0.02")}
