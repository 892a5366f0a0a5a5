"""A number is the same wherever it stands: in the picture, in the table or text below it, in files and in the API."""

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from evaluation.models import Result, Verdict
from labels.wording import hundred
from tests.support.far_apart import far_apart

pytestmark = pytest.mark.django_db

ALL_METRICS = 8


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Made once: no test changes it, and what is published cannot be deleted, only rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        far_apart()
        yield
        transaction.set_rollback(True)


# (rate, low, high, n)
Number = tuple[float, float, float, int]


def html(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return unescape(response.content.decode())


def drawn(source: str) -> list[Number]:
    """What the marks of some pictures stand for, in their order."""
    found = re.findall(r'data-rate="([^"]+)" data-low="([^"]+)" data-high="([^"]+)" data-n="(\d+)"', source)
    return [(float(rate), float(low), float(high), int(n)) for rate, low, high, n in found]


def number(row: dict[str, Any]) -> Number:
    """The number of a line of a file or of an item of the API."""
    return float(row["pass_rate"]), float(row["ci_low"]), float(row["ci_high"]), int(row["n_judged"])


def from_api(client: Client, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/api/v1/results/?{query}&page_size=1000").json()["results"]
    return found


def lines(client: Client, address: str) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


@pytest.mark.parametrize("model", ["luna", "terra"])
def test_label_says_the_same_in_picture_words_files_and_api(client: Client, site: None, model: str) -> None:
    page = html(client, f"/labels/{model}/")
    heads = re.findall(r'<div class="head-line">.*?</div>\s*</div>', page, re.DOTALL)
    of_api = [number(one) for one in from_api(client, f"group=overall&model={model}&profile=all")]
    document = client.get(f"/labels/{model}.json").json()
    in_file = [one for one in lines(client, f"/labels/{model}.csv") if one["part"] == "headline"]

    shown = [re.sub(r"<[^>]+>|In 100 chats:|\s", "", one) for one in re.findall(r'head-num">(.*?)</p>', page)]
    assert len(of_api) == 2
    assert sorted(drawn("".join(heads))) == sorted(of_api)
    assert shown == [hundred(rate) for rate, *_ in drawn("".join(heads))]
    assert sorted(number(one) for one in document["headlines"] if one["profile"] == "all") == sorted(of_api)
    assert sorted(number(one) for one in in_file if one["profile"] == "all") == sorted(of_api)


@pytest.mark.parametrize("model", ["luna", "terra"])
def test_rows_of_a_label_say_the_same_in_picture_words_files_and_api(client: Client, site: None, model: str) -> None:
    page = html(client, f"/labels/{model}/")
    by_group = {
        (one["key"], one["polarity"], one["profile"]): number(one)
        for one in from_api(client, f"group=label-row&model={model}")
    }
    document = client.get(f"/labels/{model}.json").json()
    kinds = {"promote": "positive", "avoid": "negative"}
    rows = re.findall(r'<li id="row-([a-z-]+)-(promote|avoid)">(.*?)</li>', page, re.DOTALL)

    assert len(rows) == 4
    for slug, kind, source in rows:
        expected = [by_group[slug, kinds[kind], profile] for profile in ("teen", "adult")]
        words = re.findall(r'<p class="av"><span class="av-who">[^<]*</span><b>([^<]*)</b><span>([^<]*)</span>', source)
        row = next(one for one in document["rows"] if (one["slug"], one["polarity"]) == (slug, kinds[kind]))
        assert drawn(source) == expected
        assert [(value, note.split(" ")[0]) for value, note in words] == [
            (hundred(rate), f"{hundred(low)}–{hundred(high)}") for rate, low, high, _n in expected
        ]
        assert [number(cell) for cell in row["cells"] if cell["profile"] != "all"] == expected


def test_page_of_a_row_says_the_same_in_picture_table_files_and_api(client: Client, site: None) -> None:
    page = html(client, "/labels/terra/agency-purpose/")
    of_api = [number(one) for one in from_api(client, "group=label-row&key=agency-purpose&model=terra")]
    in_file = lines(client, "/labels/terra/agency-purpose.csv")
    metrics = {one["key"]: one for one in from_api(client, "group=metric&model=terra&profile=all")}
    table = re.findall(r'<tr><th scope="row"><a href="/metrics/([^"?]+)/[^"]*">.*?</th>(.*?)</tr>', page, re.DOTALL)

    assert sorted(drawn(page)) == sorted(one for one in of_api if one[3] != 2 * ALL_METRICS * 4)
    assert sorted(number(one) for one in in_file if not one["metric"]) == sorted(of_api)
    assert len(table) == 2 * ALL_METRICS
    for slug, cells in table:
        one, text = metrics[slug], re.sub(r"<[^>]+>", " ", cells)
        assert re.findall(r"\d+ of \d+", text)[-1] == f"{one['n_passed']} of {one['n_judged']}"
        assert re.findall(r"\d+–\d+", text) == [f"{hundred(one['ci_low'])}–{hundred(one['ci_high'])}"]
        of_file = [line for line in in_file if line["metric"] == slug and line["profile"] == "all"]
        assert [number(line) for line in of_file] in ([], [number(one)])


def test_page_of_a_model_says_the_same_in_picture_files_and_api(client: Client, site: None) -> None:
    page = html(client, "/models/terra/")
    of_api = sorted(number(one) for one in from_api(client, "group=overall&model=terra&profile=all"))

    assert sorted(set(drawn(page))) == of_api
    in_file = lines(client, "/models/terra.csv")
    assert sorted({number(one) for one in in_file}) == of_api
    assert sorted({number(one) for one in client.get("/models/terra.json").json()["rows"]}) == of_api


def test_metric_in_several_subareas_is_counted_once_in_what_holds_them(client: Client, site: None) -> None:
    """Four of the eight behaviours of a kind stand in two subareas of one area."""
    found = {
        (one["group"], one["key"]): (one["n_metrics"], one["n_judged"])
        for one in from_api(client, "model=luna&polarity=positive&profile=all")
    }

    assert found["subarea", "agency-purpose"] == (8, 64)
    assert found["subarea", "cognition-judgment"] == (4, 32)
    assert found["area", "psychological"] == (8, 64)
    assert found["overall", None] == (8, 64)
    page = html(client, "/explore/psychological/?m=luna&p=promote&view=table")
    of_luna = re.search(r"<tr[^>]*>(?:(?!</tr>).)*?/labels/luna/.*?</tr>", page, re.DOTALL)
    assert of_luna is not None
    assert [n for *_rest, n in drawn(of_luna[0])] == [64]


def test_link_of_teens_leads_to_what_teens_were_told(client: Client, site: None) -> None:
    """From the label of teens down to a chat: every page on the way keeps to teens."""
    label = html(client, "/labels/terra/?profile=teen")
    teens = {one.polarity: one for one in Result.objects.filter(model__slug="terra", group="overall", profile="teen")}
    assert re.findall(r'data-n="(\d+)"', label)[:2] == [str(one.n_judged) for one in teens.values()]

    row = html(client, _link(label, r"/labels/terra/agency-purpose/"))
    metric = html(client, _link(row, r"/metrics/autonomy/m01/"))
    row_address, chat_address = _link(label, "/labels/terra/agency-purpose/"), _link(row, "/conversations/")
    chat = html(client, chat_address.partition("#")[0])
    held = Verdict.objects.get(conversation__public_id=re.search(r"/conversations/([\w-]+)/", chat_address)[1])  # type: ignore[index]

    assert "profile=teen" in row_address
    assert "profile=teen" in _link(row, r"/metrics/autonomy/m01/")
    assert "Teens 13–17 only." in row
    assert re.findall(r'<th scope="col">(Teens[^<]*|Adults[^<]*)</th>', metric) == ["Teens 13–17"]
    assert (held.profile.slug, held.model.slug) == ("teen", "terra")
    assert "Teens 13–17" in chat


def _link(page: str, start: str) -> str:
    """The first link of a page's main part whose address begins so."""
    found = re.search(rf'href="({start}[^"]*)"', page[page.index("<main") :])
    assert found is not None, start
    return found[1]
