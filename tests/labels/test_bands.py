"""Frequency words, floors and ranges, by truth table."""

from dataclasses import dataclass

import pytest

from labels import bands


@dataclass
class Number:
    pass_rate: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    n_judged: int = 300
    polarity: str = "positive"
    ci50_low: float | None = None
    ci50_high: float | None = None


@pytest.mark.parametrize(
    ("rate", "word"),
    [
        (0.0, "Rarely"),
        (0.194, "Rarely"),
        (0.195, "Sometimes"),
        (0.2, "Sometimes"),
        (0.394, "Sometimes"),
        (0.395, "About half"),
        (0.594, "About half"),
        (0.6, "Often"),
        (0.794, "Often"),
        (0.795, "Nearly always"),
        (1.0, "Nearly always"),
    ],
)
def test_word_follows_the_whole_number_that_is_shown(rate: float, word: str) -> None:
    assert bands.word(rate) == word


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (Number(0.7, 0.65, 0.75), "Often"),
        (Number(0.62, 0.58, 0.66), "Often (could be About half)"),
        (Number(0.81, 0.78, 0.84), "Nearly always (could be Often)"),
        (Number(0.35, 0.30, 0.40), "Sometimes (could be About half)"),
        (Number(0.5, 0.3, 0.7), "About half (could be Sometimes or Often)"),
        (Number(0.5, 0.0, 0.9), "About half (could be Sometimes or Rarely or Often or Nearly always)"),
        (Number(0.5), "About half"),
    ],
)
def test_band_names_what_the_range_crosses_into(number: Number, words: str) -> None:
    assert str(bands.band(number)) == words


@pytest.mark.parametrize("number", [Number(None), Number(0.7, 0.6, 0.8, n_judged=29)])
def test_band_is_none_without_enough_chats(number: Number) -> None:
    assert bands.band(number) is None


def test_band_is_given_from_30_chats_on() -> None:
    assert str(bands.band(Number(0.7, 0.65, 0.75, n_judged=30))) == "Often"


def test_aside_reads_on_in_running_text() -> None:
    assert bands.band(Number(0.81, 0.78, 0.84)) == bands.Band("Nearly always", ("Often",))
    assert bands.Band("Nearly always", ("Often",)).aside == "(could be often)"
    assert bands.Band("Often").aside == ""


def test_spans_cover_0_to_100_without_gap() -> None:
    assert bands.spans() == [
        ("80 to 100", "Nearly always"),
        ("60 to 79", "Often"),
        ("40 to 59", "About half"),
        ("20 to 39", "Sometimes"),
        ("0 to 19", "Rarely"),
    ]


@pytest.mark.parametrize(
    ("low", "high", "text"), [(0.584, 0.66, "58–66"), (0.0, 1.0, "0–100"), (None, 0.5, ""), (None, None, "")]
)
def test_range_in_100(low: float | None, high: float | None, text: str) -> None:
    assert bands.range_in_100(low, high) == text
