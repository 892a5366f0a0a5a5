"""The list of metrics, a metric's page and a scenario's page."""

import re
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import MetricVersion, Release
from tests.labels.missing import missing_page
from tests.support.builders import (
    make_benchmark,
    make_conversation,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenario,
    make_scenarios,
)

pytestmark = pytest.mark.django_db

HOSTILE = "<script>x</script> {x} %s {{ y }} </template> \u202e"
# One of them counts in the database what the page would else read chat by chat.
BUDGET = 13


@pytest.fixture
def release() -> Release:
    return make_release()


def words(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return " ".join(strip_tags(response.content.decode()).split())


def publish(*versions: MetricVersion, present: bool = True) -> Release:
    """A release of one model with one conversation a scenario."""
    target = make_model("luna")
    run = make_run("small", versions=versions, targets=[target])
    for version in versions:
        for scenario in make_scenarios(version):
            make_judgment(make_conversation(run, scenario, target), present=present)
    return make_release("small", run=run)


def test_metrics_counts_and_pages(client: Client, release: Release):
    page = words(client, "/metrics/")

    assert "12 metrics showing 1 to 12" in page


def test_metrics_filters_by_kind_subarea_benchmark_and_words(client: Client, release: Release):
    assert "6 of 12 metrics" in words(client, "/metrics/?p=avoid")
    assert "2 of 12 metrics" in words(client, "/metrics/?subarea=cognition-judgment")
    assert "6 of 12 metrics" in words(client, "/metrics/?bench=learning")
    assert "2 of 12 metrics" in words(client, "/metrics/?q=decides+m01")
    assert "12 of 12 metrics" in words(client, "/metrics/?status=machine-judged")


def test_metrics_nothing_found_names_the_filters_to_drop(client: Client, release: Release):
    page = client.get("/metrics/?q=zzz&p=avoid&bench=learning").content.decode()

    assert "No metric fits all of these at once." in page
    assert 'href="?bench=learning&amp;p=avoid"' in page


def test_metrics_nothing_found_counts_what_each_filter_holds_back(client: Client, release: Release):
    page = client.get("/metrics/?q=zzz&p=avoid").content.decode()

    assert re.findall(r'<a href="([^"]+)">(Without [^<]+)</a>', page) == [
        ("?p=avoid", "Without “Search: zzz”: 6 metrics"),
        ("?q=zzz", "Without “Kind: Avoids harm”: 0 metrics"),
    ]


def test_metrics_without_any_says_that_none_is_published(client: Client):
    page = words(client, "/metrics/")

    assert "No metric has been published yet." in page
    assert "No metric fits" not in page


def test_metrics_subareas_are_those_of_the_area(client: Client, release: Release):
    page = client.get("/metrics/?area=psychological").content.decode()

    assert re.findall(r'<optgroup label="([^"]+)">', page) == ["Psychological"]


def test_metrics_subarea_of_another_area_is_ignored_with_a_notice(client: Client):
    publish(make_metric("m01"), make_metric("m02", subareas=["law"]))

    page = words(client, "/metrics/?area=social&subarea=agency-purpose")

    assert "is no part of “Social”, so it was ignored." in page
    assert "1 of 2 metrics" in page


def listed(client: Client, query: str) -> list[str]:
    """The metrics on a page of the list, by their address."""
    page = client.get(f"/metrics/{query}").content.decode()
    return re.findall(r'<h3 class="m-name">.*?<a href="/metrics/([^"?]+)/', page)


@pytest.mark.parametrize("sort", ["name", "benchmark", "fewest", "most"])
def test_metrics_pages_follow_each_other_and_lead_back(client: Client, release: Release, sort: str):
    for number in range(40):
        make_metric(f"w{number:02}", name=f"Same name {number % 3}", is_published=True)

    def step(address: str, rel: str) -> str:
        page = client.get(f"/metrics/{address}").content.decode()
        return next(iter(re.findall(f'rel="{rel}" href="([^"]+)"', page)), "").replace("&amp;", "&")

    first = f"?sort={sort}"
    second = step(first, "next")
    third = step(second, "next")
    seen = listed(client, first) + listed(client, second) + listed(client, third)

    assert (len(seen), len(set(seen)), step(third, "next"), step(first, "prev")) == (52, 52, "", "")
    assert listed(client, step(third, "prev")) == listed(client, second)
    assert listed(client, step(second, "prev")) == listed(client, first)
    assert "showing 26 to 50" in words(client, f"/metrics/{second}")


def test_metrics_page_after_a_metric_that_left_is_the_first(client: Client, release: Release):
    assert listed(client, "?after=nowhere/m01") == listed(client, "")


def test_metrics_sorted_by_number_says_that_neighbours_may_not_differ(client: Client, release: Release):
    assert "may not differ" in words(client, "/metrics/?sort=fewest")
    assert "may not differ" not in words(client, "/metrics/?sort=benchmark")


def test_metrics_live_part_is_that_of_the_page(client: Client, release: Release):
    whole = client.get("/metrics/?q=m05&p=avoid")
    part = client.get("/metrics/?p=avoid&q=m05&area=&sort=name", headers={"HX-Request": "true"})
    rows = re.findall(r"<h3.*?</h3>", part.content.decode())

    assert rows == re.findall(r'<h3 class="m-name".*?</h3>', whole.content.decode())
    assert "<html" not in part.content.decode()
    assert re.findall("<title>.*?</title>", part.content.decode()) == re.findall(
        "<title>.*?</title>", whole.content.decode()
    )
    assert part["HX-Push-Url"] == "/metrics/?p=avoid&q=m05"
    assert ["HX-Request" in response["Vary"] for response in (whole, part)] == [True, True]
    assert 'id="found-said" hx-swap-oob="innerHTML">\n2 metrics found\n</p>' in part.content.decode()


def test_metrics_history_gets_the_whole_page(client: Client, release: Release):
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}

    assert "<html" in client.get("/metrics/?q=m01", headers=headers).content.decode()


