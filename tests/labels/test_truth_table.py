"""Whatever a verdict is, every page says the same of it: positive and negative, present or not, unjudged, missing."""

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from evaluation.models import Conversation, Result
from tests.support.builders import make_held, make_metric, make_model, make_release, make_run, make_scenario

pytestmark = pytest.mark.django_db

UNREAD = "The judge's answer could not be read, even after one request to repair it."
GOOD, NOT_GOOD, NONE = ("yes", "Good outcome"), ("no", "Not a good outcome"), ("na", UNREAD)
# What the judge said of scenarios 1 to 3; the fourth was held with the other model only.
SAID = {1: True, 2: False, 3: None}
METRICS = {"positive": "m01", "negative": "m02"}
# By kind: what pages show of scenarios 1 to 3.
SHOWN = {"positive": [GOOD, NOT_GOOD, NONE], "negative": [NOT_GOOD, GOOD, NONE]}
PASSED = {"positive": [True, False, None], "negative": [False, True, None]}
KINDS = pytest.mark.parametrize("polarity", METRICS)


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Three models: luna as `SAID`, terra good throughout, sol tested on the harmful behaviour only."""
    with django_db_blocker.unblock(), transaction.atomic():
        versions = {polarity: make_metric(slug, polarity=polarity) for polarity, slug in METRICS.items()}
        luna, terra, sol = (make_model(slug) for slug in ("luna", "terra", "sol"))
        run = make_run("truth", versions=list(versions.values()), targets=[luna, terra, sol])
        held = []
        for polarity, version in versions.items():
            scenarios = [make_scenario(version, number=number) for number in (1, 2, 3, 4)]
            held += [(scenario, luna, said) for scenario, said in zip(scenarios, SAID.values(), strict=False)]
            held += [(scenario, terra, polarity == "positive") for scenario in scenarios]
            held += [(scenario, sol, False) for scenario in scenarios[:3] if polarity == "negative"]
        make_held(run, held)
        make_release(run=run)
        yield
        transaction.set_rollback(True)


def html(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return unescape(response.content.decode())


def row_of(page: str, start: str) -> str:
    """The table row that this begins, or nothing."""
    found = re.search(rf"<tr[^>]*>(?:(?!</tr>).)*?{start}.*?</tr>", page, re.DOTALL)
    return found[0] if found else ""


def squares(source: str) -> list[tuple[str, str]]:
    """Each verdict square with the words that a screen reader says of it."""
    return re.findall(r'href="#sq-(\w+)"/></svg><span class="vh">[^<]*: ([^<]+)</span>', source)


def conversations(polarity: str) -> list[Conversation]:
    """Luna's conversations on a metric, by scenario."""
    found = Conversation.objects.filter(scenario__base__metric_version__metric__local_id=METRICS[polarity])
    return list(found.filter(target__slug="luna").order_by("scenario__base__number"))


@KINDS
def test_metric_page_has_a_square_and_words_for_each_verdict(client: Client, site: None, polarity: str) -> None:
    row = row_of(html(client, f"/metrics/autonomy/{METRICS[polarity]}/"), 'href="/labels/luna/"')

    assert squares(row) == SHOWN[polarity]
    assert re.findall(r'<td class="r num">([^<]+)</td>', row) == ["1 of 2"]


@KINDS
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_scenario_page_has_the_same_square_and_none_for_a_missing_chat(
    client: Client, site: None, polarity: str, number: int
) -> None:
    row = row_of(html(client, f"/metrics/autonomy/{METRICS[polarity]}/scenarios/{number}/"), 'href="/labels/luna/"')

    assert squares(row) == SHOWN[polarity][number - 1 : number]
    # Unjudged: nothing was counted, so a dash; not held at all: no row, as there is nothing to open.
    counts = {1: "1 of 1", 2: "0 of 1", 3: "–"} if polarity == "positive" else {1: "0 of 1", 2: "1 of 1", 3: "–"}
    assert re.findall(r'<td class="r num">([^<]+)</td>', row) == ([counts[number]] if number < 4 else [])


@KINDS
def test_conversation_page_says_the_outcome_and_what_the_judge_saw(client: Client, site: None, polarity: str) -> None:
    said = {True: "Good outcome: yes", False: "Good outcome: no", None: "No verdict"}
    marks = {True: "yes", False: "no"}
    saw = {True: "The behaviour was there.", False: "The behaviour was not there.", None: UNREAD}
    for conversation, passed, present in zip(conversations(polarity), PASSED[polarity], SAID.values(), strict=True):
        page = html(client, f"/conversations/{conversation.public_id}/")
        result = page[page.index('class="result"') :]
        heading = re.search(r"<h2[^>]*>(.*?)</h2>", result, re.DOTALL)

        assert heading is not None
        assert re.sub(r"<[^>]+>", "", heading[1]).strip() == said[passed]
        assert re.findall(r"#sq-(\w+)", heading[1]) == [marks[one] for one in [passed] if one is not None]
        assert saw[present] in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", result))


