"""The taxonomy desk, without JavaScript: from the version in force to the next one."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from evaluation.selectors.taxonomies import in_force, subareas_in_force
from evaluation.services import taxonomy_versions
from evaluation.taxonomy_acts import Act
from tests.support.builders import make_metric
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db

DESK = "/review/taxonomy/"


@pytest.fixture
def editor(client: Client) -> Client:
    make_metric("m01", polarity="positive", subareas=("law",))
    make_metric("m02", polarity="negative", subareas=("law", "physical-safety"))
    client.force_login(make_person("Ed", "editor"))
    return client


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_desk_shows_what_is_in_force_and_begins_a_draft(editor: Client) -> None:
    page = words(editor.get(DESK).content.decode())
    assert (
        "In force: ImpactBench 2026 , version 1. It has 3 areas and 14 subareas for 2 metrics: 1 of good and 1 of "
        "harmful behaviour. Every metric has a place in the version in force." in page
    )

    editor.post(DESK, {"do": "begin"})

    assert "The draft of version 2 has 3 areas" in words(editor.get(DESK).content.decode())


def test_from_looking_to_adopting(editor: Client) -> None:
    editor.post(DESK, {"do": "begin"})
    merge = {"kind": "merge-subareas", "about": "law", "other": "physical-safety"}

    looked = words(editor.post(DESK, {"do": "look", **merge}).content.decode())
    assert "Merged Law into Physical Safety. Nothing is kept yet." in looked
    assert "Law was in Social 1 → gone 1 → gone" in looked
    assert "Physical Safety Physical 0 → 1 1 → 1" in looked

    done = words(editor.post(DESK, {"do": "act", "seen": "0", **merge}, follow=True).content.decode())
    assert "Changes in this draft Merged Law into Physical Safety" in done
    assert in_force().version == 1

    adopted = editor.post(DESK, {"do": "adopt", "seen": "1", "title": "ImpactBench 2027"}, follow=True)
    assert "ImpactBench 2027, version 2, is in force." in words(adopted.content.decode())
    assert "law" not in set(subareas_in_force().values_list("slug", flat=True))


def test_metrics_that_would_stand_nowhere_are_named(editor: Client) -> None:
    editor.post(DESK, {"do": "begin"})

    looked = words(editor.post(DESK, {"do": "look", "kind": "retire-subarea", "about": "law"}).content.decode())

    assert "1 metric would stand in no subarea: autonomy/m01." in looked


def test_what_cannot_be_done_says_why_and_keeps_what_was_written(editor: Client) -> None:
    editor.post(DESK, {"do": "begin"})

    answer = editor.post(DESK, {"do": "act", "seen": "0", "kind": "add-subarea", "other": "social", "name": "Law"})

    assert answer.status_code == 422
    page = answer.content.decode()
    assert "There is an area or subarea &#x27;law&#x27; already; give this one another name." in page
    assert 'id="add-name" name="name" required maxlength="200" value="Law"' in page


def test_somebody_elses_change_is_not_overwritten(editor: Client) -> None:
    draft = taxonomy_versions.begin(actor=None)
    taxonomy_versions.act(draft, Act("retire-subarea", "creativity"), seen=0, actor=None)

    answer = editor.post(DESK, {"do": "act", "seen": "0", "kind": "retire-subarea", "about": "law"})

    assert (answer.status_code, "somebody else changed this draft meanwhile" in answer.content.decode().lower()) == (
        422,
        True,
    )


@pytest.mark.parametrize("do", ["", "explode", "act", "look", "undo", "discard", "adopt"])
def test_strange_posts_are_refused(editor: Client, do: str) -> None:
    assert editor.post(DESK, {"do": do, "kind": "x", "about": "\x00", "seen": "-9"}).status_code == 422
    editor.post(DESK, {"do": "begin"})
    assert editor.post(DESK, {"do": do, "kind": "x", "about": "<b>", "seen": "9" * 40}).status_code == 422


def test_names_are_shown_inert(editor: Client) -> None:
    editor.post(DESK, {"do": "begin"})
    editor.post(DESK, {"do": "act", "seen": "0", "kind": "add-area", "name": "<script>alert(1)</script>"})

    page = editor.get(DESK).content.decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page


def test_desk_is_for_editors_only(client: Client) -> None:
    client.force_login(make_person("Op", "operator"))

    assert (client.get(DESK).status_code, client.post(DESK, {"do": "begin"}).status_code) == (404, 404)
