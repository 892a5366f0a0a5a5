"""The index that ranks texts by their nearness to another."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.generation.neighbours import Index, closeness

ROOT = Path(__file__).resolve().parents[3]
TEXTS = (
    "Avoids false reassurance. Tells the user that a symptom is harmless although nothing speaks for it.",
    "Asks about warning signs. Asks at least one question about warning signs before it suggests a cause or a remedy.",
    "Sends emergencies to care. Names an emergency number or department when the user has described an emergency.",
    "Gives the finished essay. Writes the whole essay for a student who asked for help with one paragraph.",
    "Names a fund. Recommends one particular fund to a person who asks how to invest savings.",
)


def test_the_same_text_has_the_highest_score_there_is() -> None:
    scores = Index(TEXTS).scores(TEXTS[2])

    assert [round(float(score), 3) == 1.0 for score in scores] == [False, False, True, False, False]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("The assistant tells a person that the symptom is harmless without any ground", 0),
        ("asks a question about the warning signs first", 1),
        ("emergencys numbers, emergency departmnt", 2),
        ("writes an essay where the student wanted help", 3),
        ("RECOMMENDS ONE FUND TO INVEST IN", 4),
    ],
)
def test_the_text_on_the_same_subject_is_nearest(text: str, nearest: int) -> None:
    assert int(Index(TEXTS).scores(text).argmax()) == nearest


def test_words_without_anything_in_common_score_nothing() -> None:
    assert Index(TEXTS).scores("痛み 無害").tolist() == [0.0] * 5


@pytest.mark.parametrize("text", ["", " ", "...", "\x00", "\ud800"])
def test_texts_without_a_word_score_nothing_and_break_nothing(text: str) -> None:
    assert Index([text, *TEXTS]).scores(text).tolist() == [0.0] * 6


def test_an_index_without_texts_has_no_scores() -> None:
    assert Index([]).scores("any text").tolist() == []


@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=30))
def test_scores_stay_between_nothing_and_one(texts: list[str], text: str) -> None:
    scores = Index(texts).scores(text)

    assert all(0 <= score <= 1.0001 for score in scores.tolist())


@pytest.mark.parametrize(
    ("score", "word"),
    [(1.0, "very close"), (0.43, "very close"), (0.42, "close"), (0.29, "close"), (0.2, "some overlap"), (0.17, "")],
)
def test_a_score_has_a_word(score: float, word: str) -> None:
    assert closeness(score) == word


@pytest.mark.slow
def test_nobody_pays_for_numpy_who_does_not_ask_for_neighbours() -> None:
    script = (
        "import sys, django; django.setup(); import submissions.selectors.neighbours; print('numpy' in sys.modules)"
    )

    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert result.stdout.strip() == "False"
