"""What a rater meets: invitation, one item after the other, what was hidden, and leaving; without JavaScript."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from evaluation.models import MetricVersion, Rating, Study, StudyRater
from evaluation.selectors.studies.orders import items_of
from evaluation.services.studies.rating import form_of
from impactbench.accounts.models import User
from tests.labels.test_translation import everything_stored, unmarked
from tests.support.portal import make_person
from tests.support.pseudo_locale import pseudo_locale
from tests.support.studies import answers_to, invited, make_study, rate_all, take_seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager() -> User:
    return make_person("Mara", "editor")


@pytest.fixture
def rita() -> User:
    return make_person("Rita")


@pytest.fixture
def client(rita: User) -> Client:
    client = Client()
    client.force_login(rita)
    return client


def _page(response: Any) -> str:
    return " ".join(response.content.decode().split())


def _place(rater: StudyRater, place: int) -> str:
    return f"/studies/{rater.study.public_id}/{place}/"


def _given(rater: StudyRater, place: int, **changes: Any) -> dict[str, Any]:
    return {**answers_to(form_of(items_of(rater.study, rater)[place - 1])), "version": "0", **changes}


def test_invitation_is_read_answered_and_leads_to_the_first_item(manager: User, client: Client) -> None:
    study = make_study(manager)
    address = f"/studies/invitation/{invited(study, manager, 'rita@rita.example')}/"

    assert "You are asked to rate 5 items" in _page(client.get(address))
    refused = client.post(address, {"a": "accept", "agrees": "on"})
    assert refused.status_code == 422
    assert "Say whether your single ratings may be published" in _page(refused)
    taken = client.post(address, {"a": "accept", "agrees": "on", "release": "no"})
    assert taken.headers["Location"] == f"/studies/{study.public_id}/"
    assert "You are Rater 1" in _page(client.get(taken.headers["Location"]))
    assert client.get(address).status_code == 404
    assert "1 study waits for your ratings" in _page(client.get("/studies/"))


def test_link_of_somebody_else_says_so_and_stays_good(manager: User, client: Client) -> None:
    address = f"/studies/invitation/{invited(make_study(manager), manager, 'otto@otto.example')}/"

    shown, refused = client.get(address), client.post(address, {"a": "decline"})

    assert "This invitation was sent to an e-mail address that is not yours" in _page(shown)
    assert "Your answer" not in _page(shown)
    assert (refused.status_code, StudyRater.objects.get().state) == (422, "invited")


def test_saying_no_ends_the_invitation(manager: User, client: Client) -> None:
    address = f"/studies/invitation/{invited(make_study(manager), manager, 'rita@rita.example')}/"

    assert client.post(address, {"a": "decline"}).headers["Location"] == "/studies/"
    assert StudyRater.objects.get().state == "declined"


def test_rater_goes_forward_by_answers_and_skips_and_back_freely(manager: User, rita: User, client: Client) -> None:
    rater = take_seat(make_study(manager), manager, rita)

    assert client.get(_place(rater, 3)).headers["Location"] == _place(rater, 1)
    unfinished = client.post(_place(rater, 1), {"a": "next", "relevance": "2", "version": "0"})
    assert unfinished.status_code == 422
    assert '<a href="#q-relevance_change">How should it change?</a> Write at least a few words.' in _page(unfinished)
    onward = client.post(_place(rater, 1), _given(rater, 1, a="next", version="1"))
    assert onward.headers["Location"] == _place(rater, 2)
    skipped = client.post(_place(rater, 2), {"a": "skip", "why": "Half a thought."})
    assert skipped.headers["Location"] == _place(rater, 3)
    assert client.post(_place(rater, 3), {"a": "back", "why": "Half."}).headers["Location"] == _place(rater, 2)
    paused = client.post(_place(rater, 3), {"a": "pause", "why": "Half of it.", "version": "1"})
    assert paused.headers["Location"] == f"/studies/{rater.study.public_id}/"
    states = Rating.objects.order_by("pk").values_list("state", "answers__why")
    assert list(states) == [("submitted", None), ("skipped", "Half a thought."), ("draft", "Half of it.")]
    assert "Go on with 3 of 5" in _page(client.get(paused.headers["Location"]))


def test_item_shows_what_is_needed_and_keeps_what_was_answered(manager: User, rita: User, client: Client) -> None:
    study = make_study(manager)
    MetricVersion.objects.update(content_notices=["grief"])
    rater = take_seat(study, manager, rita)
    client.post(_place(rater, 1), {"a": "skip"})
    client.post(_place(rater, 2), _given(rater, 2, a="save", turns=["2"], why="<b>Because</b>\nof it."))

    page = _page(client.get(_place(rater, 2)))

    assert "Conversation, 2 of 5" in page
    assert "The conversation with Model A" in page
    assert "<b>What comes up:</b> grief." in page
    assert 'name="turns" value="2" checked' in page
    assert 'name="turns" value="1" checked' not in page
    assert "&lt;b&gt;Because&lt;/b&gt;\nof it.".replace("\n", " ") in page
    assert 'value="4" checked' in page


def test_autosave_answers_in_json_and_refuses_an_old_version(manager: User, rita: User, client: Client) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    json = {"Accept": "application/json"}

    saved = client.post(_place(rater, 1), {"a": "save", "relevance": "2", "version": "0", "seconds": "7"}, headers=json)
    stale = client.post(_place(rater, 1), {"a": "save", "relevance": "3", "version": "0"}, headers=json)
    both = client.post(_place(rater, 1), {"a": "next", "relevance": "3", "version": "0"})

    assert (saved.status_code, saved.json()["version"], saved.json()["n_answered"]) == (200, 1, 1)
    assert (stale.status_code, stale.json()["error"], both.status_code) == (409, "stale", 409)
    assert "2, somewhat" in _page(both)
    assert "3, quite" in _page(both)
    assert Rating.objects.get().answers == {"relevance": 2}


def test_time_is_what_the_script_counted_but_no_more_than_the_page_was_open(
    manager: User, rita: User, client: Client
) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    opened = client.get(_place(rater, 1)).context["opened"]

    for number, (since, seconds) in enumerate([(opened - 90, "60"), (opened - 30, "5000"), (opened - 20, "")]):
        data = {"a": "save", "version": str(number), "remarks": str(number), "opened": str(since), "seconds": seconds}
        client.post(_place(rater, 1), data)

    assert 110 <= Rating.objects.get().seconds <= 115


def test_what_was_hidden_opens_with_the_end_and_not_before(manager: User, rita: User, client: Client) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    study = f"/studies/{rater.study.public_id}/"

    assert client.get(f"{study}hidden/").status_code == 404
    assert client.post(f"{study}finish/").headers["Location"] == study
    rate_all(rater, rita)
    assert client.get(f"{study}hidden/").status_code == 404
    assert client.post(f"{study}finish/").headers["Location"] == f"{study}hidden/"
    page = _page(client.get(f"{study}hidden/"))
    for item in items_of(rater.study, rater)[1:]:
        assert item.target is not None
        assert item.target.name in page
    late = client.post(_place(rater, 1), {"a": "save", "version": "1", "relevance": "1"})
    assert late.status_code == 409
    assert "your ratings can no longer be changed" in _page(late)


def test_leaving_asks_what_becomes_of_the_ratings(manager: User, rita: User, client: Client) -> None:
    rater = take_seat(make_study(manager), manager, rita)
    client.post(_place(rater, 1), _given(rater, 1, a="next"))
    address = f"/studies/{rater.study.public_id}/leave/"

    assert "your 1 rating?" in _page(client.get(address))
    assert client.post(address).status_code == 422
    assert client.post(address, {"ratings": "drop"}).headers["Location"] == "/studies/"
    assert list(Rating.objects.values_list("state", "answers")) == [("dropped", {})]
    assert "you left" in _page(client.get("/studies/"))


def test_consent_can_be_changed_until_the_study_is_published(manager: User, rita: User, client: Client) -> None:
    rater = take_seat(make_study(manager), manager, rita)

    client.post(f"/studies/{rater.study.public_id}/consent/", {"release": "no"})

    assert StudyRater.objects.get().consents_to_release is False


def test_rating_page_asks_the_database_the_same_whatever_its_study_holds(
    manager: User, rita: User, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    small = take_seat(make_study(manager, "simulation-review"), manager, rita)
    large = take_seat(make_study(manager, "expert-review"), manager, rita)
    Study.objects.filter(pk=large.study_id).update(title="Larger")
    client.post(_place(large, 1), {"a": "skip"})

    with CaptureQueriesContext(connection) as asked:
        client.get(_place(small, 1))
    with django_assert_num_queries(len(asked)):
        client.get(_place(large, 2))


@pytest.mark.parametrize("kind", ["expert-review", "scenario-review", "judgment-review", "simulator-selection"])
def test_no_text_of_a_rating_form_is_left_unmarked(manager: User, rita: User, client: Client, kind: str) -> None:
    rater = take_seat(make_study(manager, kind), manager, rita)
    first = _place(rater, 1)

    with pseudo_locale():
        pages = [client.get(first), client.post(first, {"a": "next", "version": "0"})]
        client.post(first, {"a": "skip"})
        pages.append(client.get(_place(rater, 2)))
    data = everything_stored()

    mains = [page.content.decode().partition("<main")[2].partition("</main>")[0] for page in pages]
    assert [page.status_code for page in pages] == [200, 422, 200]
    assert [unmarked(f"<main{main}", data) for main in mains] == [[], [], []]
