"""What may be said of a pair: the truth table of the words, and the places of several models."""

from typing import Any

import pytest

from evaluation.models import Comparison, LanguageModel, Release, Result
from labels.differences import (
    MINUS,
    Difference,
    Differences,
    Said,
    decide,
    model_differences,
    places_among,
    profile_differences,
    signed,
)
from tests.support.builders import make_release

NAMES = ("Luna", "Terra")


def result(model: int = 1, **fields: Any) -> Result:
    """A result with enough data."""
    values = {
        "group": "area", "key": "mind", "polarity": "positive", "profile": "all", "model_id": model, "n_metrics": 10,
        "n_judged": 60, "n_conversations": 60, "n_planned": 60, "n_passed": 30, "pass_rate": 0.5, "coverage": 1.0,
        "ci_low": 0.4, "ci_high": 0.6, **fields,
    }  # fmt: skip
    return Result(**values)


def compared(a: str = "luna", b: str = "terra", **fields: Any) -> Comparison:
    """A comparison that tells luna to be higher."""
    values = {
        "kind": "model", "group": "area", "key": "mind", "polarity": "positive", "profile": "all", "a": a, "b": b,
        "difference": 0.2, "ci_low": 0.1, "ci_high": 0.3, "n_metrics": 10,
        "distinguishable": True, "distinguishable_adjusted": True, **fields,
    }  # fmt: skip
    return Comparison(**values)


def model(pk: int, slug: str) -> LanguageModel:
    return LanguageModel(pk=pk, slug=slug, name=slug.title())


@pytest.mark.parametrize(
    ("found", "words", "why"),
    [
        (compared(), "Luna higher than Terra", ""),
        (compared(difference=-0.2, ci_low=-0.3, ci_high=-0.1), "Terra higher than Luna", ""),
        (compared(polarity="negative"), "Luna higher than Terra", ""),
        # Told apart alone, not after the correction: pages speak from the corrected one.
        (compared(distinguishable_adjusted=False), "Can’t tell apart", ""),
        (compared(distinguishable=False, distinguishable_adjusted=False, ci_low=-0.1), "Can’t tell apart", ""),
        (
            compared(ci_low=None, ci_high=None, distinguishable=None, distinguishable_adjusted=None),
            "Not enough data",
            "no range for the difference",
        ),
        (compared(n_metrics=5), "Not enough data", "only 5 shared metrics"),
        (compared(n_metrics=6), "Luna higher than Terra", ""),
        (None, "Not enough data", "no metric judged for both"),
    ],
)
def test_words_follow_the_corrected_decision(found: Comparison | None, words: str, why: str) -> None:
    said = decide(found, result(), result(2))

    assert (said.words(*NAMES), said.why) == (words, why)


@pytest.mark.parametrize(
    ("side", "why"),
    [
        (None, "no verdicts"),
        (result(n_judged=0, pass_rate=None, coverage=0.0), "no verdicts"),
        (result(coverage=0.79), "tested on part of the metrics"),
        (result(n_metrics=2), "too few metrics"),
        (result(n_judged=5), "few chats"),
        (result(n_judged=29), "few chats"),
        (result(coverage=0.8, n_judged=30, n_metrics=6), ""),
    ],
)
def test_nothing_is_said_where_either_side_has_too_little(side: Result | None, why: str) -> None:
    expected = ("Not enough data", why) if why else ("Luna higher than Terra", "")

    for a, b in ((side, result(2)), (result(2), side)):
        said = decide(compared(), a, b)
        assert (said.words(*NAMES), said.why) == expected


def test_release_without_comparisons_and_single_metrics_are_not_compared() -> None:
    luna, terra = model(1, "luna"), model(2, "terra")
    older = Differences(Release(content_version=1), [])
    newer = Differences(Release(content_version=2), [])
    of_metric: dict[str, Any] = {"group": "metric", "n_metrics": 3}

    assert older.of_models(luna, terra, result(), result(2)).words(*NAMES) == "Not compared in this release"
    assert newer.of_models(luna, terra, result(**of_metric), result(2, **of_metric)).said is Said.NOT_COMPARED


def test_a_pair_is_found_in_whatever_order_the_release_kept_it() -> None:
    luna, terra = model(1, "luna"), model(2, "terra")
    kept = Differences(Release(content_version=2), [compared()])

    one = kept.of_models(luna, terra, result(), result(2))
    other = kept.of_models(terra, luna, result(2), result())

    assert one == Difference(Said.HIGHER, 0.2, 0.1, 0.3, 10)
    assert other == Difference(Said.LOWER, -0.2, -0.3, -0.1, 10)
    assert (one.points, other.points) == (
        "+20 points (unadjusted range +10 to +30), 10 shared metrics",
        f"{MINUS}20 points (unadjusted range {MINUS}30 to {MINUS}10), 10 shared metrics",
    )  # fmt: skip


def test_kinds_and_profiles_are_never_mixed() -> None:
    luna, terra = model(1, "luna"), model(2, "terra")
    kept = Differences(Release(content_version=2), [compared()])

    others: list[dict[str, Any]] = [
        {"polarity": "negative"},
        {"profile": "teen"},
        {"key": "body"},
        {"group": "subarea"},
    ]
    for other in others:
        said = kept.of_models(luna, terra, result(**other), result(2, **other))
        assert (said.said, said.why) == (Said.NOT_ENOUGH, "no metric judged for both"), other


def test_places_follow_what_can_be_told_apart() -> None:
    models = [model(1, "luna"), model(2, "terra"), model(3, "sol"), model(4, "vega")]
    results = [result(1, pass_rate=0.9), result(2, pass_rate=0.8), result(3, pass_rate=0.4), result(4, coverage=0.5)]
    tied: dict[str, Any] = {
        "difference": 0.1,
        "ci_low": -0.1,
        "distinguishable": False,
        "distinguishable_adjusted": False,
    }
    kept = Differences(
        Release(content_version=2), [compared(**tied), compared("luna", "sol"), compared("terra", "sol", **tied)]
    )

    places = places_among(kept, list(zip(models, results, strict=True)))

    assert [(place.model.slug, place.tie_group, place.ranks, place.why) for place in places] == [
        ("luna", 1, "1–2", ""),
        ("terra", 1, "1–3", ""),
        ("sol", 2, "2–3", ""),
        ("vega", None, "", "tested on part of the metrics"),
    ]


def test_nobody_has_a_place_without_comparisons_or_alone() -> None:
    sides = [(model(1, "luna"), result(1)), (model(2, "terra"), result(2, n_judged=0, coverage=0.0))]
    two = [sides[0], (model(2, "terra"), result(2))]

    alone = places_among(Differences(Release(content_version=2), []), sides)
    older = places_among(Differences(Release(content_version=1), []), two)

    assert [(place.tie_group, place.ranks, place.why) for place in alone] == [(None, "", ""), (None, "", "no verdicts")]
    assert [(place.tie_group, place.ranks) for place in older] == [(None, ""), (None, "")]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.064, "+6"), (-0.065, f"{MINUS}7"), (0.001, "+0"), (-0.001, f"{MINUS}0"), (0.0, "0"), (None, "")],
)
def test_differences_keep_their_sign(value: float | None, text: str) -> None:
    assert signed(value) == text


@pytest.mark.django_db
def test_differences_of_a_release_are_one_query_each(django_assert_num_queries: Any) -> None:
    release = make_release()
    models = list(release.targets.all())

    with django_assert_num_queries(1):
        model_differences(release, models, ["overall", "label-row"])
    with django_assert_num_queries(1):
        profile_differences(release, models, ["overall"], keys=[""])