def test_metrics_files_hold_what_the_filters_leave(client: Client, release: Release):
    rows = client.get("/metrics.json?p=avoid&bench=learning").json()["rows"]
    lines = client.get("/metrics.csv?p=avoid&bench=learning").content.decode().splitlines()

    assert ([row["benchmark"] for row in rows], {row["polarity"] for row in rows}) == (["learning"] * 3, {"negative"})
    assert all(row["n_judged"] and row["ci_low"] is not None and row["coverage"] == 1.0 for row in rows)
    assert len(lines) == 4


def test_metrics_search_of_hostile_words_is_escaped(client: Client, release: Release):
    page = client.get("/metrics/?q=" + quote(HOSTILE)).content.decode()

    assert "<script>x" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page


@pytest.mark.parametrize(
    "query", ["page=0", "page=99999", "page=x", "q=%00", "q=%25", "sort=zz&area=x&bench=y&status=z", "release="]
)
def test_metrics_odd_values_never_fail(client: Client, release: Release, query: str):
    assert client.get(f"/metrics/?{query}").status_code == 200


def test_metrics_sorted_by_outcomes_puts_missing_last(client: Client, release: Release):
    make_metric("m99", name="Waiting", is_published=True)

    for sort in ("fewest", "most"):
        names = re.findall(
            r'<h3 class="m-name">.*?<a href="[^"]+"><bdi>([^<]+)<',
            client.get(f"/metrics/?sort={sort}").content.decode(),
        )
        assert (len(names), names[-1]) == (13, "Waiting")


def test_metrics_within_budget_and_independent_of_rows(client: Client, release: Release):
    with CaptureQueriesContext(connection) as all_rows:
        client.get("/metrics/")
    with CaptureQueriesContext(connection) as few_rows:
        client.get("/metrics/?q=m01")

    assert len(all_rows) <= BUDGET
    assert len(few_rows) == len(all_rows)


def test_metric_published_without_results_says_so(client: Client, release: Release):
    make_metric("m99", name="Waiting", is_published=True)

    assert "No results yet in this release." in words(client, "/metrics/autonomy/m99/")
    assert "No results yet in this release" in words(client, "/metrics/?q=waiting")


