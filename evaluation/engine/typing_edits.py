"""Small slips of the keyboard in the simulated user's messages (ImpactBench paper, section 3.4.2)."""

from __future__ import annotations

import hashlib
import random
import re

# Shares are per message for habits and per word for slips; mild, so that the meaning always survives.
_LOWER_ALL_STARTS = 0.3
_LOWER_FIRST_START = 0.2
_DROP_LAST_STOP = 0.4
_DROP_APOSTROPHES = 0.25
_DROP_COMMAS = 0.15
_SLIP_PER_WORD = 0.025
_MAX_SLIPS = 3
_SHORTEST_SLIPPED_WORD = 4

_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?]\s)|(?<=\n))[A-Z](?=[a-z']*\b)")
_LONE_I = re.compile(r"\bI\b(?!\.)")
_CONTRACTION = re.compile(r"(?<=[a-z])['\u2019](?=(?:t|s|re|ve|ll|d|m)\b)")
_COMMA = re.compile(r"(?<=[a-z]),(?= [a-z])")
_TOKEN = re.compile(r"\S+")
_PLAIN_WORD = re.compile(r"[a-z]+")


def edit_message(text: str, *, seed: int, key: str, turn: int) -> str:
    """`text` with changed capitals and punctuation and a few swapped or dropped letters.

    The same (seed, key, turn) gives the same edits on every machine and in every run. Numbers, links, code,
    names and anything else that is not a plain lower-case word are left alone.
    """
    draw = random.Random(edit_seed(seed, key, turn))  # noqa: S311  (reproducible, not a secret)  # nosec B311
    edited = _loosen_capitals(text, draw)
    edited = _loosen_punctuation(edited, draw)
    edited = _slip(edited, draw)
    return edited if edited.strip() else text


def edit_seed(seed: int, key: str, turn: int) -> int:
    """The seed of one message's edits: the first 8 bytes of a SHA-256, since hash() differs between processes."""
    digest = hashlib.sha256(f"{seed}\x1f{key}\x1f{turn}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _loosen_capitals(text: str, draw: random.Random) -> str:
    habit = draw.random()
    if habit < _LOWER_ALL_STARTS:
        text = _SENTENCE_START.sub(lambda match: match[0].lower(), text)
        return _LONE_I.sub("i", text)
    if habit < _LOWER_ALL_STARTS + _LOWER_FIRST_START:
        return _SENTENCE_START.sub(lambda match: match[0].lower(), text, count=1)
    return text


def _loosen_punctuation(text: str, draw: random.Random) -> str:
    drop_stop, drop_apostrophes, drop_commas = draw.random(), draw.random(), draw.random()
    if drop_stop < _DROP_LAST_STOP and text.endswith(".") and not text.endswith(".."):
        text = text[:-1]
    if drop_apostrophes < _DROP_APOSTROPHES:
        text = _CONTRACTION.sub("", text)
    if drop_commas < _DROP_COMMAS:
        text = _COMMA.sub("", text)
    return text


def _slip(text: str, draw: random.Random) -> str:
    left = _MAX_SLIPS

    def slipped(match: re.Match[str]) -> str:
        nonlocal left
        word = match[0]
        # Both numbers are drawn for every word, so that one protected word does not shift the slips after it.
        chance, place = draw.random(), draw.random()
        if chance >= _SLIP_PER_WORD or left == 0 or not _may_slip(word):
            return word
        left -= 1
        return _slip_word(word, place, drop=chance < _SLIP_PER_WORD / 3)

    return _TOKEN.sub(slipped, text)


def _may_slip(word: str) -> bool:
    return len(word) >= _SHORTEST_SLIPPED_WORD and _PLAIN_WORD.fullmatch(word) is not None


def _slip_word(word: str, place: float, *, drop: bool) -> str:
    at = 1 + int(place * (len(word) - 2))  # an inner letter: first and last stay, as in real slips
    if drop or at + 1 >= len(word):
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
