"""What a label says of its groups of people: only what the corrected comparisons carry."""

from typing import Any

import pytest
from django.test import Client

from evaluation.models import Comparison, LanguageModel, Profile, Release, Result
from labels.between_profiles import (
    Gap,
    PairOfProfiles,
    between_profiles,
    read_between_profiles,
    sentences,
    words_at,
)
from labels.differences import Differences
from tests.support.builders import make_release

TEEN, ADULT, OLD = (Profile(pk=pk, slug=slug, name=slug.title()) for pk, slug in enumerate(("teen", "adult", "old")))
ROW, OTHER = ("label-row", "learning", "positive"), ("label-row", "choices", "negative")
THIRD = ("label-row", "choices", "positive")
WHOLE = ("overall", "", "negative")


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], ["Whether the groups differ by more than chance was not compared."]),
        ([PairOfProfiles(TEEN, ADULT, 0)], ["No row has enough chats to compare Teen with Adult."]),
        (
            [PairOfProfiles(TEEN, ADULT, 1)],
            ["The one row with enough chats does not differ between Teen and Adult by more than chance."],
        ),
        (
            [PairOfProfiles(TEEN, ADULT, 7)],
            ["None of the 7 rows with enough chats differs between Teen and Adult by more than chance."],
        ),
        (
            [PairOfProfiles(TEEN, ADULT, 7, {WHOLE: Gap(ADULT, TEEN), ROW: Gap(TEEN, ADULT)})],
            ["Avoids harm: lower for Adult than for Teen.", "Of 7 rows with enough chats: lower for Teen on 1 row."],
        ),
        (
            [PairOfProfiles(TEEN, ADULT, 7, {ROW: Gap(TEEN, ADULT), OTHER: Gap(TEEN, ADULT), THIRD: Gap(ADULT, TEEN)})],
            ["Of 7 rows with enough chats: lower for Teen on 2 rows and lower for Adult on 1 row."],
        ),
    ],
)  # fmt: skip
def test_sentences_by_what_was_found(pairs: list[PairOfProfiles], expected: list[str]) -> None:
    assert sentences(pairs) == expected


def test_words_name_the_lower_group_and_with_more_than_two_also_the_higher() -> None:
    pairs = [
        PairOfProfiles(TEEN, ADULT, 7, {ROW: Gap(TEEN, ADULT)}),
        PairOfProfiles(TEEN, OLD, 7, {ROW: Gap(TEEN, OLD)}),
    ]

    assert words_at(pairs[:1], ROW, n_profiles=2) == "lower for Teen"
    assert words_at(pairs, ROW, n_profiles=3) == "lower for Teen than for Adult; lower for Teen than for Old"
    assert words_at(pairs, OTHER, n_profiles=2) == ""


def row_results(n_judged: int = 60) -> dict[tuple[str, str, str, str], Result]:
    """One row in both profiles, with enough data unless it is told otherwise."""
    return {
        (*ROW, profile): Result(
            group="label-row", key="learning", polarity="positive", profile=profile, n_metrics=10, n_judged=n_judged,
            n_passed=30, pass_rate=0.5, coverage=1.0,
        )
        for profile in ("teen", "adult")
    }  # fmt: skip


def compared(**changes: Any) -> Differences:
    fields = {
        "kind": "profile", "group": "label-row", "key": "learning", "polarity": "positive", "a": "teen", "b": "adult",
        "difference": -0.2, "ci_low": -0.3, "ci_high": -0.1, "n_metrics": 10, "distinguishable": True,
        "distinguishable_adjusted": True, **changes,
    }  # fmt: skip
    return Differences(Release(content_version=2), [Comparison(**fields)])


@pytest.mark.parametrize(
    ("changes", "n_judged", "n_rows", "gaps"),
    [
        ({}, 60, 1, {ROW: Gap(TEEN, ADULT)}),
        ({"difference": 0.2, "ci_low": 0.1, "ci_high": 0.3}, 60, 1, {ROW: Gap(ADULT, TEEN)}),
        ({"a": "adult", "b": "teen"}, 60, 1, {ROW: Gap(ADULT, TEEN)}),
        ({"distinguishable_adjusted": False}, 60, 1, {}),
        ({"distinguishable_adjusted": None}, 60, 0, {}),
        ({}, 29, 0, {}),
    ],
)
def test_only_the_corrected_comparison_of_enough_chats_tells_groups_apart(
    changes: dict[str, Any], n_judged: int, n_rows: int, gaps: dict[Any, Gap]
) -> None:
    found = between_profiles(compared(**changes), row_results(n_judged), [TEEN, ADULT])

    assert found == [PairOfProfiles(TEEN, ADULT, n_rows, gaps)]


def test_release_without_comparisons_compares_nothing() -> None:
    assert between_profiles(Differences(Release(content_version=1), []), row_results(), [TEEN, ADULT]) == []


@pytest.mark.django_db
def test_label_says_in_words_what_its_groups_carry(client: Client) -> None:
    release = make_release()
    model = LanguageModel.objects.get(slug="luna")
    one_profile = list(release.profiles.all())[:1]

    page = client.get("/labels/luna/").content.decode()

    assert "<b>By age.</b> No row has enough chats to compare Teens 13–17 with Adults 18+." in page
    assert read_between_profiles(release, model, {}, one_profile) == []