def test_metric_unpublished_draft_is_not_there(client: Client, release: Release):
    make_metric("m99", name="Draft")

    assert client.get("/metrics/autonomy/m99/").status_code == 404
    assert "0 of 12 metrics" in words(client, "/metrics/?q=m99")


def test_metric_unknown_names_near_ones(client: Client, release: Release):
    assert 'href="/metrics/autonomy/m01/"' in missing_page("/metrics/autonomy/m1/")


@pytest.mark.parametrize(
    ("polarity", "present", "outcome"),
    [
        ("positive", True, "Good outcome"),
        ("positive", False, "Not a good outcome"),
        ("negative", True, "Not a good outcome"),
        ("negative", False, "Good outcome"),
    ],
)
def test_metric_squares_follow_polarity(client: Client, polarity: str, present: bool, outcome: str):
    publish(make_metric(polarity=polarity), present=present)

    page = client.get("/metrics/autonomy/m01/").content.decode()

    assert f"scenario 1: {outcome}</span>" in page
    assert page.count(f"scenario 1: {outcome}</span>") == 2


def test_metric_says_what_is_good_here(client: Client):
    publish(make_metric(polarity="negative"))

    assert "The good result here is that the model does not do this." in words(client, "/metrics/autonomy/m01/")


def test_metric_unjudged_chat_is_a_dash_with_its_reason(client: Client):
    judged = make_metric("m02")
    target = make_model("luna")
    unjudged = make_metric()
    run = make_run("small", versions=[judged, unjudged], targets=[target])
    make_judgment(make_conversation(run, make_scenario(judged), target))
    for scenario in make_scenarios(unjudged):
        make_judgment(make_conversation(run, scenario, target), present=None)
    make_release("small", run=run)

    page = client.get("/metrics/autonomy/m01/").content.decode()

    assert page.count('href="#sq-na"') == 3
    assert "could not be read" in page
    assert "2 chats could not be judged" in page


def test_metric_of_unknown_kind_keeps_verdicts_without_a_rate(client: Client):
    version = make_metric(polarity=None, definition="", is_imported_result=True, is_published=True)
    publish(version)

    page = words(client, "/metrics/autonomy/m01/")

    assert "Whether doing this is good or bad is not stated by the source." in page
    assert "2 of 2" in page
    assert "Good outcome" not in page
    assert "Not published by the source." in page
    assert " in 100" not in page


@pytest.mark.parametrize(
    ("is_imported", "says"),
    [
        (True, "These are the words that the source published. It did not publish what its judge read."),
        (False, "This is what the judge reads."),
    ],
)
def test_only_our_own_words_are_called_what_the_judge_reads(client: Client, is_imported: bool, says: str) -> None:
    make_metric(is_imported_result=is_imported, is_published=True)

    page = client.get("/metrics/autonomy/m01/").content.decode()

    assert (says in page, ("This is what the judge reads." in page) is is_imported) == (True, False)


def test_metric_shows_the_judges_words_and_no_more_than_were_checked(client: Client, release: Release):
    page = words(client, "/metrics/autonomy/m01/")

    assert "Says that the decision is the person&#x27;s own (m01)." in page
    assert page.count("Not checked yet") == 5
    assert "Verdicts last reviewed by peopleNever" in page.replace(" Never", "Never")


def test_metric_hostile_words_are_escaped_everywhere(client: Client):
    benchmark = make_benchmark(
        "evil", name=HOSTILE, description=HOSTILE, licence=HOSTILE, contributors=[HOSTILE],
        sources=[{"title": HOSTILE, "url": "javascript:alert(1)"}],
    )  # fmt: skip
    version = make_metric(
        benchmark=benchmark, name=HOSTILE, definition=HOSTILE, rationale=HOSTILE, contributor=f"{HOSTILE}.",
        examples_present=[HOSTILE], examples_absent=[HOSTILE],
        citations=[HOSTILE, {"title": "t", "url": "javascript:x"}],
        plain_definition=HOSTILE, interpretive_clause=HOSTILE,
    )  # fmt: skip
    target = make_model("luna")
    run = make_run("small", versions=[version], targets=[target])
    scenario = make_scenario(version, title=HOSTILE, persona=HOSTILE, attributes={HOSTILE: HOSTILE})
    make_judgment(make_conversation(run, scenario, target))
    make_release("small", run=run)

    for path in (
        "/metrics/",
        "/metrics/evil/m01/",
        "/metrics/evil/m01/scenarios/1/",
        "/benchmarks/",
        "/benchmarks/evil/",
        "/search/?q=script",
        "/explore/psychological/agency-purpose/",
    ):
        response = client.get(path)
        page = response.content.decode()
        assert response.status_code == 200
        assert "<script>x" not in page
        assert "</template>" not in page
        assert 'href="javascript' not in page


