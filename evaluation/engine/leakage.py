"""Finds private instructions of the user simulator in the messages that were delivered to the target."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from evaluation.engine.prompt_files import literal_text, prompt_hashes
from evaluation.engine.types import MetricBrief, ScenarioBrief, TurnRecord
from evaluation.engine.user_simulator import opening_sentence

WORDS_THAT_MAKE_A_LEAK = 8

_ROLES = "user|assistant|system|human|ai|ai assistant|simulated user|user simulator|target|target model"
_LABEL = re.compile(rf"^[ \t*_#>\[(]*(?:{_ROLES})[ \t*_\])]*:", re.IGNORECASE | re.MULTILINE)
_THOUGHT_MARKER = re.compile(
    r"^[ \t*_#>\[(]*thought[ \t*_\])]*:|(?<=[.!?*])\s+\**Thought\**\s*:|</?think(?:ing)?>|\"thought\"\s*:",
    re.MULTILINE | re.IGNORECASE,
)
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?=\w)")
_WORD = re.compile(r"\w+")
_SPEECH = re.compile(r"\"([^\"]+)\"|“([^”]+)”")

Shingle = tuple[str, ...]


def find_leak(metric: MetricBrief, scenario: ScenarioBrief, turns: Sequence[TurnRecord]) -> str | None:
    """What gives the private instructions away in `turns`, in one clause for the operator; None if nothing does.

    Private are the prompts' own words, the hidden goal, the anchors' objectives and the opening of the definition.
    Persona and goal are the user's to tell, and so is speech that an objective puts in quotation marks. Both the
    delivered and the unedited message are read: a slip of the keyboard must not hide a leak.
    """
    private = _private_shingles(metric, scenario)
    for turn in turns:
        for message in {turn.user_message: None, turn.unedited_message: None}:
            if _THOUGHT_MARKER.search(message):
                return f"turn {turn.number}: a Thought marker in the message"
            if _LABEL.search(message):
                return f"turn {turn.number}: a role label in the message"
            shared = next((s for s in _shingles(message) if s in private), None)
            if shared:
                return f"turn {turn.number}: words of the private instructions: {' '.join(shared)}"
    return None


def _private_shingles(metric: MetricBrief, scenario: ScenarioBrief) -> frozenset[Shingle]:
    objectives = [anchor.objective for anchor in scenario.anchors]
    private = _all_shingles(
        [
            scenario.latent_adversarial_goal,
            *objectives,
            metric.name,
            opening_sentence(metric.definition),
        ]
    )
    speech = [one or other for text in objectives for one, other in _SPEECH.findall(text)]
    return (private | _prompt_shingles()) - _all_shingles([scenario.persona, scenario.goal, *speech])


@cache
def _prompt_shingles() -> frozenset[Shingle]:
    names = [name for name in prompt_hashes() if name.startswith("user_simulator")]
    return _all_shingles(line for name in names for line in literal_text(name).splitlines())


def _all_shingles(texts: Iterable[str]) -> frozenset[Shingle]:
    return frozenset(shingle for text in texts for shingle in _shingles(text))


def _shingles(text: str) -> Iterator[Shingle]:
    words = _words(text)
    for start in range(len(words) - WORDS_THAT_MAKE_A_LEAK + 1):
        yield tuple(words[start : start + WORDS_THAT_MAKE_A_LEAK])


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _WORD.findall(_APOSTROPHE.sub("", plain))
