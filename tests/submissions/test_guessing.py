"""What somebody gets who guesses: ids of another submission, ids of nothing, addresses to be led to, old sessions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from impactbench.accounts.services import revoke_role
from submissions.services import conflicts
from submissions.states import State
from tests.submissions.access.matrix import MEANINGS, _close, quiet
from tests.submissions.access.people_and_states import client_of, make_people, make_scene, our_routes

pytestmark = pytest.mark.django_db

# Who may open the inner thing of an address with two ids, each in a submission of their own.
INNER = {
    "submissions:attachment": "owner",
    "submissions:trial": "owner",
    "submissions:review-file": "reviewer",
    "submissions:review-assignment": "editor",
    "submissions:review-conflict-clear": "editor",
    "submissions:review-decision-act": "editor",
}
# These count within their submission, so that another one's number is its own.
COUNTED = {"submissions:sent", "submissions:version"}
UNKNOWN = "S-222222"
# What differs by request, whoever asks for whatever.
_TOKEN = re.compile(r"[A-Za-z0-9]{64}")
OF_THE_REQUEST = ("Set-Cookie", "X-Request-ID", "X-Request-Id")


@pytest.fixture(autouse=True)
def _private_files(settings: Any, tmp_path: Path) -> None:
    settings.PRIVATE_FILES = tmp_path


def _of_a_submission() -> Iterator[tuple[str, frozenset[str]]]:
    yield from ((name, parts) for name, _, parts in our_routes() if "public_id" in parts and "submissions" in name)


def _asked(client: Client, address: str) -> HttpResponseBase:
    """The answer by the method that the address takes."""
    answer = client.get(address)
    answer = client.post(address) if answer.status_code == 405 else answer
    _close(answer)
    return answer


def test_every_address_with_two_ids_is_tried() -> None:
    assert {name for name, parts in _of_a_submission() if len(parts) > 1} == {*INNER, *COUNTED}


@pytest.mark.parametrize("name", INNER)
def test_an_id_of_another_submission_is_not_there(name: str) -> None:
    people = make_people()
    one, other = (make_scene(people, State.IN_REVIEW) for _ in range(2))
    [(part, meaning)] = MEANINGS[name].items()
    client = client_of(people[INNER[name]])

    def status(parent: Any, inner: Any) -> int:
        return _asked(client, reverse(name, args=[parent.submission.public_id, inner.values[meaning]])).status_code

    with quiet():
        crossed, missing = status(one, other), client.get(reverse(name, args=[UNKNOWN, 1])).status_code
        own = status(one, one)

    assert part in ("key", "pk")
    assert (crossed, missing in (404, 405), own in (200, 302)) == (404, True, True)


@pytest.mark.parametrize(
    "who", ["stranger", "conflicted", "invited", "other reviewer", "operator", "co-author", "owner"]
)
def test_forbidden_looks_like_unknown_to_the_last_byte(who: str) -> None:
    """Status, headers and text are the same, so that nobody finds out what exists."""
    people = make_people()
    scene, client = make_scene(people, State.IN_REVIEW), client_of(people[who])
    public_id, different = scene.submission.public_id, []

    with quiet():
        for name, parts in _of_a_submission():
            rest = {part: scene.values.get(MEANINGS.get(name, {}).get(part, part), 1) for part in parts}
            answer = _asked(client, reverse(name, kwargs=rest))
            unknown = _asked(client, reverse(name, kwargs={**rest, "public_id": UNKNOWN}))
            if answer.status_code == 404 and _seen(answer, public_id) != _seen(unknown, UNKNOWN):
                different.append(name)

    assert different == []


def _seen(answer: HttpResponseBase, public_id: str) -> tuple[int, str, dict[str, str]]:
    headers = {name: value for name, value in answer.headers.items() if name not in OF_THE_REQUEST}
    text = _TOKEN.sub("TOKEN", answer.getvalue().decode())
    return answer.status_code, text.replace(public_id, "ID"), headers


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_nobody_is_led_to_another_site(elsewhere: str) -> None:
    ada = make_people()["owner"]
    assert ada is not None
    client = Client()

    answer = client.post(
        "/accounts/login/", {"login": ada.email, "password": "a long walk by the river", "next": elsewhere}
    )
    again = client_of(ada).get("/accounts/login/", {"next": elsewhere})

    assert answer.status_code == 302
    assert [found["Location"].startswith("/") and "evil" not in found["Location"] for found in (answer, again)] == [
        True
    ] * 2


def test_a_session_knows_nothing_longer_than_its_person_may() -> None:
    """A role taken away, a conflict noted, an account closed: the next request of an open session meets it."""
    people: Any = make_people()
    scene = make_scene(people, State.IN_REVIEW)
    address = reverse("submissions:review", args=[scene.submission.public_id])
    names = ("reviewer", "invited", "editor")
    clients = {name: client_of(people[name]) for name in names}

    def statuses() -> list[int]:
        return [clients[name].get(address).status_code for name in names]

    before = statuses()
    conflicts.note(scene.submission, email=people["reviewer"].email, reason="Married.", actor=people["editor"])
    revoke_role(people["invited"], "reviewer", people["operator"])
    revoke_role(people["editor"], "editor", people["operator"])
    after = statuses()
    people["reviewer"].is_active = False
    people["reviewer"].save()

    assert (before, after) == ([200] * 3, [404] * 3)
    assert clients["reviewer"].get(address)["Location"] == f"/accounts/login/?next={address}"
