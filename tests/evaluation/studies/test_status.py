"""The status follows from the rules, and says what is missing."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from evaluation.studies.status import (
    Evidence,
    Reason,
    Status,
    StatusRules,
    evidence_from,
    evidence_of,
    merged,
    status_of,
)

ENOUGH = Evidence(
    raters=frozenset("abc"),
    conversations=frozenset("123456789"),
    relevance=(3, 3, 3),
    examples=("yes", "yes", "yes", "not-sure", "no"),
)


def test_enough_evidence_makes_a_metric_expert_reviewed() -> None:
    assert status_of(ENOUGH, StatusRules()) == Status("expert-reviewed", ())


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        (replace(ENOUGH, raters=frozenset("ab")), Reason("raters", 2, 3)),
        (replace(ENOUGH, conversations=frozenset("12345678")), Reason("conversations", 8, 9)),
        (replace(ENOUGH, relevance=(3, 3, 2)), Reason("relevance", 8 / 3, 3)),
        (replace(ENOUGH, relevance=()), Reason("relevance", None, 3)),
        (replace(ENOUGH, examples=("yes", "no")), Reason("examples", 0.5, 0.6)),
        (replace(ENOUGH, examples=()), Reason("examples", None, 0.6)),
    ],
)
def test_what_is_missing_is_said(evidence: Evidence, reason: Reason) -> None:
    assert status_of(evidence, StatusRules()) == Status("machine-judged", (reason,))


def test_nothing_at_all_lacks_everything() -> None:
    assert status_of(Evidence(), StatusRules()).grounds == (
        Reason("raters", 0, 3),
        Reason("conversations", 0, 9),
        Reason("relevance", None, 3),
        Reason("examples", None, 0.6),
    )


def test_open_disputes_and_contested_conversations_come_before_all_else() -> None:
    disputed = replace(ENOUGH, n_disputes=1, n_contested=2)

    assert status_of(disputed, StatusRules()) == Status(
        "disputed", (Reason("disputes", 1, 1), Reason("contested", 2, 1))
    )
    assert status_of(disputed, StatusRules(disputes_to_be_disputed=2, contested_to_be_disputed=0)).status == (
        "expert-reviewed"
    )


def test_evidence_is_read_from_ratings_and_merged_over_studies() -> None:
    items = pd.DataFrame({"item": [1, 2, 3], "metric": ["m", "m", "n"], "conversation": [None, "c1", "c2"]})
    ratings = pd.DataFrame(
        [
            (1, "Rater 1", "metric", "relevance", 4),
            (1, "Rater 1", "metric", "examples", "yes"),
            (2, "Rater 1", "conversation", "outcome", "pass"),
            (2, "Rater 2", "conversation", "outcome", "fail"),
            (3, "Rater 2", "conversation", "outcome", "fail"),
        ],
        columns=["item", "rater", "unit", "question", "value"],
    )

    found = evidence_of(ratings, items, study="s1")

    assert found["m"] == Evidence(
        raters=frozenset({"s1: Rater 1", "s1: Rater 2"}),
        conversations=frozenset({"c1"}),
        relevance=(4,),
        examples=("yes",),
    )
    assert evidence_from(json.loads(json.dumps(found["m"].as_data()))) == found["m"]
    both = merged([found["m"], evidence_of(ratings, items, study="s2")["m"]])
    assert (len(both.raters), len(both.conversations), both.relevance) == (4, 1, (4, 4))
    assert merged([]) == Evidence()


def test_grounds_can_be_read_as_sentences() -> None:
    poor = replace(ENOUGH, relevance=(3, 3, 2), examples=(), raters=frozenset("a"))

    assert status_of(poor, StatusRules()).reasons == (
        "Raters: 1, needed 3.",
        "Mean relevance: 2.67, needed 3.",
        "Share that finds the examples adequate: none, needed 0.6.",
    )
    assert status_of(replace(ENOUGH, n_disputes=2), StatusRules()).reasons == ("Open disputes: 2.",)
