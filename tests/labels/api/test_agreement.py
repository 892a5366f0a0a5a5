"""`agreement/`, and how a conversation's verdict follows from several judges."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from evaluation.models import Judgment, Release
from evaluation.services.verification import verify
from tests.labels.api.conftest import Get
from tests.support.builders import (
    make_conversation,
    make_judge,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenario,
)

pytestmark = pytest.mark.django_db

# By metric, one conversation with an adult: what each judge says of it; y present, n absent, u unjudged.
THREE = {"m01": ["yyy", "nnn", "yyn"], "m02": ["yyu", "yny", "nnn"], "m03": ["ynu", "uuu"]}

KNOWN = "cursor, fields, judge, kind, page_size, polarity, profile, release"


def judged(marks: Mapping[str, Sequence[str]], *, slug: str = "r", polarity: str = "positive") -> Release:
    """A release of luna's conversations as the judges first, second and third read them."""
    target, n_judges = make_model("luna"), max(len(item) for items in marks.values() for item in items)
    judges = [make_judge(name) for name in ("first", "second", "third")[:n_judges]]
    versions = {name: make_metric(name, polarity=polarity) for name in marks}
    run = make_run(versions=list(versions.values()), targets=[target], judges=judges)
    for name, items in marks.items():
        scenario = make_scenario(versions[name])
        for sample, item in enumerate(items, start=1):
            talk = make_conversation(run, scenario, target, sample=sample, public_id=f"{name}-{sample}")
            for judge, mark in zip(judges, item, strict=True):
                make_judgment(talk, judge=judge, present={"y": True, "n": False}.get(mark))
    return make_release(slug, run=run, resamples=50)


def items(get: Get, path: str, **query: str) -> Any:
    return get(path, {"page_size": "1000", **query}).json()["results"]


def outcomes(get: Get) -> dict[str, tuple[bool | None, str]]:
    return {item["id"]: (item["passed"], item["reason"]) for item in items(get, "conversations/")}


def test_item_has_exactly_its_members(get: Get) -> None:
    judged(THREE)

    (found,) = items(get, "agreement/", kind="pair", judge="third", polarity="positive", profile="all")[:1]

    assert {**found, "ci_low": 0, "ci_high": 0, "agreement_ci_low": 0, "agreement_ci_high": 0, "n_draws": 0} == {
        "kind": "pair",
        "judge_a": "first",
        "judge_b": "third",
        "polarity": "positive",
        "profile": "all",
        "n": 5,
        "n_metrics": 2,
        "agreement": 0.8,
        "agreement_ci_low": 0,
        "agreement_ci_high": 0,
        "coefficient": pytest.approx(1 - 0.2 / 0.52),
        "coefficient_name": "cohen-kappa",
        "ci_low": 0,
        "ci_high": 0,
        "ci_method": "metric-cluster-bootstrap",
        "n_draws": 0,
        "reason": "",
    }
    assert 0 <= found["agreement_ci_low"] <= 0.8 <= found["agreement_ci_high"] <= 1
    assert found["ci_low"] <= found["coefficient"] <= found["ci_high"]


def test_panel_of_three_has_its_pairs_and_each_judge_beside_the_others(get: Get) -> None:
    judged(THREE)

    found = items(get, "agreement/", profile="all")

    assert [(item["kind"], item["judge_a"], item["judge_b"], item["n"]) for item in found] == [
        ("pair", "first", "second", 7),
        ("pair", "first", "third", 5),
        ("pair", "second", "third", 5),
        ("panel", None, None, 7),
        ("judge-against-majority", "first", None, 5),
        ("judge-against-majority", "second", None, 6),
        ("judge-against-majority", "third", None, 4),
    ]


@pytest.mark.parametrize(("polarity", "passes"), [("positive", True), ("negative", False)])
def test_three_judges_give_the_majority_and_a_tie_is_unjudged(get: Get, polarity: str, passes: bool) -> None:
    judged(THREE, polarity=polarity)

    assert outcomes(get) == {
        "m01-1": (passes, "turn-limit"),
        "m01-2": (not passes, "turn-limit"),
        "m01-3": (passes, "turn-limit"),
        "m02-1": (passes, "turn-limit"),
        "m02-2": (passes, "turn-limit"),
        "m02-3": (not passes, "turn-limit"),
        "m03-1": (None, "split"),
        "m03-2": (None, "judge-unreadable"),
    }
    assert len(items(get, "judgments/")) == 24


def test_two_judges_must_be_of_one_mind(get: Get) -> None:
    judged({"m01": ["yy", "yn", "nn"], "m02": ["uy", "un"]})

    assert outcomes(get) == {
        "m01-1": (True, "turn-limit"),
        "m01-2": (None, "split"),
        "m01-3": (False, "turn-limit"),
        "m02-1": (True, "turn-limit"),
        "m02-2": (False, "turn-limit"),
    }
    (result,) = items(get, "results/", group="overall", model="luna", profile="all")
    assert (result["n_conversations"], result["n_judged"], result["n_unjudged"]) == (5, 4, 1)


def test_one_judge_says_why_there_is_nothing(get: Get) -> None:
    make_release("r", resamples=50)

    found = items(get, "agreement/", profile="all")

    assert [(item["polarity"], item["n"], item["agreement"], item["reason"]) for item in found] == [
        ("positive", 0, None, "only one judge"),
        ("negative", 0, None, "only one judge"),
    ]


def test_nothing_is_published_yet(get: Get) -> None:
    assert get("agreement/").json() == {"next": None, "previous": None, "results": []}


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ({"judge": "nobody"}, "Release r compares no judge 'nobody'; known ones: first, second, third."),
        ({"profile": "child"}, "Release r has no profile 'child'; known ones: adult."),
        ({"kind": "repeat"}, "The parameter kind must be one of pair, panel, judge-against-majority, not 'repeat'."),
        (
            {"model": "luna"},
            f"The parameter 'model' is not known here; known ones: {KNOWN}.",
        ),
    ],
)
def test_unknown_filter_or_value_is_a_problem(get: Get, query: dict[str, str], detail: str) -> None:
    judged(THREE)

    answer = get("agreement/", query)

    assert (answer.status_code, answer.json()["detail"]) == (400, detail)


def test_judgment_made_later_changes_nothing_in_an_older_release(get: Get) -> None:
    release = judged({"m01": ["yy", "yn", "nn"], "m02": ["ny", "nn"]})
    before = {path: items(get, path, release="r") for path in ("agreement/", "judgments/", "conversations/")}
    for first in Judgment.objects.filter(judge__slug="first"):
        make_judgment(first.conversation, judge=make_judge("third"), present=True)

    make_release("later", run=release.runs.get(), resamples=50, allow_mixed=True)

    assert {path: items(get, path, release="r") for path in before} == before
    assert (verify("r"), verify("later")) == ([], [])
    assert len(items(get, "judgments/", release="later")) == len(before["judgments/"]) + 5
    assert {item["judge_b"] for item in items(get, "agreement/", release="later", kind="pair")} == {"second", "third"}


def test_queries_do_not_grow_and_the_second_reading_computes_nothing(
    get: Get, django_assert_max_num_queries: Any
) -> None:
    judged(THREE)

    get("agreement/")

    with django_assert_max_num_queries(2):
        get("agreement/", {"kind": "pair"})
