"""`estimate_run`: what a plan will take, in words; an unknown price is no price of nothing."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.support.plans import make_small_benchmark, planned_model, write_plan

pytestmark = pytest.mark.django_db
URL = "http://127.0.0.1:9/v1"


def last_line(plan: Path) -> str:
    out = StringIO()
    call_command("estimate_run", str(plan), stdout=out)
    return out.getvalue().splitlines()[-1]


def test_known_prices_give_a_range(tmp_path: Path) -> None:
    make_small_benchmark()

    line = last_line(write_plan(tmp_path, URL, prices=1000.0))

    assert line.startswith("pilot: 8 conversations, likely $")
    assert line.endswith("; no call was made")
    assert "unknown" not in line


def test_one_unknown_price_is_named_beside_the_rest(tmp_path: Path) -> None:
    make_small_benchmark()
    models = [planned_model(slug, URL, 1.0) for slug in ("simulator", "judge", "target-a")]

    line = last_line(write_plan(tmp_path, URL, models=[*models, planned_model("target-b", URL, None)]))

    assert ", without target-b (price unknown); no call was made" in line


def test_no_known_price_at_all_is_no_cost_of_nothing(tmp_path: Path) -> None:
    make_small_benchmark()

    line = last_line(write_plan(tmp_path, URL, prices=None))

    known = "judge, simulator, target-a, target-b"
    assert line == f"pilot: 8 conversations, cost unknown, as no price of {known} is; no call was made"
