"""`comparisons/` and `sensitivity/`: what the contract names, and strict filters."""

from typing import Any

import pytest

from evaluation.models import Comparison, Release, Sensitivity
from tests.labels.api.conftest import Get
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db


def items(get: Get, path: str, **query: str) -> Any:
    return get(path, {"page_size": "1000", **query}).json()["results"]


@pytest.fixture
def release() -> Release:
    return make_release("r", resamples=200)


@pytest.mark.usefixtures("release")
def test_comparison_has_exactly_the_contract_members(get: Get) -> None:
    stored = Comparison.objects.get(
        kind="model", group="overall", polarity="positive", profile="all", a="luna", b="sol"
    )

    found = items(get, "comparisons/", kind="model", group="overall", polarity="positive", profile="all", model="sol")

    assert [item for item in found if item["a"] == "luna"] == [
        {
            "kind": "model",
            "group": "overall",
            "key": None,
            "polarity": "positive",
            "profile": "all",
            "model": None,
            "a": "luna",
            "b": "sol",
            "difference": stored.difference,
            "ci_low": stored.ci_low,
            "ci_high": stored.ci_high,
            "n_metrics": stored.n_metrics,
            "distinguishable": stored.distinguishable,
            "distinguishable_adjusted": stored.distinguishable_adjusted,
        }
    ]


@pytest.mark.usefixtures("release")
@pytest.mark.parametrize("kind", ["model", "profile", "polarity"])
def test_comparisons_of_a_kind_are_all_of_that_kind_and_complete(get: Get, kind: str) -> None:
    assert len(items(get, "comparisons/", kind=kind)) == Comparison.objects.filter(kind=kind).count() > 0


@pytest.mark.usefixtures("release")
@pytest.mark.parametrize(
    "query",
    [{"kind": "metric"}, {"group": "metric"}, {"key": "nowhere"}, {"model": "nobody"}, {"profile": "none"}, {"x": "1"}],
)
def test_comparisons_with_an_unknown_filter_or_value_are_a_problem(get: Get, query: dict[str, str]) -> None:
    answer = get("comparisons/", query)

    errors = [error["parameter"] for error in answer.json()["errors"]]
    assert (answer.status_code, errors) == (400, list(query))


@pytest.mark.usefixtures("release")
def test_sensitivity_has_exactly_the_contract_members(get: Get) -> None:
    stored = Sensitivity.objects.get(kind="equal-benchmark", polarity="positive", model__slug="luna")

    (found,) = items(get, "sensitivity/", kind="equal-benchmark", polarity="positive", model="luna")

    assert found == {
        "kind": "equal-benchmark",
        "model": "luna",
        "benchmark": None,
        "polarity": "positive",
        "across": None,
        "profile_a": None,
        "profile_b": None,
        "value": stored.value,
        "n": stored.n,
        "reason": "",
    }


@pytest.mark.usefixtures("release")
def test_sensitivity_that_is_undefined_is_null_and_says_why(get: Get) -> None:
    undefined = [item for item in items(get, "sensitivity/") if item["value"] is None]

    assert len(undefined) == Sensitivity.objects.filter(value=None).count() > 0
    assert [item for item in undefined if not item["reason"]] == []
