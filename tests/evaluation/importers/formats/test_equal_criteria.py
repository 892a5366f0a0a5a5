"""Joining criteria that say the same: one metric, all its places and scenarios."""

from dataclasses import replace

from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal, ScenarioDraft
from evaluation.importers.formats.equal_criteria import join_equal

FIRST = MetricDraft(
    "a",
    "Names a price",
    "Names a price.",
    Proposal("positive", "listed"),
    Origin("Names a price.", "line 3"),
    examples_present=("one",),
    citations=("X",),
    weight=2,
    labels={"prompt": "p1"},
    flags=("f",),
)
SECOND = replace(
    FIRST,
    key="b",
    definition="names a price",
    origin=Origin("names a price", "line 9"),
    examples_present=("two",),
    citations=("X", "Y"),
    labels={"prompt": "p2", "axis": "tone"},
)


def scenario(*keys: str) -> ScenarioDraft:
    return ScenarioDraft("s", keys, Origin("Hello", "line 1"))


def test_trap_19_equal_criteria_are_one_metric_with_all_places_and_scenarios():
    metrics, scenarios = join_equal([FIRST, SECOND], [scenario("a"), scenario("b", "a")])

    assert metrics == (
        replace(
            FIRST,
            examples_present=("one", "two"),
            citations=("X", "Y"),
            labels={"prompt": "p1", "axis": "tone", "occurrences": "2", "also at": "line 9"},
        ),
    )
    assert scenarios == (scenario("a"), scenario("a"))


def test_equal_words_of_another_polarity_stay_apart():
    other = replace(SECOND, proposal=Proposal("negative", "listed"))

    assert join_equal([FIRST, other], [scenario("b")]) == ((FIRST, other), (scenario("b"),))


def test_weights_that_differ_are_flagged_and_the_first_is_kept():
    ((joined,), _) = join_equal([FIRST, replace(SECOND, weight=None), replace(SECOND, weight=0.5)], [])

    assert (joined.weight, joined.flags) == (
        2, ("f", "its weights differ in the source (2, none, 0.5); the first one is kept"),
    )  # fmt: skip


def test_thousands_of_places_are_counted_not_listed():
    ((joined,), _) = join_equal([FIRST, *[SECOND] * 30], [])

    assert joined.labels["occurrences"] == "31"
    assert joined.labels["also at"].endswith("; line 9; 10 more")