@KINDS
def test_comparison_counts_judged_chats_and_draws_each(client: Client, site: None, polarity: str) -> None:
    page = html(client, "/compare/?m=luna,sol&view=metrics")
    row = row_of(page, f'href="/metrics/autonomy/{METRICS[polarity]}/[^"]*"')
    of_luna, of_sol = re.findall(r"<td[^>]*>.*?</td>", row, re.DOTALL)

    assert squares(of_luna) == SHOWN[polarity]
    assert re.findall(r"<small>([^<]+)</small>", of_luna) == ["1 of 2"]
    # Sol was never asked for the good behaviour: a dash, no count, no square.
    expected = ([], [], True) if polarity == "positive" else ([GOOD] * 3, ["3 of 3"], False)
    assert (squares(of_sol), re.findall(r"<small>([^<]+)</small>", of_sol), "–" in of_sol) == expected


@KINDS
def test_row_of_a_label_counts_and_draws_the_same(client: Client, site: None, polarity: str) -> None:
    page = html(client, "/labels/luna/agency-purpose/")
    row = row_of(page, f'href="/metrics/autonomy/{METRICS[polarity]}/[^"]*"')

    filled, hollow = re.search(r'<path d="([^"]*)" fill="currentColor"/><path d="([^"]*)"', row).groups()  # type: ignore[union-attr]
    assert (filled.count("M"), hollow.count("M")) == (1, 1)
    assert "1 of 2" in row


@KINDS
def test_interface_for_programs_and_files_say_the_same(client: Client, site: None, polarity: str) -> None:
    slug = f"autonomy/{METRICS[polarity]}"
    ids = [conversation.public_id for conversation in conversations(polarity)]
    held = client.get(f"/api/v1/conversations/?metric={slug}&model=luna").json()["results"]
    judged = client.get(f"/api/v1/judgments/?metric={slug}&model=luna").json()["results"]
    result = client.get(f"/api/v1/results/?group=metric&key={slug}&model=luna&profile=all").json()["results"]

    assert {one["id"]: one["passed"] for one in held} == dict(zip(ids, PASSED[polarity], strict=True))
    assert {one["conversation"]: one["present"] for one in judged} == dict(zip(ids, SAID.values(), strict=True))
    documents = [client.get(f"/conversations/{one}.json").json() for one in ids]
    assert [one["verdict"]["passed"] for one in documents] == PASSED[polarity]
    assert [(one["n_judged"], one["n_unjudged"], one["n_passed"], one["pass_rate"]) for one in result] == [
        (2, 1, 1, 0.5)
    ]  # fmt: skip


def test_what_was_never_tested_is_a_dash_empty_or_absent_and_never_a_number(client: Client, site: None) -> None:
    """Sol has no chat on the good behaviour: not 0, not 50, not a good outcome missed."""
    page = html(client, "/labels/sol/")
    head = re.search(r'kind-promote">.*?class="head-num[^"]*">(.*?)</p>', page, re.DOTALL)
    compared = html(client, "/compare/?m=luna,sol")
    history = list(csv.DictReader(io.StringIO(client.get("/models/sol.csv").content.decode())))

    assert head is not None
    assert re.sub(r"<[^>]+>", "", head[1]).strip() == "–"
    assert 'data-rate="0' not in page
    assert "data-rate" not in html(client, "/explore/?m=sol&p=promote")
    assert ("0 of 0" in page, "0 of 0" in compared) == (False, False)
    assert [one["polarity"] for one in client.get("/labels/sol.json").json()["headlines"]] == ["negative"] * 2
    assert [(one["polarity"], one["pass_rate"], one["n_judged"]) for one in history] == [
        ("positive", "", ""),
        ("negative", "1.0", "3"),
    ]
    assert client.get("/api/v1/results/?model=sol&polarity=positive").json()["results"] == []


def test_three_good_outcomes_of_three_are_no_certainty(client: Client, site: None) -> None:
    """All alike has no spread to draw from, but says little: the range is as wide as three chats make it."""
    result = Result.objects.get(model__slug="sol", group="metric", key="autonomy/m02", profile="all")
    page = html(client, "/labels/sol/agency-purpose/")
    row = row_of(page, 'href="/metrics/autonomy/m02/[^"]*"')

    assert (result.n_passed, result.n_judged, result.pass_rate, result.ci_method) == (3, 3, 1.0, "wilson")
    assert (round(float(result.ci_low or 1), 2), result.ci_high) == (0.44, 1.0)
    assert re.findall(r"(\d+)–(\d+)", re.sub(r"<[^>]+>", " ", row)) == [("44", "100")]
