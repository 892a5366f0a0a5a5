"""What the tests of the API share."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Release
from tests.support.builders import (
    make_conversation,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenarios,
)

Get = Callable[..., Any]


@pytest.fixture
def get(client: Client) -> Get:
    """GET a path under /api/v1/ and give the response."""

    def get(path: str, query: Any = None, **headers: str) -> Any:
        return client.get(f"/api/v1/{path}", query, headers=headers or None)

    return get


@pytest.fixture
def small() -> Release:
    """Release `small`: metrics autonomy/m01 (positive) and m02 (negative), one scenario each for teen and adult.

    The model luna shows both behaviours to adults, m01 alone to teens, where its conversation on m02 is unjudged.
    """
    versions = [make_metric("m01"), make_metric("m02", polarity="negative")]
    luna = make_model("luna")
    run = make_run(versions=versions, targets=[luna])
    for version in versions:
        for scenario in make_scenarios(version):
            is_unjudged = version.polarity == "negative" and scenario.profile.slug == "teen"
            make_judgment(make_conversation(run, scenario, luna), present=None if is_unjudged else True)
    return make_release("small", run=run, resamples=50)
