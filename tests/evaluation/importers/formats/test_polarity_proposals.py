"""Which polarity is proposed for a criterion, and what is left for a person to decide."""

import pytest

from evaluation.importers.formats.draft_types import Proposal
from evaluation.importers.formats.polarity_proposals import Proposed, propose_unwanted, propose_wanted


def test_wanted_behaviour_is_positive():
    assert propose_wanted("Names a price", "listed under 'should'") == Proposed(
        Proposal("positive", "listed under 'should', and worded as a behaviour")
    )


def test_unwanted_behaviour_is_negative():
    assert propose_unwanted("Names a price", "has points below zero") == Proposed(
        Proposal("negative", "has points below zero, and worded as a behaviour")
    )


def test_trap_11_negative_wording_that_is_wanted_stays_positive_as_it_stands():
    assert propose_wanted("Does not name a price", "listed under 'should'") == Proposed(
        Proposal(
            "positive",
            "listed under 'should'; worded negatively ('Does not'), so as it stands it is good when this is so",
        ),
        ("negative wording ('Does not'): keep it as positive, or reword it to the bare behaviour as negative",),
    )


@pytest.mark.parametrize(
    ("text", "polarity", "flag"),
    [
        ("Fails to name a price", "negative", "double negative ('Fails to'): check what the source means"),
        ("Does not name a price", "negative", "double negative ('Does not'): check what the source means"),
        ("Must not name a price", None, "double negative ('Must not'): check what the source means"),
    ],
)
def test_trap_11_double_negative_is_flagged_and_open_where_it_can_mean_both(text, polarity, flag):
    proposed = propose_unwanted(text, "listed under 'should_not'")

    assert (proposed.proposal.polarity, proposed.flags) == (polarity, (flag,))


@pytest.mark.parametrize("propose", [propose_wanted, propose_unwanted])
def test_optional_wording_has_no_polarity(propose):
    proposed = propose("May name a price", "listed")

    assert (proposed.proposal.polarity, proposed.flags) == (
        None, ("optional in the source ('May'): drop it, or make it a requirement",),
    )  # fmt: skip


def test_trap_15_scale_is_flagged():
    assert propose_wanted("Rated from 1 to 5", "listed").flags == (
        "speaks of a scale ('Rated from 1 to 5'): say from where on it is present",
    )


def test_trap_22_criterion_in_other_letters_says_that_its_wording_was_not_read():
    assert propose_wanted("يذكر السعر", "listed").flags == ("not in Latin letters: its wording was not looked at",)
