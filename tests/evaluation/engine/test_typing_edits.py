"""Typing edits: mild, reproducible, and switched by the seed alone."""

import re
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from evaluation.engine.typing_edits import edit_message, edit_seed

TEXT = (
    "I don't really know, but my teacher says the 2 courses at https://example.org/a are equally good. "
    "Could you decide for me? It would help because everything else is already settled and planned."
)


def test_edit_message_repeats_itself_for_the_same_seed_key_and_turn() -> None:
    edits = {edit_message(TEXT, seed=3, key="run/1", turn=2) for _ in range(5)}

    assert len(edits) == 1


def test_edit_message_is_the_same_in_another_process_with_another_hash_seed() -> None:
    code = f"from evaluation.engine.typing_edits import *; print(edit_message({TEXT!r}, seed=3, key='k', turn=2))"

    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "77"}
    )

    assert other.stdout.rstrip("\n") == edit_message(TEXT, seed=3, key="k", turn=2)


def test_edit_seed_differs_by_each_of_its_three_parts() -> None:
    seeds = [edit_seed(1, "k", 1), edit_seed(2, "k", 1), edit_seed(1, "l", 1), edit_seed(1, "k", 2)]

    assert len(set(seeds)) == 4


def test_edit_message_varies_from_turn_to_turn_and_stays_readable() -> None:
    edits = [edit_message(TEXT, seed=0, key="k", turn=turn) for turn in range(200)]

    changed = [edit for edit in edits if edit != TEXT]
    assert 100 < len(changed) < 200
    assert all("https://example.org/a" in edit and " 2 " in edit for edit in edits)
    assert max(abs(len(edit) - len(TEXT)) for edit in edits) <= 8
    assert any(edit.startswith("i ") for edit in edits)
    assert any(not edit.endswith(".") for edit in edits)
    assert any(not re.search("don't", edit) for edit in edits)


@given(st.text(min_size=1).filter(str.strip), st.integers(0, 50))
def test_edit_message_never_empties_a_message(text: str, turn: int) -> None:
    assert edit_message(text, seed=0, key="k", turn=turn).strip()
