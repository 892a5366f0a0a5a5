"""Publishing from the page of a run: the form, what it refuses, and what the page says until it is done."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from evaluation.models import LanguageModel, MetricVersion, Release, ReleaseRequest, Run, Taxonomy
from evaluation.services import publishing
from evaluation.tasks import publish_what_waits
from impactbench.accounts.services import create_account
from impactbench.common.models import AuditEvent
from tests.support.builders import (
    make_conversation,
    make_finished_run,
    make_judge,
    make_judgment,
    make_metric,
    make_model,
    make_run,
    make_scenarios,
)
from tests.support.portal import make_person
from tests.support.studies import make_study, take_seat

pytestmark = pytest.mark.django_db
PAGE = "/runs/run/"
ADDRESS = "/runs/run/release/"


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "RESAMPLES", 50)


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(create_account(email="op@example.org", roles=["operator"])[0])
    return client


def _small_run(slug: str = "run", *, number: int = 1, present: bool | None = True, **fields: Any) -> Run:
    """One conversation of one metric with one model; another `number` is another scenario."""
    metric = MetricVersion.objects.filter(metric__slug="autonomy/m01").first() or make_metric()
    target = LanguageModel.objects.filter(slug="luna").first() or make_model("luna")
    run = make_run(slug, versions=[metric], targets=[target], **fields)
    base = metric.base_scenarios.filter(number=number).first()
    scenario = base.variants.get() if base else make_scenarios(metric, number=number, profiles=["adult"])[0]
    make_judgment(make_conversation(run, scenario, target), present=present, judge=run.judges.order_by("pk")[0])
    return run


def _page(client: Client, address: str = PAGE) -> str:
    return client.get(address).content.decode()


def _post(client: Client, **fields: Any) -> Any:
    return client.post(ADDRESS, {"slug": "2026-11", **fields})


def _problems(response: Any) -> list[str]:
    """The lines of the summary above the form."""
    summary = re.search(r'class="notice p-summary".*?</section>', response.content.decode(), re.DOTALL)
    assert summary is not None
    return [unescape(re.sub("<[^>]+>", "", line)) for line in re.findall("<li>(.*?)</li>", summary[0], re.DOTALL)]


def test_finished_run_is_published_and_the_page_leads_to_the_release(operator: Client) -> None:
    make_finished_run()
    assert "Publish as a release" in _page(operator)

    response = _post(operator, title="The first")

    assert (response.status_code, response["Location"]) == (302, "/runs/run/#run-release")
    page = _page(operator)
    assert "Release 2026-11 waits for a worker of the queue “portal” since" in page
    assert 'hx-get="/runs/run/release/" hx-trigger="every 2s"' in page
    assert "Publish as a release" not in page

    ReleaseRequest.objects.update(tries=1)
    assert "Release 2026-11 is being published." in _page(operator, ADDRESS)

    publish_what_waits()

    part = _page(operator, ADDRESS)
    assert 'Published as <a href="/releases/2026-11/"><b>The first</b></a>.' in part
    assert "every 2s" not in part
    page = _page(operator)
    assert "published the run as release 2026-11" in page
    assert "asked to publish the run as release 2026-11" in page
    event = AuditEvent.objects.get(action="release-published")
    assert event.actor is not None
    assert Client().get("/releases/2026-11/").status_code == 200


def test_button_that_is_pressed_twice_asks_once(operator: Client) -> None:
    make_finished_run()

    responses = [_post(operator) for _ in range(2)]

    assert [response.status_code for response in responses] == [302, 302]
    assert ReleaseRequest.objects.count() == 1


@pytest.mark.parametrize("state", ["created", "running", "paused"])
def test_run_that_is_not_over_has_no_form_and_is_refused(operator: Client, state: str) -> None:
    _small_run(state=state)

    assert "Publish as a release" not in _page(operator)
    assert _post(operator).status_code == 302
    assert f"run is {state}: only finished or cancelled runs can be published." in _page(operator)
    assert not ReleaseRequest.objects.exists()


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"slug": ""}, "Name of the release: Give the release a name."),
        (
            {"slug": "a b"},
            "Name of the release: 'a b' cannot name a release: use at most 100 letters, digits and hyphens.",
        ),
        ({"title": "t" * 201}, "Title: Ensure this value has at most 200 characters (it has 201)."),
        (
            {"runs": ["<b>"]},
            "Publish with it: Select a valid choice. <b> is not one of the available choices.",
        ),
    ],
)
def test_wrong_field_gets_one_message_and_nothing_is_lost(
    operator: Client, fields: dict[str, Any], problem: str
) -> None:
    _small_run()

    response = _post(operator, **{"title": "Kept", **fields})

    assert response.status_code == 422
    assert _problems(response) == [problem]
    assert f'value="{fields.get("title", "Kept")}"' in response.content.decode()
    assert not ReleaseRequest.objects.exists()


def test_name_that_is_taken_is_refused(operator: Client) -> None:
    _small_run()
    publishing.publish(actor=None, slug="2026-11", runs=["run"], resamples=50)

    response = _post(operator)

    assert _problems(response) == [
        "Name of the release: There is already a release '2026-11'; a release never changes, choose another name."
    ]
    assert 'Published as <a href="/releases/2026-11/">' in response.content.decode()


def test_run_without_a_verdict_is_refused(operator: Client) -> None:
    _small_run(present=None)

    assert _problems(_post(operator)) == ["Nothing is judged in these runs, so there is nothing to publish."]


def test_runs_made_alike_can_be_ticked_and_are_published_together(operator: Client) -> None:
    _small_run()
    _small_run("alike", number=2)
    _small_run("other-turns", number=3, turns=4)
    _small_run("going-on", number=4, state="running")

    page = _page(operator)
    assert re.findall('name="runs" value="([^"]+)"', page) == ["alike"]
    assert "<li>other-turns: turn limit: 4 in other-turns, 6 in run</li>" in page
    assert "going-on" not in page

    _post(operator, runs=["alike"])
    publish_what_waits()

    assert [run.slug for run in Release.objects.get().runs.order_by("slug")] == ["alike", "run"]
    assert 'Published as <a href="/releases/2026-11/">' in _page(operator, "/runs/alike/")


def test_mixed_runs_are_refused_with_what_differs(operator: Client) -> None:
    _small_run()
    _small_run("other-turns", number=3, turns=4)

    response = _post(operator, runs=["other-turns"])

    sentence, difference = _problems(response)
    assert sentence.startswith("These runs are not alike; publish them apart, or by publish_release --allow-mixed, ")
    assert difference == "turn limit: 4 in other-turns, 6 in run"
    assert 'value="other-turns" checked' in response.content.decode()


def test_same_conversations_twice_are_refused(operator: Client) -> None:
    _small_run()
    _small_run("again")

    assert _problems(_post(operator, runs=["again"])) == [
        "These runs overlap 1 times (same scenario, model and sample), so they cannot be published together:",
        "autonomy/m01, model luna, sample 1 (runs run and again)",
    ]


def test_one_of_several_judges_may_count_alone(operator: Client) -> None:
    run = _small_run(judges=[make_judge("judge"), make_judge("strict")])
    make_judgment(run.conversations.get(), present=False, judge=make_judge("strict"))
    assert '<option value="strict">' in _page(operator)

    _post(operator, judge="strict")
    publish_what_waits()

    release = Release.objects.get()
    assert release.judge is not None
    assert (release.judge.slug, release.verdicts.get().present) == ("strict", False)


def test_taxonomy_is_asked_for_where_there_are_several(operator: Client) -> None:
    _small_run()
    assert 'name="taxonomy"' not in _page(operator)
    Taxonomy.objects.create(slug="other", title="Other")

    assert '<option value="other">' in _page(operator)
    assert _post(operator, taxonomy="impactbench-2026").status_code == 302
    assert ReleaseRequest.objects.get().taxonomy == "impactbench-2026"


def test_what_failed_says_why_and_keeps_what_was_typed(operator: Client) -> None:
    _small_run()
    _post(operator, title="Mine")
    publishing.publish(actor=None, slug="2026-11", runs=["run"], resamples=50)
    publish_what_waits()

    page = _page(operator)

    assert "Release 2026-11 could not be published. What you typed is still here." in page
    assert "there is already a release &#x27;2026-11&#x27;; a release never changes, choose another name" in page
    assert 'value="2026-11"' in page
    assert 'value="Mine"' in page
    assert "could not publish the run: there is already a release" in page


def test_demonstration_says_so_before_and_after(operator: Client) -> None:
    _small_run(is_demonstration=True)
    assert "This run is a demonstration, and its release says so on every page." in _page(operator)

    _post(operator)
    publish_what_waits()

    assert "<b>November 2026</b></a>, a demonstration and no finding." in _page(operator)


def test_page_asks_no_more_for_more_runs_beside_it(operator: Client, django_assert_num_queries: Any) -> None:
    _small_run()
    _small_run("second", number=2)
    operator.get(ADDRESS)
    with django_assert_num_queries(15):
        operator.get(ADDRESS)
    _small_run("third", number=3)

    with django_assert_num_queries(15):
        operator.get(ADDRESS)


def test_open_study_of_the_run_is_named_and_needs_a_tick(operator: Client) -> None:
    make_finished_run()
    manager = make_person("Mara", "editor")
    study = make_study(manager)
    take_seat(study, manager, make_person("Rita"))

    assert "“How far to trust it”: 1 rater has not finished" in _page(operator)
    refused = _post(operator)
    assert refused.status_code == 422
    label, _, problem = _problems(refused)[0].partition(": ")
    assert label == "Publish although these studies are open"
    assert problem == "Tick this box, or close them first: “How far to trust it”: 1 rater has not finished."
    assert _post(operator, despite_open_studies="on").status_code == 302
    publish_what_waits()

    assert Release.objects.get().disclosures.get().study == study
