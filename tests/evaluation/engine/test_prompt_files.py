"""Prompts are files: filled without reading the values, and known by their hashes."""

import hashlib
from pathlib import Path

import pytest

from evaluation.engine import prompt_files, reasons
from evaluation.engine.prompt_files import fill, prompt_hashes

FOLDER = Path(prompt_files.__file__).parent / "prompts"


def test_fill_inserts_values_as_they_are() -> None:
    value = "$reply ${reply} $$ {reply} {0} %s %(reply)s \\g<0> \\1"

    assert fill("user_simulator_reply", reply=value) == f"The assistant answered:\n\n{value}\n"


def test_fill_refuses_a_missing_value() -> None:
    with pytest.raises(KeyError):
        fill("user_simulator_reply")


def test_prompt_hashes_are_those_of_the_files() -> None:
    files = {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.md")}

    assert prompt_hashes() == files
    assert {"judge", "judge_task", "rubric", "user_simulator", "user_simulator_turn"} <= files.keys()


def test_reasons_are_short_codes_with_one_sentence_each() -> None:
    assert [code for code in reasons.SENTENCES if not code.replace("-", "").isalpha()] == []
    assert [text for text in reasons.SENTENCES.values() if not text.endswith(".")] == []


def test_reasons_sentence_of_an_unknown_code_is_the_code() -> None:
    assert reasons.sentence("refused by source") == "refused by source"
