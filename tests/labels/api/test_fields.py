"""`fields`: a query may ask for a part of each item; and what browsers ask before a script reads."""

import pytest

from tests.labels.api.conftest import Get

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small")]


def test_items_have_the_members_that_were_asked_for(get: Get) -> None:
    found = get("metrics/", {"fields": "slug,polarity"}).json()["results"]

    assert found == [
        {"slug": "autonomy/m01", "polarity": "positive"},
        {"slug": "autonomy/m02", "polarity": "negative"},
    ]


def test_next_page_has_the_same_members(get: Get) -> None:
    first = get("metrics/", {"fields": "slug", "page_size": "1"}).json()

    assert get(first["next"].split("/api/v1/")[1]).json()["results"] == [{"slug": "autonomy/m02"}]


def test_one_item_has_the_members_that_were_asked_for(get: Get) -> None:
    assert get("releases/small/", {"fields": "slug"}).json() == {"slug": "small"}
    assert get("models/luna/", {"fields": "coverage,slug"}).json() == {"slug": "luna", "coverage": 1.0}


def test_member_that_items_lack_is_named_with_those_they_have(get: Get) -> None:
    response = get("areas/", {"fields": "slug,colour"})

    assert response.status_code == 400
    assert response.json()["detail"] == "Items have no member 'colour'; they have: slug, name, subareas."


def test_turns_can_be_asked_of_one_conversation_and_of_no_list(get: Get) -> None:
    [name, *_] = [item["id"] for item in get("conversations/", {"fields": "id"}).json()["results"]]

    assert list(get(f"conversations/{name}/", {"fields": "turns"}).json()) == ["turns"]
    assert get("conversations/", {"fields": "turns"}).status_code == 400


def test_script_of_another_site_may_read_and_ask_whether_it_changed(client: object) -> None:
    response = client.options("/api/v1/results/", headers={"origin": "https://elsewhere.example"})  # type: ignore[attr-defined]

    told = {name: response.headers[name] for name in response.headers if name.startswith("Access-Control-")}
    assert response.status_code == 204
    assert told == {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "GET, HEAD",
        "Access-Control-Allow-Headers": "If-None-Match",
        "Access-Control-Max-Age": "86400",
        "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-Id",
    }


def test_unchanged_page_is_not_sent_again(get: Get) -> None:
    first = get("results/", {"release": "small"})

    again = get("results/", {"release": "small"}, **{"if-none-match": first.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
