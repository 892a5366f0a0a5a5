"""What a suite covers and what it lacks."""

from typing import Any

import pytest

from evaluation.selectors.suite_coverage import coverage_of
from evaluation.services.suites import make_suite
from impactbench.common.errors import UnusableInput
from tests.support.builders import make_benchmark, make_metric, make_scenario, make_scenarios

pytestmark = pytest.mark.django_db


def _three(local_id: str, **fields: Any) -> None:
    version = make_metric(local_id, interpretive_clause="It counts.", **fields)
    for number in (1, 2, 3):
        make_scenarios(version, number=number)


def test_suite_of_a_benchmark_takes_what_can_be_run() -> None:
    _three("m01")
    make_metric("m02")
    make_scenarios(make_metric("m03", is_runnable=False))

    suite, is_new = make_suite(slug="all", benchmarks=["autonomy"], title="All of it")

    assert (str(suite), is_new, suite.title, suite.metric_versions.count(), suite.scenarios.count()) == (
        "all@1", True, "All of it", 1, 6,
    )  # fmt: skip
    assert make_suite(slug="all", benchmarks=["autonomy"]) == (suite, False)


def test_coverage_counts_each_subarea_and_polarity(django_assert_num_queries: Any) -> None:
    _three("m01", subareas=["agency-purpose", "cognition-judgment"])
    _three("m02", subareas=["agency-purpose"], polarity="negative")
    suite, _ = make_suite(slug="two", benchmarks=["autonomy"])

    with django_assert_num_queries(5):
        covered = coverage_of(suite)

    assert (covered.n_metrics, covered.n_positive, covered.n_negative, covered.n_benchmarks) == (2, 1, 1, 1)
    assert covered.by_profile == {"adult": 6, "teen": 6}
    assert {s.slug: (s.n_positive, s.n_negative) for s in covered.subareas if s.n_metrics} == {
        "agency-purpose": (1, 1),
        "cognition-judgment": (1, 0),
    }
    assert [(lack.code, lack.count) for lack in covered.lacks] == [("no-metric", 12), ("uneven-polarity", 1)]


def test_coverage_tells_what_is_missing() -> None:
    bare = make_metric("m01", subareas=[])
    make_scenario(bare, profile="teen", anchors=[])
    make_scenarios(bare, number=2)
    suite, _ = make_suite(slug="bare", benchmarks=["autonomy"])

    lacks = {lack.code: lack.examples for lack in coverage_of(suite).lacks if lack.code != "no-metric"}

    assert lacks == {
        "not-placed": ("autonomy/m01 v1",),
        "no-clause": ("autonomy/m01 v1",),
        "few-scenarios": ("autonomy/m01 v1 (2)",),
        "missing-profile": ("autonomy/m01 v1 scenario 1 (no adult)",),
        "no-anchors": ("autonomy/m01 v1 scenario 1 for teen",),
    }


@pytest.mark.parametrize(
    ("benchmarks", "says"),
    [
        ([], "name at least one run or benchmark"),
        (["nowhere"], "there is no benchmark nowhere"),
        (["bare"], "no runnable metric of bare has a scenario yet"),
    ],
)
def test_suite_of_nothing_is_refused(benchmarks: list[str], says: str) -> None:
    make_benchmark("bare")

    with pytest.raises(UnusableInput) as refused:
        make_suite(slug="suite", benchmarks=benchmarks)

    assert str(refused.value) == says
