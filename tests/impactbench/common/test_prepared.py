"""Prepared rows are what a queryset gives, composed once and planned once."""

from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from django.db.models import F

from evaluation.models import LanguageModel, MetricVersion, Result
from impactbench.common import prepared
from impactbench.common.prepared import Given, PreparedRows
from tests.support.builders import make_metric, make_model

pytestmark = pytest.mark.django_db

METRICS = MetricVersion.objects.values("name", "polarity", "examples_present", slug=F("metric__slug"))
ROWS = PreparedRows(METRICS)
NAMES = PreparedRows(LanguageModel.objects.values("name"))
OF_A_BENCHMARK = PreparedRows(METRICS.filter(metric__benchmark__slug=Given("benchmark")))


@pytest.fixture(autouse=True)
def _some_metrics() -> None:
    for number, polarity in enumerate(("positive", "negative", None, "positive"), 1):
        make_metric(f"m0{number}", polarity=polarity, is_imported_result=polarity is None)


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["slug"].split("/")[1] for row in rows]


@pytest.mark.parametrize(
    ("lookups", "order", "found"),
    [
        ({}, "slug", ["m01", "m02", "m03", "m04"]),
        ({}, "-slug", ["m04", "m03", "m02", "m01"]),
        ({"polarity": "positive"}, "slug", ["m01", "m04"]),
        ({"polarity": None}, "slug", ["m03"]),
        ({"polarity": "positive", "metric__local_id": "m04"}, "slug", ["m04"]),
        ({"metric__local_id__in": ("m02", "m03", "m09")}, "-slug", ["m03", "m02"]),
        ({"slug__gt": "autonomy/m02"}, "slug", ["m03", "m04"]),
        ({"polarity": "'; DROP TABLE x; -- %s %(name)s"}, "slug", []),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, dict) else None,
)
def test_rows_are_those_of_the_queryset(lookups: dict[str, Any], order: str, found: list[str]) -> None:
    rows = ROWS.filter(**lookups).order_by(order)[:]

    assert ids(rows) == found
    assert rows == list(METRICS.filter(**lookups).order_by(order))


def test_rows_are_cut_like_a_list() -> None:
    in_order = ROWS.order_by("slug")

    assert ids(in_order[:2]) == ["m01", "m02"]
    assert ids(in_order[1:3]) == ["m02", "m03"]
    assert in_order.first() == in_order[:1][0]
    assert in_order.filter(polarity="none").first() is None


def test_value_within_the_queryset_comes_with_each_asking() -> None:
    def found(benchmark: str) -> list[dict[str, Any]]:
        return PreparedRows(OF_A_BENCHMARK.queryset, given=(("benchmark", benchmark),))[:]

    assert len(found("autonomy")) == 4
    assert found("other") == []


def test_same_relation_may_be_given_or_missing() -> None:
    model = make_model("luna")
    rows = PreparedRows(Result.objects.values("pk", "model__slug"))

    assert rows.filter(model=model.pk)[:] == rows.filter(model=None)[:] == []


def test_value_that_a_table_keeps_as_json_comes_as_what_it_was() -> None:
    make_metric("m09", examples_present=["So you decide.", "{}"])
    rows = PreparedRows(MetricVersion.objects.values("examples_present"))

    assert rows.filter(metric__local_id="m09").first() == {"examples_present": ["So you decide.", "{}"]}


def test_other_values_need_no_second_composing(django_assert_num_queries: Any) -> None:
    prepared._statement.cache_clear()

    with django_assert_num_queries(3):
        for polarity in ("positive", "negative", "neither"):
            ROWS.filter(polarity=polarity).order_by("slug")[:10]

    assert prepared._statement.cache_info().misses == 1


def test_question_that_comes_again_is_planned_once_by_the_connection() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")
        connection.connection._prepared.clear()
        for slug in ("luna", "sol", "terra"):
            NAMES.filter(slug=slug)[:]
        cursor.execute("SELECT generic_plans + custom_plans FROM pg_prepared_statements")

        # The first was not worth preparing.
        assert cursor.fetchall() == [(2,)]


@pytest.mark.django_db(transaction=True)
def test_question_is_asked_again_where_the_database_has_ended_the_connection() -> None:
    make_model("luna")
    connection.ensure_connection()
    _end_on_the_server(connection.connection.info.backend_pid)

    assert NAMES.filter(slug="luna")[:] == [{"name": "Luna"}]


def test_question_within_a_transaction_is_not_asked_again() -> None:
    _end_on_the_server(connection.connection.info.backend_pid)

    with pytest.raises(OperationalError):
        NAMES.filter(slug="luna")[:]


def _end_on_the_server(pid: int) -> None:
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
