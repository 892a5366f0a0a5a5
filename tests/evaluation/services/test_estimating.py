"""Estimates, by equality with numbers added up by hand."""

from pathlib import Path

import pytest

from evaluation.services.estimating import estimate
from evaluation.services.planning import load_plan
from tests.support.plans import make_small_benchmark, planned_model, write_plan

URL = "http://127.0.0.1:9/v1"
pytestmark = pytest.mark.django_db


def test_calls_follow_from_turns_targets_samples_and_repeats(tmp_path: Path) -> None:
    make_small_benchmark()

    found = estimate(load_plan(write_plan(tmp_path, URL, turns=4, samples=3, judge_repeats=2))).as_json()

    # 4 scenarios x 2 targets x 3 samples = 24 conversations of 2 (low) or 4 turns
    assert found["conversations"] == 24
    assert {(line["role"], line["model"]): line["calls"] for line in found["roles"]} == {
        ("user_simulator", "simulator"): {"low": 48, "likely": 96, "high": 96},
        ("target", "target-a"): {"low": 24, "likely": 48, "high": 48},
        ("target", "target-b"): {"low": 24, "likely": 48, "high": 48},
        ("judge", "judge"): {"low": 48, "likely": 48, "high": 48},
    }
    assert found["calls"] == {"low": 144, "likely": 240, "high": 240}


def test_tokens_and_cost_of_a_target(tmp_path: Path) -> None:
    make_small_benchmark()

    found = estimate(load_plan(write_plan(tmp_path, URL)))

    target = found.lines[1]
    # no system message; per conversation of 2 turns: 3 messages of 40 + 8 tokens and one reply of 200 + 8 are read
    assert target.likely.input_tokens == 4 * (3 * 48 + 208)
    assert target.likely.output_tokens == 4 * 2 * 200
    assert found.as_json()["roles"][1]["cost_usd"]["likely"] == pytest.approx((4 * 352 + 1600) / 1_000_000)
    assert target.low.output_tokens < target.likely.output_tokens <= target.high.output_tokens


def test_unknown_price_is_not_free(tmp_path: Path) -> None:
    make_small_benchmark()
    models = [planned_model(slug, URL) for slug in ("simulator", "judge", "target-a")]

    found = estimate(load_plan(write_plan(tmp_path, URL, models=[*models, planned_model("target-b", URL, None)])))

    report = found.as_json()
    assert (report["unknown_prices"], report["cost_usd"]) == (["target-b"], None)
    assert report["known_cost_usd"]["likely"] > 0
    assert report["roles"][2]["cost_usd"] is None
