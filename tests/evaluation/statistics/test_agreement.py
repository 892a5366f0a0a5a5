"""Coefficients of agreement against independent implementations, and at their edges."""

import krippendorff
import numpy as np
import pandas as pd
import pytest
from statsmodels.stats import inter_rater

from evaluation.statistics.agreement import (
    NOMINAL,
    ORDINAL,
    Coefficient,
    against_majority,
    cohens_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_agreement,
    strict_majority,
    unanimity,
    with_interval,
)

# K. Krippendorff, Content Analysis, 2nd edition (2004), section 11.3.4, p. 230: four observers, twelve units.
CANON = pd.DataFrame(
    [
        [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
        [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None],
    ],
    dtype=object,
)  # fmt: skip


def random_ratings(seed: int, *, items: int = 40, raters: int = 4, categories: int = 4, missing: float = 0.0):
    words = np.random.default_rng(seed)
    truth = words.integers(1, categories + 1, items)
    noisy = words.integers(1, categories + 1, (items, raters))
    kept = words.random((items, raters)) < 0.6
    table = np.where(kept, truth[:, None], noisy).astype(object)
    table[words.random((items, raters)) < missing] = None
    return pd.DataFrame(table)


@pytest.mark.parametrize(("level", "published"), [(NOMINAL, 0.743), (ORDINAL, 0.815)])
def test_krippendorff_alpha_of_the_textbook_table_is_the_published_value(level, published):
    found = krippendorff_alpha(CANON, level=level).value

    assert found is not None
    assert round(found, 3) == published


@pytest.mark.parametrize("level", [NOMINAL, ORDINAL])
@pytest.mark.parametrize("seed", range(5))
def test_krippendorff_alpha_equals_the_library_with_missing_ratings(level, seed):
    ratings = random_ratings(seed, missing=0.3)
    table = ratings.astype(float).T.to_numpy()

    expected = krippendorff.alpha(reliability_data=table, level_of_measurement=level)

    assert krippendorff_alpha(ratings, level=level).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_fleiss_kappa_equals_statsmodels(seed):
    ratings = random_ratings(seed, raters=3)
    counts, _ = inter_rater.aggregate_raters(ratings.astype(int).to_numpy())

    assert fleiss_kappa(ratings).value == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)


@pytest.mark.parametrize(("weights", "named"), [(NOMINAL, None), (ORDINAL, "quadratic")])
@pytest.mark.parametrize("seed", range(5))
def test_cohens_kappa_equals_statsmodels(weights, named, seed):
    ratings = random_ratings(seed, raters=2).astype(int)
    table = pd.crosstab(ratings[0], ratings[1]).reindex(index=range(1, 5), columns=range(1, 5), fill_value=0)

    expected = inter_rater.cohens_kappa(table.to_numpy(), wt=named, return_results=False)

    assert cohens_kappa(list(ratings[0]), list(ratings[1]), weights=weights).value == pytest.approx(expected, abs=1e-12)


def test_pairwise_agreement_and_unanimity_of_three_repeats_by_hand():
    ratings = pd.DataFrame([[True, True, True], [True, True, False], [False, None, False], [True, None, None]])

    assert pairwise_agreement(ratings) == Coefficient((1 + 1 / 3 + 1) / 3, 3)
    assert unanimity(ratings) == Coefficient(2 / 3, 3)


@pytest.mark.parametrize("coefficient", [pairwise_agreement, unanimity, fleiss_kappa, krippendorff_alpha])
def test_coefficients_of_one_rater_are_undefined_with_a_reason(coefficient):
    found = coefficient(pd.DataFrame([[True], [False]]))

    assert found.value is None
    assert found.reason.startswith("no item has")


@pytest.mark.parametrize("coefficient", [fleiss_kappa, krippendorff_alpha])
def test_chance_corrected_coefficients_without_variance_are_undefined(coefficient):
    assert coefficient(pd.DataFrame([[True, True], [True, True]])) == Coefficient(
        None, 2, "all ratings are one category"
    )


def test_cohens_kappa_without_variance_is_undefined():
    assert cohens_kappa([1, 1], [1, 1]) == Coefficient(None, 2, "both raters used one and the same category")


def test_cohens_kappa_leaves_out_items_that_one_rater_missed():
    assert cohens_kappa([1, 0, None, 1], [1, 0, 1, None]) == Coefficient(1.0, 2)


def test_cohens_kappa_of_lists_of_different_lengths_is_refused():
    with pytest.raises(ValueError, match="1 and 2 items"):
        cohens_kappa([1], [1, 2])


@pytest.mark.parametrize(
    ("row", "winner"),
    [
        ([True, True, False], True),
        ([True, False], None),
        ([True, True, "borderline", "borderline"], None),
        (["borderline", "borderline", True], None),
        ([False, None, None], False),
        ([None], None),
    ],
)
def test_strict_majority_needs_more_than_half_of_all_ratings(row, winner):
    assert strict_majority(row) is winner


def test_against_majority_counts_what_it_leaves_out():
    judge = [True, True, False, False, None, True]
    humans = pd.DataFrame([[True, True], [False, False], [False, False], [True, True], [True, True], [True, False]])

    found = against_majority(judge, humans)

    assert (found.n_items, found.n_left_out) == (4, 2)
    assert (found.agreement, found.sensitivity, found.specificity) == (0.5, 0.5, 0.5)
    assert (found.n_present, found.n_absent) == (2, 2)
    assert found.kappa == Coefficient(0.0, 4)


def test_against_majority_without_any_absent_item_has_no_specificity():
    found = against_majority([True], pd.DataFrame([[True, True]]))

    assert (found.sensitivity, found.specificity) == (1.0, None)


def test_with_interval_holds_the_value_and_repeats_bit_for_bit():
    ratings = random_ratings(3)

    found = with_interval(ratings, krippendorff_alpha, resamples=300, seed=1)

    assert found == with_interval(ratings, krippendorff_alpha, resamples=300, seed=1)
    assert found.value == krippendorff_alpha(ratings).value
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high
    assert found.n_draws == 300


def test_with_interval_of_one_cluster_has_no_interval():
    found = with_interval(random_ratings(3), pairwise_agreement, resamples=50, clusters=["a"] * 40)

    assert (found.low, found.high) == (None, None)
