"""Labels on other people's pages: what is copied stays inert, and programs that ask get what fits."""

import json
import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone

from evaluation.models import Release
from labels.embedding import embedding, oembed
from tests.support.builders import make_release
from tests.support.frozen import nothing_is_frozen

SITE = "http://testserver"


def test_embedding_pins_release_and_profile_where_they_are_named(rf: RequestFactory) -> None:
    found = embedding(rf.get("/"), "luna", "Luna", release="2026-a", profile="teen")

    assert found.page == f"{SITE}/labels/luna/?profile=teen&release=2026-a"
    assert found.frame == f"{SITE}/labels/luna/embed/?profile=teen&release=2026-a"
    assert found.markdown == (
        f"[![AI Nutrition Label for Luna]({SITE}/labels/luna.svg?profile=teen&release=2026-a)]"
        f"({SITE}/labels/luna/?profile=teen&release=2026-a)"
    )


def test_embedding_of_a_hostile_name_stays_text(rf: RequestFactory) -> None:
    found = embedding(rf.get("/"), "luna", '"><script>x</script>](javascript:y)')

    frame = ElementTree.fromstring(found.iframe)
    assert frame.attrib["title"] == 'AI Nutrition Label for "><script>x</script>](javascript:y)'
    assert re.findall("<[^>]*?[ >]", found.image) == ["<a ", "<img ", "</a>"]
    assert found.markdown == (
        r'[![AI Nutrition Label for "\>\<script\>x\</script\>\](javascript:y)]'
        f"({SITE}/labels/luna.svg)]({SITE}/labels/luna/)"
    )


@pytest.mark.parametrize(
    ("room", "kind", "size"),
    [
        ((None, None), "rich", (320, 560)),
        ((320, 560), "rich", (320, 560)),
        ((600, 400), "photo", (320, 120)),
        ((160, None), "photo", (160, 60)),
        ((None, 30), "photo", (80, 30)),
    ],
)
def test_oembed_gives_what_fits(
    rf: RequestFactory, room: tuple[int | None, int | None], kind: str, size: tuple[int, int]
) -> None:
    request = rf.get("/")

    found = oembed(request, embedding(request, "luna", "Luna"), room=room)

    assert (found["type"], (found["width"], found["height"])) == (kind, size)


@pytest.mark.django_db
def test_oembed_answers_for_addresses_of_labels_only(client: Client) -> None:
    release = make_release()

    def ask(**query: str) -> tuple[int, dict[str, object]]:
        response = client.get("/oembed/", query)
        return response.status_code, json.loads(response.content)

    status, found = ask(url=f"{SITE}/labels/luna/?release={release.slug}&profile=nobody")

    not_a_label = (404, {"error": "“url” has to be the address of a label on this site."})
    assert (status, found["title"]) == (200, "AI Nutrition Label for Luna")
    assert found["html"] == (
        f'<iframe src="{SITE}/labels/luna/embed/?release={release.slug}" title="AI Nutrition Label for Luna" '
        'width="320" height="560"></iframe>'
    )
    assert ask(url=f"{SITE}/labels/nobody/") == not_a_label
    assert ask(url="http://[::1") == not_a_label
    assert ask(url="https://elsewhere.example/labels/luna/") == not_a_label
    assert ask(url=f"{SITE}/metrics/") == not_a_label
    assert ask(url=f"{SITE}/labels/luna/?release=none") == not_a_label
    assert ask() == not_a_label
    assert ask(url=f"{SITE}/labels/luna/", maxwidth="-1")[0] == 400
    assert ask(url=f"{SITE}/labels/luna/", format="xml")[0] == 501


@pytest.mark.django_db
def test_frame_says_that_its_release_is_over_a_year_old(client: Client) -> None:
    release = make_release()
    said = []
    for days in (365, 366):
        with nothing_is_frozen():
            Release.objects.filter(pk=release.pk).update(published_at=timezone.now() - timedelta(days=days, minutes=1))
        said.append("<b>Over a year old</b>" in client.get("/labels/luna/embed/").content.decode())

    assert said == [False, True]
