"""The first page: before, during and after the demonstration, and with a release; every number from the database."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Conversation, Release
from labels.glance import chats_per_model, finding, fully_tested, glances, ordered
from labels.wording import DEMONSTRATION, LIMITS
from tests.support.builders import (
    make_conversation,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenarios,
)

pytestmark = pytest.mark.django_db


def make_demonstration_run(state: str = "running") -> None:
    version = make_metric()
    run = make_run("demo", versions=[version], targets=[make_model()], state=state, is_demonstration=True)
    teen, adult = make_scenarios(version)
    make_judgment(make_conversation(run, teen, make_model()))
    make_conversation(run, adult, make_model(), state=Conversation.State.PENDING, turns=(), reason="")


def test_home_without_a_release_says_what_will_appear(client: Client) -> None:
    response = client.get("/")

    page = response.content.decode()
    assert response.status_code == 200
    assert "Nothing has been published yet" in page
    assert [sentence for sentence in LIMITS if sentence in page] == list(LIMITS)
    assert "<dd>" not in page


@pytest.mark.parametrize("state", ["created", "running", "paused"])
def test_home_shows_everybody_how_far_the_demonstration_is(client: Client, state: str) -> None:
    make_demonstration_run(state)

    page = client.get("/").content.decode()

    assert "<b>1 of 2 conversations</b> are done" in page
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    assert "Nothing has been published yet" not in page


def test_home_leaves_an_ordinary_run_unmentioned(client: Client) -> None:
    make_run("secret", state="running")

    assert "conversations</b> are done" not in client.get("/").content.decode()


def test_progress_fragment_counts_and_asks_for_itself_again(client: Client) -> None:
    make_demonstration_run()

    response = client.get("/progress/")

    assert 'hx-get="/progress/"' in response.content.decode()
    assert (response["Cache-Control"], response.headers.get("HX-Refresh")) == ("no-store", None)


def test_progress_fragment_reloads_the_page_when_the_demonstration_is_over(client: Client) -> None:
    make_demonstration_run("finished")

    assert client.get("/progress/").headers.get("HX-Refresh") == "true"


def test_home_counts_are_those_of_the_release(client: Client) -> None:
    release = make_release()

    facts = re.findall(r"<dd>([\d,]+)</dd>", client.get("/").content.decode())

    counts = (release.n_models, release.n_benchmarks, release.n_metrics, release.n_judged)
    assert facts == [f"{count:,}" for count in counts]


def test_home_shows_the_first_fully_tested_model_as_a_sample(client: Client) -> None:
    make_release()

    page = client.get("/").content.decode()

    assert '<p class="label-model">Luna</p>' in page
    assert "A sample, not a pick" in page


def test_home_of_a_demonstration_release_says_that_it_is_no_finding(client: Client) -> None:
    release = make_release()
    Release.objects.filter(pk=release.pk).update(is_demonstration=True)

    assert client.get("/").content.decode().count(DEMONSTRATION) == 2


def test_home_asks_as_many_questions_for_one_model_as_for_three(client: Client) -> None:
    make_release("one", run=None)
    with CaptureQueriesContext(connection) as queries:
        client.get("/")

    assert len(queries) <= 9


def test_glance_lists_by_name_and_sets_part_tested_models_apart() -> None:
    release = make_release()
    items = glances(release, list(release.targets.all()))

    by_name, _ = ordered(items, "name")
    inside, outside = ordered(items, "promote")

    assert [item.model.slug for item in by_name] == ["luna", "sol", "terra"]
    assert [item.model.slug for item in fully_tested(by_name)] == ["luna", "terra"]
    assert ([item.model.slug for item in inside], [item.model.slug for item in outside]) == (["luna", "terra"], ["sol"])


def test_glance_compares_the_kinds_only_where_all_ranges_lie_apart() -> None:
    release = make_release()
    items = glances(release, list(release.targets.all()))

    apart = finding(items)
    low, high = items[0].promotes.drawn, items[0].avoids.drawn
    assert low is not None
    assert high is not None
    low.ci_low = high.ci_high

    assert apart == "Every model did the helpful thing more often than it kept clear of the harmful one."
    assert finding(items) == "Two numbers for every model: how often it did good, and how often it kept clear of harm."


def test_glance_says_how_many_chats_and_who_is_not_comparable() -> None:
    release = make_release()

    assert chats_per_model(glances(release, list(release.targets.all()))) == (
        "Promotes good: 21 to 24 judged chats per fully tested model. "
        "Avoids harm: 22 to 24 judged chats per fully tested model. "
        "Tested on part of the metrics only, so not comparable with the others: Sol (6 of 12 metrics)."
    )


def test_row_of_a_partly_tested_model_gives_its_own_chats(client: Client) -> None:
    make_release()

    page = client.get("/").content.decode()

    assert page.count('<span class="cap">Avoids harm n 12, Promotes good n 12</span>') == 1
    assert page.count('<span class="cap">Avoids harm n ') == 1


def test_glance_of_fully_tested_models_speaks_of_every_model() -> None:
    release = make_release()
    items = fully_tested(glances(release, list(release.targets.all())))

    assert chats_per_model(items) == (
        "Promotes good: 21 to 24 judged chats per model. Avoids harm: 22 to 24 judged chats per model."
    )
