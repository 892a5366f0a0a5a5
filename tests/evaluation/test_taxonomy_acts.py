"""What editors do to a taxonomy, as steps from one content to another."""

from __future__ import annotations

import pytest

from evaluation.taxonomy_acts import (
    Act,
    AreaContent,
    Change,
    Counts,
    SubareaContent,
    TaxonomyContent,
    applied,
    changes,
    in_words,
)
from impactbench.common.errors import DomainError

LAW = SubareaContent("law", "Law", "Rights", "How it handles rules.", frozenset({1, 2, 3}))
SAFETY = SubareaContent("safety", "Safety", metrics=frozenset({3, 4}))
HEALTH = SubareaContent("health", "Health", metrics=frozenset({5}))
CONTENT = TaxonomyContent((AreaContent("social", "Social", (LAW,)), AreaContent("body", "Body", (SAFETY, HEALTH))))
POLARITY = {1: "positive", 2: "negative", 3: "negative", 4: "positive", 5: None}


def shape(content: TaxonomyContent) -> dict[str, dict[str, list[int]]]:
    """Areas, subareas and metrics, without names."""
    return {area.slug: {part.slug: sorted(part.metrics) for part in area.subareas} for area in content.areas}


def after(*acts: Act) -> dict[str, dict[str, list[int]]]:
    return shape(applied(CONTENT, acts))


def test_merging_subareas_keeps_each_metric_once() -> None:
    assert after(Act("merge-subareas", "law", "safety")) == {
        "social": {},
        "body": {"safety": [1, 2, 3, 4], "health": [5]},
    }


def test_merging_areas_moves_all_subareas() -> None:
    assert after(Act("merge-areas", "social", "body")) == {"body": {"safety": [3, 4], "health": [5], "law": [1, 2, 3]}}


def test_moving_retiring_adding_and_rewording() -> None:
    assert after(Act("move-subarea", "health", "social"))["social"] == {"law": [1, 2, 3], "health": [5]}
    assert after(Act("retire-subarea", "health"))["body"] == {"safety": [3, 4]}
    assert after(Act("add-subarea", other="social", name="  Housing &  Home "))["social"]["housing-home"] == []
    assert after(Act("add-area", name="Nature"))["nature"] == {}
    renamed = applied(CONTENT, [Act("rename-subarea", "law", name="Law and  rules", plain_name="Rules")])
    assert renamed.subareas["law"] == SubareaContent("law", "Law and rules", "Rules", "", frozenset({1, 2, 3}))


def test_acts_follow_each_other_and_undoing_is_leaving_one_out() -> None:
    acts = [Act("merge-subareas", "law", "safety"), Act("retire-area", "social")]

    assert after(*acts) == {"body": {"safety": [1, 2, 3, 4], "health": [5]}}
    assert after(*acts[:-1]) == {"social": {}, "body": {"safety": [1, 2, 3, 4], "health": [5]}}
    assert after() == shape(CONTENT)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (Act("retire-area", "body"), "Body still has subareas (Safety, Health); move, merge or retire them first"),
        (Act("move-subarea", "law", "social"), "Law is in Social already; choose another area"),
        (Act("merge-subareas", "law", "law"), "Law cannot be merged into itself; choose another"),
        (Act("merge-subareas", "law", "gone"), "choose a subarea of this draft"),
        (Act("rename-area", "gone", name="X"), "choose an area of this draft"),
        (Act("add-area", name="   "), "give it a name with letters of the Latin alphabet: its address is made of them"),
        (Act("add-area", name="Law"), "there is an area or subarea 'law' already; give this one another name"),
        (
            Act("add-subarea", other="body", name="Embed"),
            "another page has the address 'embed'; give this one another name",
        ),
        (Act("rename-area", "body", name=" "), "give it a name"),
        (Act("rename-area", "body", name="x" * 201), "a name has at most 200 characters; this one has 201"),
        (Act("explode", "body"), "there is no act 'explode'; reload the page and try again"),
    ],
)
def test_what_cannot_be_done_says_why(act: Act, message: str) -> None:
    with pytest.raises(DomainError) as problem:
        applied(CONTENT, [act])

    assert str(problem.value) == message


def test_changes_tell_counts_by_polarity_before_and_after() -> None:
    merged = applied(CONTENT, [Act("merge-subareas", "law", "safety")])

    assert changes(CONTENT, merged, POLARITY) == [
        Change("Law", Counts(1, 2), None, "Social", ""),
        Change("Safety", Counts(1, 1), Counts(2, 2), "Body", "Body"),
    ]
    assert changes(CONTENT, CONTENT, POLARITY) == []


def test_changes_tell_a_move_and_a_new_subarea() -> None:
    moved = applied(CONTENT, [Act("move-subarea", "health", "social"), Act("add-subarea", other="body", name="Sleep")])

    assert changes(CONTENT, moved, POLARITY) == [
        Change("Health", Counts(0, 0, 1), Counts(0, 0, 1), "Body", "Social"),
        Change("Sleep", None, Counts(), "", "Body"),
    ]


def test_acts_are_told_in_words() -> None:
    told = [
        in_words(CONTENT, act)
        for act in (
            Act("merge-subareas", "law", "safety"),
            Act("move-subarea", "law", "body"),
            Act("rename-subarea", "law", name="Rules"),
            Act("retire-subarea", "law"),
            Act("merge-areas", "social", "body"),
            Act("add-subarea", other="body", name="Sleep"),
        )
    ]

    assert told == [
        "Merged Law into Safety",
        "Moved Law to Body",
        "Reworded Law, now Rules",
        "Retired Law",
        "Merged Social into Body",
        "Added Sleep to Body",
    ]
