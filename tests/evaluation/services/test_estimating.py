"""Estimates, by equality with numbers added up by hand."""

from pathlib import Path
from typing import Any

import pytest

from evaluation.services import planning
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


def test_lengths_of_earlier_replies_win_over_what_is_assumed(tmp_path: Path) -> None:
    make_small_benchmark()
    run, _ = planning.freeze(planning.load_plan(write_plan(tmp_path, URL, name="earlier")))
    before = _estimate(tmp_path)
    talk = run.conversations.filter(target__slug="target-a")[0]
    run.conversations.filter(pk=talk.pk).update(state="finished")
    for number in range(1, 31):
        usage = {"target": {"calls": 1, "output_tokens": 10}, "simulator": {"calls": 1, "output_tokens": 190}}
        talk.turns.create(number=number, user_message="a", reply="b", usage=usage)

    after = _estimate(tmp_path)

    assert [_written(found, "target", "target-a") for found in (before, after)] == [200 * 8, 10 * 8]
    assert [_written(found, "target", "target-b") for found in (before, after)] == [200 * 8, 200 * 8]
    assert _written(after, "user_simulator", "simulator") == 190 * 16


def _estimate(tmp_path: Path) -> dict[str, Any]:
    return estimate(planning.load_plan(write_plan(tmp_path, URL))).as_json()


def _written(found: dict[str, Any], role: str, model: str) -> int:
    (line,) = [line for line in found["roles"] if (line["role"], line["model"]) == (role, model)]
    return int(line["output_tokens"]["likely"])
