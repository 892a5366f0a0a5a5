"""The page of one row: the chosen conversations of the release, their excerpts and gates, and its metrics."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Benchmark, Judgment, LanguageModel, Profile, Release, Verdict
from labels.chosen import Chosen
from labels.row_chats import EXCERPT, chats_that_count, missing_places
from tests.labels.test_chosen import by_brute_force
from tests.support.builders import (
    DEFAULT_TURNS,
    make_conversation,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenario,
)

pytestmark = pytest.mark.django_db

ROW = "/labels/luna/agency-purpose/"


@pytest.fixture
def release() -> Release:
    return make_release()


def html(client: Client, address: str = ROW) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def chosen_on(page: str) -> list[tuple[str, str]]:
    """(place-kind, public id) of the conversations that a page shows."""
    return re.findall(r'<li id="(\w+-\w+)"><p class="kicker">.*?href="/conversations/([^/"]+)/', page)


def verdicts(polarity: str, *, model: str = "luna"):
    return Verdict.objects.filter(
        model__slug=model, metric_version__polarity=polarity, metric_version__metric__benchmark__slug="autonomy"
    )


@pytest.mark.parametrize("profile", ["all", "teen"])
def test_page_shows_what_the_rule_chooses_recomputed_from_the_release(
    client: Client, release: Release, profile: str
) -> None:
    page = html(client, ROW if profile == "all" else f"{ROW}?profile={profile}")

    shown = dict(chosen_on(page))
    expected: dict[str, str] = {}
    for polarity, kind in (("positive", "promote"), ("negative", "avoid")):
        versions = verdicts(polarity).values_list("metric_version", flat=True).distinct()
        model = LanguageModel.objects.get(slug="luna")
        places = by_brute_force(chats_that_count(release, model, list(versions), profile))
        by_id: dict[str, str] = {}
        for place, public_id in zip(("worst", "typical", "best"), places, strict=True):
            by_id.setdefault(str(public_id), f"{place}-{kind}")
        expected |= {place: public_id for public_id, place in by_id.items()}
    assert shown == expected


def test_chats_that_count_take_the_earliest_turn_of_judgments_that_agree_with_the_verdict(release: Release) -> None:
    verdict = verdicts("positive").filter(present=True).order_by("conversation__public_id")[0]
    agreeing = Judgment.objects.get(conversation=verdict.conversation)
    agreeing.first_turn = 2
    agreeing.save()
    fields = {"conversation": verdict.conversation, "judge": agreeing.judge, "state": "judged"}
    Judgment.objects.create(**fields, repeat=2, present=False, first_turn=1)
    Judgment.objects.update(created_at=release.published_at)
    late = Judgment.objects.create(**fields, repeat=3, present=True, first_turn=1)

    found = chats_that_count(release, verdict.model, [verdict.metric_version_id], "all")

    assert late.created_at > release.published_at
    assert {chat.public_id: chat.first_turn for chat in found}[verdict.conversation.public_id] == 2


def test_chats_that_count_leave_out_unjudged_ones_and_other_profiles(release: Release) -> None:
    found = verdicts("positive", model="terra")
    versions = list(found.values_list("metric_version", flat=True).distinct())
    model = LanguageModel.objects.get(slug="terra")

    counted = {chat.public_id for chat in chats_that_count(release, model, versions, "adult")}

    judged = found.filter(passed__isnull=False, profile=Profile.objects.get(slug="adult"))
    assert counted == set(judged.values_list("conversation__public_id", flat=True))


def publish_row(*marks: str, turns: Sequence[tuple[str, str]] = DEFAULT_TURNS, **fields: Any) -> Release:
    """A release of one row of harmful behaviour: a metric for each word of marks, + kept clear, - did it."""
    versions = [make_metric(f"m{at:02d}", polarity="negative", **fields) for at, _ in enumerate(marks, start=1)]
    model = make_model("luna")
    run = make_run(versions=versions, targets=[model])
    for version, word in zip(versions, marks, strict=True):
        for number, mark in enumerate(word, start=1):
            scenario = make_scenario(version, number=number)
            conversation = make_conversation(run, scenario, model, turns=turns)
            make_judgment(conversation, present=mark == "-")
    return make_release(run=run)


def test_excerpt_is_the_turn_that_decided_and_says_whose_words_they_are(client: Client) -> None:
    publish_row("+-", "+-", "++", turns=[("<b>Ask</b>", "x" * (EXCERPT + 50))])

    page = html(client)

    assert page.count("Turn 1, where the behaviour first shows") == 1
    assert page.count("<b>User:</b> &lt;b&gt;Ask&lt;/b&gt;</p>") == 1
    assert page.count(f"<b>Model:</b> {'x' * (EXCERPT - 1)}…</p>") == 1
    assert page.count("The behaviour came in no turn, so there is no single turn that decided it.") == 2


def test_words_that_were_not_published_are_no_fault_of_the_judge(client: Client) -> None:
    publish_row("+-", "+-", "++", turns=())

    page = html(client)

    assert page.count("The words of this chat were not published.") == 3
    assert "named no turn" not in page


def test_conversations_with_a_notice_are_chosen_and_stand_behind_it(client: Client) -> None:
    publish_row("+-", "+-", "++", turns=[("SECRET", "SECRET")])
    before = html(client)
    Benchmark.objects.update(content_notices=["violence"])

    page = html(client)

    assert chosen_on(page) == chosen_on(before)
    assert (before.count("SECRET"), page.count("SECRET")) == (2, 0)
    assert page.count("Its words stand behind a notice: violence.") == len(chosen_on(page)) == 3


@pytest.mark.parametrize(
    ("marks", "places", "missing"),
    [
        ("++", ["typical"], [("worst", "There is no worst chat: every chat of this row had a good outcome.")]),
        ("--", ["worst"], [("best", "There is no best chat: no chat of this row had a good outcome.")]),
    ],
)
def test_row_without_a_failed_or_passed_chat_says_so(
    client: Client, marks: str, places: list[str], missing: list[tuple[str, str]]
) -> None:
    publish_row(marks, marks, marks)

    page = html(client)

    assert [place for place, _id in chosen_on(page)] == [f"{place}-avoid" for place in places]
    assert re.findall(r'<p class="chosen-none" id="(\w+)-avoid">(.*?)</p>', page) == missing


def test_row_without_any_verdict_has_no_conversation_to_choose() -> None:
    assert missing_places(Chosen()) == [("worst", "No chat of this row has a verdict, so none can be chosen.")]


def test_page_says_that_a_rule_chose_and_links_it(client: Client, release: Release) -> None:
    page = html(client)

    link = '<a href="/methodology/#chosen-conversations">the rule</a>'
    assert page.count(f"Chosen by rule, not by a person: {link}.") == 2


def test_page_counts_each_metric_in_squares_words_and_with_its_range(client: Client, release: Release) -> None:
    page = html(client)

    rows = re.findall(r'<tr><th scope="row">.*?</tr>', page)
    cells = [re.sub(r"<[^>]+>", " ", cell).split() for cell in re.findall(r"<td.*?</td>", rows[0])]
    assert len(rows) == 6
    assert [" ".join(cell[-3:]) for cell in cells[:3]] == ["1 of 2", "1 of 2", "2 of 4"]
    assert rows[0].count('class="strip promote"') == 2
    assert [cell[1:] for cell in cells[3:]] == [["few", "chats"]]


def test_row_as_data_has_the_row_and_each_of_its_metrics(client: Client, release: Release) -> None:
    found = json.loads(client.get("/labels/luna/agency-purpose.json").content)

    lines = [line for line in found["rows"] if line["polarity"] == "positive"]
    assert [(line["metric"], line["profile"]) for line in lines[:6]] == [
        (None, "all"), (None, "teen"), (None, "adult"),
        ("autonomy/m01", "all"), ("autonomy/m01", "teen"), ("autonomy/m01", "adult"),
    ]  # fmt: skip
    assert (len(lines), found["release"]) == (12, "2026-a")
    assert client.get("/labels/luna/agency-purpose.csv").content.count(b"autonomy/m01") == 3


def test_row_page_asks_a_fixed_number_of_questions(client: Client, release: Release) -> None:
    counts = []
    for address in (ROW, "/labels/luna/cognition-judgment/", "/labels/sol/agency-purpose/"):
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counts.append(len(queries))

    assert counts == [13, 13, 13]