def test_metric_address_with_a_zero_character_is_not_found(client: Client, release: Release):
    assert client.get("/metrics/autonomy/m%0001x/").status_code == 404


def test_metric_chosen_models_only(client: Client, release: Release):
    page = client.get("/metrics/autonomy/m01/?m=luna").content.decode()

    assert "Luna, " in page
    assert "Terra, " not in page


def test_metric_other_release_is_named(client: Client, release: Release):
    Release.objects.filter(pk=release.pk).update(title="First")
    publish(make_metric(benchmark=make_benchmark("other")))

    page = client.get("/metrics/autonomy/m01/").content.decode()

    assert '<a href="/metrics/autonomy/m01/?release=2026-a">First</a>' in page


def test_metric_query_count_does_not_grow_with_conversations(client: Client, release: Release):
    small = publish(make_metric(benchmark=make_benchmark("other")))

    with CaptureQueriesContext(connection) as one_model:
        client.get(f"/metrics/other/m01/?release={small.slug}")
    with CaptureQueriesContext(connection) as three_models:
        client.get(f"/metrics/autonomy/m01/?release={release.slug}")

    assert len(three_models) == len(one_model) <= BUDGET


def test_metric_opened_on_a_list_leads_back_to_it(client: Client, release: Release):
    page = client.get("/metrics/?p=avoid&q=m05").content.decode()
    address = re.findall(r'<h3 class="m-name">.*?<a href="([^"]+)"', page)[0].replace("&amp;", "&")

    assert re.findall(r'<p class="back"><a href="([^"]+)"><bdi>([^<]+)<', client.get(address).content.decode()) == [
        ("/metrics/?p=avoid&amp;q=m05", "Back to the list: Search: m05, Kind: Avoids harm")
    ]


def test_metric_opened_in_explore_leads_back_there(client: Client, release: Release):
    came = quote("explore/psychological/agency-purpose?m=luna&profile=teen")
    page = client.get(f"/metrics/autonomy/m01/?from={came}").content.decode()

    assert re.findall(r'<p class="back"><a href="([^"]+)"><bdi>([^<]+)<', page) == [
        (
            "/explore/psychological/agency-purpose/?m=luna&amp;profile=teen",
            "Back to Your choices: 1 model, Teens 13–17",
        )
    ]


@pytest.mark.parametrize("came", ["//evil.example", "javascript:x", "metrics/../x", "explore/nowhere", "x" * 900])
def test_metric_opened_from_anywhere_else_leads_nowhere(client: Client, release: Release, came: str):
    page = client.get(f"/metrics/autonomy/m01/?from={quote(came)}").content.decode()

    assert '<p class="back">' not in page


def test_metric_judge_is_named_with_version_and_prompt(client: Client, release: Release):
    judge = release.judge
    assert judge is not None
    assert judge.language_model is not None
    judge.language_model.version = "2026-03"
    judge.language_model.save()
    judge.prompt_hash = "0123456789abcdef"
    judge.save()

    assert "Version 2026-03. Prompt 0123456789ab." in words(client, "/metrics/autonomy/m01/")


def test_metric_files_hold_each_models_numbers(client: Client, release: Release):
    rows = client.get("/metrics/autonomy/m01.json").json()["rows"]

    assert [(row["model"], row["profile"]) for row in rows] == [
        (model, profile) for model in ("luna", "sol", "terra", None) for profile in ("all", "teen", "adult")
    ]
    assert client.get("/metrics/autonomy/m01.csv?profile=teen&m=luna").content.decode().count("\r\n") == 3


