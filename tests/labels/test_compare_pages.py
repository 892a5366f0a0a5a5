"""The compare page: what it says of two, three and four models, in each of its views."""

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from itertools import combinations
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from evaluation.models import Comparison, LanguageModel, Release, Result
from labels.comparing_words import Pair, row_words
from labels.differences import Difference, Said
from labels.label import read_label
from tests.support.builders import make_model
from tests.support.far_apart import far_apart

pytestmark = pytest.mark.django_db
VIEWS = ["label", "areas", "metrics", "profiles", "repeats"]


@pytest.fixture(scope="module")
def release(django_db_setup: None, django_db_blocker: Any) -> Iterator[Release]:
    """Made once: no test changes it, and what is published cannot be deleted, only rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield far_apart()
        transaction.set_rollback(True)


def html(client: Client, query: str) -> str:
    response = client.get(f"/compare/{query}")
    assert response.status_code == 200
    return unescape(response.content.decode())


def said(page: str) -> list[str]:
    """The words at the end of each row, all metrics of a kind first."""
    return re.findall(r'class="cmp-say [a-z]+">([^<]+)', page)


def lines(client: Client, query: str) -> list[dict[str, str]]:
    """The file of a comparison, by the names of its columns."""
    return list(csv.DictReader(io.StringIO(client.get(f"/compare.csv{query}").content.decode())))


# All metrics, agency-purpose, cognition-judgment (4 metrics): once for each kind, good things first.
FEW = "Not enough data: only 4 shared metrics"


def test_rows_of_two_models_say_who_is_higher_or_why_nothing_can_be_said(client: Client, release: Release) -> None:
    apart, partial = "Luna higher than Terra", "Not enough data: tested on part of the metrics"

    assert said(html(client, "?m=luna,terra")) == [apart, apart, FEW] * 2
    assert said(html(client, "?m=terra,luna")) == [apart, apart, FEW] * 2
    assert said(html(client, "?m=luna,sol")) == [partial] * 6
    # Without any difference in any draw there is no interval, and then nothing is said.
    same = "Not enough data: no range for the difference"
    assert said(html(client, "?m=luna,vega")) == ["Can’t tell apart"] * 2 + [FEW, same, same, FEW]


def test_rows_of_four_models_speak_of_every_pair(client: Client, release: Release) -> None:
    good = "Luna and Vega higher than Terra; not enough data on Sol; can’t tell Luna and Vega apart"
    harmful = "Luna and Vega higher than Terra; not enough data on Sol; not enough data for Luna beside Vega"

    page = html(client, "?m=luna,terra,vega,sol")

    few = f"{FEW}; tested on part of the metrics"
    assert said(page) == [good, good, few, harmful, harmful, few]


def test_three_sentences_say_the_same_as_the_rows(client: Client, release: Release) -> None:
    def sentences(query: str) -> list[str]:
        found = re.search(r'class="finding cmp-finding">(.*?)</ul>', html(client, query), re.S)
        return re.findall(r"<li>(.*?)</li>", found[1]) if found else []

    last = "“Higher” is said only where chance alone would rarely do it, after a correction for all pairs."
    rows = "On the 2 rows: Luna higher on 1, Terra higher on 0; too little data on 1."
    assert sentences("?m=luna,terra") == [
        f"Promotes good, all metrics together: Luna higher than Terra. {rows}",
        f"Avoids harm, all metrics together: Luna higher than Terra. {rows}",
        last,
    ]
    assert sentences("?m=luna,terra,vega")[0] == (
        "Promotes good, all metrics together: Luna and Vega higher than Terra; can’t tell Luna and Vega apart. "
        "On the 2 rows: at least two models differ on 1; too little data on 1."
    )


def test_only_rows_that_differ_stay_and_the_whole_of_each_kind(client: Client, release: Release) -> None:
    def rows(query: str) -> list[str]:
        return re.findall(r'role="rowheader"><b>([^<]+)', html(client, query))

    whole = "All 8 metrics"
    agency, cognition = "Agency & purpose", "Cognition & judgment"
    every = rows("?m=luna,terra")
    assert [name == whole for name in every] == [True, False, False] * 2, (agency, cognition)
    assert rows("?m=luna,terra&only=diff") == [every[0], every[1], every[3], every[4]]
    page = html(client, "?m=luna,vega&only=diff")
    assert (rows("?m=luna,vega&only=diff"), page.count("No row of this kind differs.")) == ([whole, whole], 2)


def test_areas_have_their_subareas_below_them(client: Client, release: Release) -> None:
    page = html(client, "?m=luna,terra&view=areas")

    names = re.findall(r'<tr role="row"(?: class="(cmp-[a-z]+)")?><th scope="row" role="rowheader"><b>([^<]+)', page)
    assert [look for look, _name in names] == ["cmp-all", "", "cmp-part", "cmp-part"] * 2
    assert said(page) == ["Luna higher than Terra"] * 3 + [FEW] + ["Luna higher than Terra"] * 3 + [FEW]


def test_metrics_show_counts_and_a_link_to_each_chat_and_never_a_rate(client: Client, release: Release) -> None:
    page = html(client, "?m=luna,terra&view=metrics")

    assert re.findall(r"<small>(\d+ of \d+)</small>", page) == ["8 of 8", "2 of 8", "8 of 8", "0 of 8"] * 8
    assert page.count('href="/conversations/') == 16 * 2 * 8
    assert (page.count("in 100"), said(page)) == (0, [])
    different = html(client, "?m=luna,vega&view=metrics&only=diff")
    assert re.findall(r"<small>(\d+ of \d+)</small>", different) == ["8 of 8", "7 of 8"]


def test_profiles_are_compared_within_each_model(client: Client, release: Release) -> None:
    page = html(client, "?m=terra,luna&view=profiles")

    names = [profile.name for profile in release.profiles.all()]
    words = re.findall(r'class="cmp-said(?: diff)?">([^<]+)', page)
    apart = f"{names[1]} higher than {names[0]}"
    assert words[:2] == [apart, "Not enough data: no range for the difference"]
    assert words == [*words[:2] * 2, "Not enough data: few chats", "Not enough data: few chats"] * 2
    assert re.findall(r"Only rows that differ \((\d+)\)", page) == ["2"]


def test_label_and_comparison_say_the_same_of_groups(client: Client, release: Release) -> None:
    """Both ask `labels.differences`; where one says 'lower for', the other must say 'higher than', and nowhere else."""
    profiles = list(release.profiles.all())
    on_labels, compared = {}, {}
    for model in LanguageModel.objects.filter(slug__in=["luna", "terra", "sol"]):
        (pair,) = read_label(release, model, profiles=profiles).between_profiles
        for (group, key, polarity), gap in pair.gaps.items():
            on_labels[model.slug, group, key, polarity] = gap.higher.slug
    for row in lines(client, "?m=luna,terra,sol&view=profiles"):
        if row["said"] in ("higher", "lower"):
            first, second = row["profile"].split(" - ")
            place = row["model"], row["group"], row["key"], row["polarity"]
            compared[place] = first if row["said"] == "higher" else second

    assert compared == on_labels
    assert {(slug, higher) for (slug, *_place), higher in on_labels.items()} == {("terra", "adult")}
    # Four shared metrics tell nobody apart, however far the numbers lie from each other.
    assert sorted(key for _slug, _group, key, _polarity in on_labels) == ["", "", "agency-purpose", "agency-purpose"]


def test_twenty_repeats_agree_with_the_frozen_comparison(client: Client, release: Release) -> None:
    page = html(client, "?m=luna,terra&view=repeats")

    assert re.findall(r"higher in (\d+), level in (\d+), lower in (\d+)", page) == [("20", "0", "0")] * 4
    assert page.count("<circle") == 4 * 20


def test_scenarios_that_ended_differently_lead_to_both_chats(client: Client, release: Release) -> None:
    page = html(client, "?m=luna,vega")

    links = re.findall(r'href="(/conversations/[^"]+with=[^"]+)"', page)
    assert len(links) == 1
    assert "In 1 scenario the chats of these models ended differently." in page
    assert "Did the helpful thing: Luna. Did not: Vega." in page
    assert client.get(links[0]).status_code == 200


@pytest.mark.parametrize(
    ("query", "notice"),
    [
        ("?m=luna,terra,vega,sol,luna2", "No model named “luna2” is in this release, so it was left out."),
        ("?m=luna,terra&view=wheel", "“wheel” is no view of this page, so it was ignored."),
        ("?m=luna,terra&only=all", "“all” is not known here as only, so it was ignored."),
        ("?m=luna,terra,vega&view=repeats", "The 20 repeats are for two models: choose two."),
        ("?m=luna,terra&view=metrics&page=999999", ""),
        ("?m=luna,terra&view=metrics&page=x", ""),
    ],
)
def test_what_cannot_be_had_is_said_and_ignored(client: Client, release: Release, query: str, notice: str) -> None:
    assert notice in html(client, query)


def test_one_model_offers_the_others_and_none_says_how_to_pick(client: Client, release: Release) -> None:
    one, none = html(client, "?m=luna"), html(client, "")

    assert re.findall(r'href="/compare/\?m=(luna,\w+)"', one) == ["luna,sol", "luna,terra", "luna,vega"]
    assert "Pick a model in each of the first two fields and press Show." in none


def test_no_view_names_a_winner_and_every_view_says_the_limits(client: Client, release: Release) -> None:
    for view in VIEWS:
        page = html(client, f"?m=luna,terra&view={view}").partition("<main")[2].partition("</main>")[0]
        assert re.findall(r"\b(better|best|worst|winner|rank)\b", page) == [], view
        assert page.count("it does not show how often these things happen in everyday use") == 1, view


@pytest.mark.parametrize("view", VIEWS)
def test_questions_to_the_database_do_not_grow_with_the_models(
    client: Client, release: Release, view: str, django_assert_max_num_queries: Any
) -> None:
    client.get(f"/compare/?m=luna,terra&view={view}")
    with django_assert_max_num_queries(15):
        client.get(f"/compare/?m=luna,terra&view={view}")
    with django_assert_max_num_queries(15):
        client.get(f"/compare/?m=luna,terra,vega,sol&view={view}")


def test_files_hold_the_same_numbers_and_decisions(client: Client, release: Release) -> None:
    rows = lines(client, "?m=luna,terra")
    assert [(row["group"], row["polarity"], row["model"], row["beside"], row["said"]) for row in rows[:3]] == [
        ("overall", "positive", "luna", "", ""),
        ("overall", "positive", "terra", "", ""),
        ("overall", "positive", "luna", "terra", "higher"),
    ]
    frozen = Comparison.objects.get(
        release=release, kind="model", group="overall", polarity="positive", profile="all", a="luna", b="terra"
    )
    result = Result.objects.get(
        release=release, group="overall", polarity="positive", profile="all", model__slug="luna"
    )
    assert [rows[2][name] for name in ("difference", "difference_low", "difference_high", "shared_metrics")] == [
        str(frozen.difference), str(frozen.ci_low), str(frozen.ci_high), "8",
    ]  # fmt: skip
    assert (rows[0]["pass_rate"], rows[0]["n_judged"], rows[0]["coverage"]) == (str(result.pass_rate), "64", "1.0")
    assert (len(rows), len(lines(client, "?m=luna,terra&only=diff")), len(lines(client, "?m=luna"))) == (18, 12, 0)
    assert (len(lines(client, "?m=luna,terra&view=metrics")), len(lines(client, "?m=luna,terra&view=profiles"))) == (
        32,
        36,
    )
    document = client.get("/compare.json?m=luna,terra").json()
    assert (document["release"], len(document["rows"])) == ("2026-a", 18)


def test_picture_stands_alone_with_both_kinds_the_words_and_the_limits(client: Client, release: Release) -> None:
    response = client.get("/compare.svg?m=luna,terra")
    picture = unescape(response.content.decode())

    assert response.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert re.findall(r'font-size="13" fill="#595959">([^<]+)', picture) == ["Luna higher than Terra"] * 2
    assert picture.count("Stress test with simulated users, not everyday use.</text>") == 1
    assert "/compare/?m=luna,terra&release=2026-a" in picture
    assert client.get("/compare.svg?m=luna").status_code == 404


def _pair(a: str, b: str, kind: Said) -> Pair:
    return Pair(make_model(a), make_model(b), Difference(kind, why="few chats" if kind is Said.NOT_ENOUGH else ""))


@pytest.mark.parametrize(
    ("of_pairs", "words"),
    [
        ("HHH", "A higher than B and C; B higher than C"),
        ("LLL", "C higher than A and B; B higher than A"),
        ("HHT", "A higher than B and C; can’t tell B and C apart"),
        ("THH", "A and B higher than C; can’t tell A and B apart"),
        ("THT", "A higher than C; can’t tell the other pairs apart"),
        ("TTT", "Can’t tell apart"),
        ("TNN", "Not enough data on C; can’t tell A and B apart"),
        ("HNN", "A higher than B; not enough data on C"),
        ("NNN", "Not enough data: few chats"),
        ("THN", "A higher than C; not enough data for B beside C; can’t tell A and B apart"),
        ("CCC", "Not compared in this release"),
    ],
)
def test_words_of_three_models(of_pairs: str, words: str) -> None:
    kinds = {"H": Said.HIGHER, "L": Said.LOWER, "T": Said.TIED, "N": Said.NOT_ENOUGH, "C": Said.NOT_COMPARED}
    pairs = [_pair(a, b, kinds[one]) for (a, b), one in zip([*combinations("abc", 2)], list(of_pairs), strict=True)]

    assert row_words([make_model(slug) for slug in "abc"], pairs) == words
