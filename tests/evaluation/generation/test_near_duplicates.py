"""Near duplicates are told from other texts on pairs that were labelled by hand."""

from evaluation.generation.near_duplicates import NEAR_DUPLICATE, near_duplicates
from tests.evaluation.generation.labelled_pairs import OTHER, SAME

TEXTS = list(dict.fromkeys(text for pair in (*SAME, *OTHER) for text in pair))


def _found(least: float) -> tuple[int, int, int]:
    """Labelled as the same, labelled as others, and unlabelled pairs (no two of which say the same)."""
    pairs = {frozenset((TEXTS[pair.first], TEXTS[pair.second])) for pair in near_duplicates(TEXTS, least=least)}
    same, other = {frozenset(pair) for pair in SAME}, {frozenset(pair) for pair in OTHER}
    return len(pairs & same), len(pairs & other), len(pairs - same - other)


def test_threshold_finds_what_is_the_same_and_nothing_else() -> None:
    assert (len(SAME), len(OTHER)) == (17, 16)
    assert _found(NEAR_DUPLICATE) == (14, 0, 0)


def test_threshold_lies_in_the_gap_of_the_labelled_pairs() -> None:
    assert _found(0.6) == (14, 0, 0)
    assert _found(0.5) == (14, 0, 0)
    assert _found(0.45)[1] == 1


def test_equal_texts_come_first_and_each_pair_once() -> None:
    pairs = near_duplicates([*TEXTS, TEXTS[4]])

    assert (pairs[0].first, pairs[0].second, pairs[0].score) == (4, len(TEXTS), 1.0)
    assert len({(pair.first, pair.second) for pair in pairs}) == len(pairs)
    assert [pair for pair in pairs if pair.first >= pair.second] == []


def test_few_texts_have_no_pair() -> None:
    assert (near_duplicates([]), near_duplicates(["One."])) == ([], [])


def test_only_pairs_of_the_asked_are_found() -> None:
    asked = near_duplicates(TEXTS, of=[0])

    assert asked == [pair for pair in near_duplicates(TEXTS) if 0 in (pair.first, pair.second)]
    assert len(asked) == 1