def test_metric_files_of_an_unknown_metric_are_not_there(client: Client, release: Release):
    assert client.get("/metrics/autonomy/zz.csv").status_code == 404
    assert client.get("/metrics/autonomy/m01/scenarios/99.json").status_code == 404


def test_scenario_two_picked_chats_lead_to_the_page_beside_each_other(client: Client, release: Release):
    page = client.get("/metrics/autonomy/m01/scenarios/1/").content.decode()
    first, second = re.findall(r'<option value="([^"]+)"', page)[:2]

    response = client.get(f"/metrics/autonomy/m01/scenarios/1/?pick={first}&pick={second}")

    assert (response.status_code, response["Location"]) == (
        302, f"/conversations/{first}/?from=scenario&with={second}",
    )  # fmt: skip
    assert "Choose two different chats" in words(
        client, f"/metrics/autonomy/m01/scenarios/1/?pick={first}&pick={first}"
    )


def test_scenario_squares_lead_to_chats_that_lead_back(client: Client, release: Release):
    page = client.get("/metrics/autonomy/m01/scenarios/1/").content.decode()

    assert set(re.findall(r'<a href="/conversations/[^"?]+(\?[^"]*)"', page)) == {"?from=scenario"}


def test_scenario_files_hold_each_verdict(client: Client, release: Release):
    rows = client.get("/metrics/autonomy/m01/scenarios/1.json?m=luna").json()["rows"]

    assert {(row["model"], row["scenario"]) for row in rows} == {("luna", 1)}
    assert all(row["conversation"] and row["passed"] is not None for row in rows)


def test_scenario_query_count_does_not_grow(client: Client, release: Release):
    with CaptureQueriesContext(connection) as one:
        client.get("/metrics/autonomy/m01/scenarios/1/?m=luna")
    with CaptureQueriesContext(connection) as all_models:
        client.get("/metrics/autonomy/m01/scenarios/1/")

    assert len(all_models) == len(one) <= BUDGET


def test_scenario_counts_all_its_chats_together(client: Client):
    publish(make_metric("m01", benchmark=make_benchmark("autonomy")))

    page = words(client, "/metrics/autonomy/m01/scenarios/1/")

    assert "luna" in page.casefold()
    assert re.findall(r"\d+ of \d+", page) == ["2 of 2"]


def test_scenario_hidden_goal_is_marked_as_unseen(client: Client, release: Release):
    page = words(client, "/metrics/autonomy/m01/scenarios/1/")

    assert "The model under test never saw this." in page
    assert "To be told what to do." in page
    assert "A teen with a hard choice." in page


def test_scenario_missing_texts_are_not_published(client: Client):
    version = make_metric()
    target = make_model("luna")
    run = make_run("small", versions=[version], targets=[target])
    scenario = make_scenario(version, persona="", anchors=[])
    base = scenario.base
    base.persona, base.goal, base.latent_adversarial_goal, base.anchors = "", "", "", []
    base.save()
    make_judgment(make_conversation(run, scenario, target))
    make_release("small", run=run)

    assert words(client, "/metrics/autonomy/m01/scenarios/1/").count("Not published") == 4


def test_scenario_unknown_number_leads_to_the_metric(client: Client, release: Release):
    for number in ("7", "99999999999999999999"):
        assert 'href="/metrics/autonomy/m01/"' in missing_page(f"/metrics/autonomy/m01/scenarios/{number}/")


def test_metric_below_the_floor_gives_counts_and_no_rate(client: Client):
    publish(make_metric())

    page = words(client, "/metrics/autonomy/m01/")

    assert "All chats together: 2 of 2 chats." in page
    assert " in 100" not in page.replace("number of 100", "")


def test_name_of_a_benchmark_is_not_told_as_that_of_an_author(client: Client):
    """The first edition writes the one where the other belongs."""
    benchmark = make_benchmark("kindness", name="Kind Help", contributors=[])
    publish(make_metric("m01", benchmark=benchmark, contributor="Kind Help"))

    assert "Written byNot published" in words(client, "/metrics/kindness/m01/")
