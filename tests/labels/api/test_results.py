"""`results/`: every pass rate, by each of its filters."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Release, Result
from tests.labels.api.conftest import Get
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db


def results(get: Get, **query: str) -> Any:
    return get("results/", query).json()["results"]


@pytest.mark.usefixtures("small")
def test_result_has_exactly_the_contract_members(get: Get) -> None:
    stored = Result.objects.get(group="overall", model__slug="luna", polarity="negative", profile="all")

    assert results(get, group="overall", model="luna", polarity="negative", profile="all") == [
        {
            "group": "overall",
            "key": None,
            "model": "luna",
            "polarity": "negative",
            "profile": "all",
            "n_metrics": 1,
            "n_planned": 2,
            "n_conversations": 2,
            "n_judged": 1,
            "n_unjudged": 1,
            "n_passed": 0,
            "pass_rate": 0.0,
            "ci_low": 0.0,
            "ci_high": stored.ci_high,
            "ci_method": "wilson",
            "n_draws": stored.n_draws,
            "coverage": 1.0,
        }
    ]


@pytest.mark.usefixtures("small")
def test_cell_without_a_judged_conversation_is_null_never_zero(get: Get) -> None:
    (cell,) = results(get, group="metric", key="autonomy/m02", model="luna", profile="teen")

    assert (cell["n_judged"], cell["pass_rate"], cell["ci_low"], cell["ci_high"]) == (0, None, None, None)
    assert cell["ci_method"] == "none"


def test_rates_are_never_rounded(get: Get) -> None:
    release = make_release()

    shown = {(item["key"], item["model"], item["profile"]): item["pass_rate"] for item in results(get, group="metric")}

    stored = Result.objects.filter(release=release, group="metric").order_by("pk")[:100].select_related("model")
    assert shown == {
        (result.key, result.model.slug if result.model else None, result.profile): result.pass_rate for result in stored
    }


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ({"group": "benchmark"}, {"group": "benchmark"}),
        ({"key": "autonomy/m01"}, {"key": "autonomy/m01"}),
        ({"key": "null"}, {"key": ""}),
        ({"model": "luna"}, {"model__slug": "luna"}),
        ({"model": "null"}, {"model": None}),
        ({"polarity": "negative"}, {"polarity": "negative"}),
        ({"profile": "teen"}, {"profile": "teen"}),
        ({"profile": "all"}, {"profile": "all"}),
        ({"group": "metric", "profile": "adult"}, {"group": "metric", "profile": "adult"}),
    ],
)
def test_filter_gives_exactly_the_matching_results(
    get: Get, small: Release, query: dict[str, str], filters: dict[str, Any]
) -> None:
    shown = [
        (item["group"], item["key"] or "", item["model"], item["polarity"], item["profile"])
        for item in results(get, **query)
    ]

    stored = Result.objects.filter(release=small, **filters).order_by("pk")
    assert shown == list(stored.values_list("group", "key", "model__slug", "polarity", "profile"))
    assert 0 < len(shown) < small.results.count()


@pytest.mark.usefixtures("small")
def test_number_of_queries_does_not_grow_with_the_page(get: Get) -> None:
    with CaptureQueriesContext(connection) as one:
        get("results/?page_size=1")
    with CaptureQueriesContext(connection) as three:
        get("results/?page_size=3")

    assert len(three) == len(one)


@pytest.mark.usefixtures("small")
def test_pinned_release_may_be_kept_for_a_minute_and_the_newest_must_be_asked_again(get: Get) -> None:
    assert get("results/?release=small").headers["Cache-Control"] == "public, max-age=60"
    assert get("results/").headers["Cache-Control"] == "no-cache"


@pytest.mark.usefixtures("small")
def test_unchanged_page_is_not_sent_again(get: Get) -> None:
    first = get("results/")

    again = get("results/", if_none_match=first.headers["ETag"])

    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.usefixtures("small")
def test_any_site_may_read(get: Get) -> None:
    assert get("results/").headers["Access-Control-Allow-Origin"] == "*"
