"""Which metrics need work."""

import pandas as pd
import pytest

from evaluation.statistics.metric_quality import MetricQuality, metric_quality


def outcomes(metric: str, passed: dict[tuple[str, str], list[int]]) -> list[dict[str, object]]:
    """Rows of one metric: (model, scenario) to its outcomes."""
    return [
        {
            "benchmark": "b",
            "polarity": "positive",
            "metric": metric,
            "model": model,
            "scenario": scenario,
            "passed": bool(p),
        }
        for (model, scenario), values in passed.items()
        for p in values
    ]


def level(rates: dict[str, int], n: int = 10) -> dict[tuple[str, str], list[int]]:
    return {(model, "s1"): [1] * k + [0] * (n - k) for model, k in rates.items()}


def test_metric_quality_flags_what_needs_work_and_leaves_the_rest_alone():
    table = pd.DataFrame(
        outcomes("fine", level({"x": 2, "y": 5, "z": 8}))
        + outcomes("also-fine", level({"x": 3, "y": 5, "z": 9}))
        + outcomes("upside-down", level({"x": 8, "y": 5, "z": 3}))
        + outcomes("all", level({"x": 10, "y": 10, "z": 10}))
        + outcomes("none", level({"x": 0, "y": 0, "z": 0}))
    )

    found = {quality.metric: quality.flags for quality in metric_quality(table)}

    assert found == {
        "all": ("no-variance", "all-passed"),
        "also-fine": (),
        "fine": (),
        "none": ("no-variance", "all-failed"),
        "upside-down": ("against-the-rest",),
    }


def test_metric_quality_of_scenarios_that_go_apart():
    table = pd.DataFrame(outcomes("m", {("x", "s1"): [1] * 20, ("x", "s2"): [0] * 20}))

    (found,) = metric_quality(table)

    assert found.flags == ("scenarios-differ",)
    assert found.scenario_p is not None
    assert found.scenario_p < 1e-8


def test_metric_quality_of_a_lone_metric_has_no_item_rest_correlation():
    (found,) = metric_quality(pd.DataFrame(outcomes("m", level({"x": 1, "y": 2, "z": 3}))))

    assert found == MetricQuality("m", 30, 6, None, None, ())


def test_item_rest_correlation_leaves_the_metric_itself_out_of_the_rest():
    table = pd.DataFrame(
        outcomes("a", level({"x": 0, "y": 5, "z": 10})) + outcomes("b", level({"x": 1, "y": 2, "z": 3}))
    )

    assert [quality.item_rest for quality in metric_quality(table)] == pytest.approx([1.0, 1.0])
