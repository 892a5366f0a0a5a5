"""The sentences of Explore in all their states."""

from typing import Any

from evaluation.models import Result
from labels.numbers import Number, number
from labels.sentences import all_models, finding, how_sure, spread
from labels.wording import NO_DATA


def _number(rate: float | None = 0.65, polarity: str = "positive", **fields: Any) -> Number:
    n_judged = fields.pop("n_judged", 100 if rate is not None else 0)
    values = {
        "group": "subarea", "polarity": polarity, "n_metrics": 10, "coverage": 1.0, "n_planned": 100,
        "n_conversations": 100, "n_judged": n_judged, "n_passed": round((rate or 0) * n_judged), "pass_rate": rate,
        "ci_low": 0.58, "ci_high": 0.72, **fields,
    }  # fmt: skip
    return number(Result(**values))


def test_finding_both_kinds_pooled():
    assert finding("these models", [_number(0.65), _number(0.16, "negative")], where="Learning") == (
        "In Learning, these models did the helpful thing in about 65 of 100 chats. "
        "They kept clear of the harmful thing in about 16 of 100."
    )


def test_finding_one_model():
    assert finding("GPT-5", [_number(0.65), _number(0.16, "negative")]) == (
        "GPT-5 did the helpful thing in about 65 of 100 chats. It kept clear of the harmful thing in about 16 of 100."
    )


def test_finding_one_kind():
    assert finding("these models", [_number(0.16, "negative")]) == (
        "These models kept clear of the harmful thing in about 16 of 100 chats."
    )


def test_finding_too_few_chats_gives_counts():
    assert finding("luna", [_number(0.5, n_judged=4)]) == (
        "luna did the helpful thing in 2 of 4 chats. That is too little for a number of 100."
    )


def test_finding_without_data_says_so_and_is_not_zero():
    assert finding("these models", [_number(None)]) == "No chat of this selection has a verdict yet."
    assert finding("these models", []) == "No chat of this selection has a verdict yet."


def test_spread_leaves_partly_tested_and_small_numbers_out():
    rows = [_number(0.9), _number(0.4), _number(0.1, coverage=0.7, n_metrics=7), _number(0.2, n_judged=20)]

    assert spread(4, rows, where="Learning") == (
        "In Learning, these 4 models did the helpful thing in between 40 and 90 of 100 chats."
    )


def test_spread_same_numbers():
    assert spread(2, [_number(0.4), _number(0.4)]) == "These 2 models did the helpful thing in about 40 of 100 chats."


def test_spread_nothing_comparable():
    assert spread(2, [_number(None), _number(0.4)]) == "The numbers of these models are listed below."


def test_how_sure_gives_range_and_n_or_counts():
    assert how_sure([_number(0.65), _number(0.5, "negative", n_judged=4)], "All models together") == (
        "All models together. Promotes good: likely 58\u201372 (n 100). Avoids harm: 2 of 4 chats."
    )


def test_number_states():
    states = {
        "plain": _number(0.65),
        "few": _number(0.65, n_judged=20),
        "counts": _number(0.5, n_judged=4),
        "two metrics": _number(0.5, n_metrics=2),
        "partial": _number(0.65, coverage=0.7, n_metrics=7),
        "not enough": _number(0.5, coverage=0.4, n_metrics=4),
        "untested": _number(None, n_planned=0, n_conversations=0),
        "unjudged": _number(None),
    }

    assert {name: (one.text, one.is_shown, one.why, one.tint) for name, one in states.items()} == {
        "plain": ("65", True, "", 4),
        "few": ("65", True, "few chats", 4),
        "counts": (NO_DATA, False, "counts only", 0),
        "two metrics": (NO_DATA, False, "counts only", 0),
        "partial": ("65", True, "partly tested: 7 of 10 metrics", 4),
        "not enough": (NO_DATA, False, "not enough data: 4 of 10 metrics", 0),
        "untested": (NO_DATA, False, "not tested", 0),
        "unjudged": (NO_DATA, False, "none of 100 judged", 0),
    }


def test_number_tint_follows_the_shown_number():
    assert [_number(rate).tint for rate in (0, 0.19, 0.196, 0.79, 0.8, 1)] == [1, 1, 2, 4, 5, 5]


def test_number_headline_is_shown_below_half_of_the_metrics():
    assert _number(0.65, group="overall", coverage=0.3, n_metrics=3).text == "65"


def test_all_models_two_are_both():
    assert (all_models(2), all_models(16)) == ("Both models", "All 16 models")
