"""Finds words that tell age, gender, ethnicity or school years, for a reviewer to look at; a hit blocks nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluation.generation.types import BaseDraft

_FOLDER = Path(__file__).parent / "words"
LISTS = ("age", "gender", "ethnicity", "pronouns", "school_years")
# Ages and grades in figures, which no list can hold.
_FIGURES = {
    "age": re.compile(
        r"\b\d{1,3}[- ]years?[- ]olds?\b|\baged? \d{1,3}\b|\b(?:is|am|turning) \d{1,2}\b(?! ?[%:])", re.I
    ),
    "school_years": re.compile(r"\b(?:grade \d{1,2}|\d{1,2}(?:st|nd|rd|th)[- ]grade(?:r|rs)?|year \d{1,2})\b", re.I),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WordHit:
    """A word of a list as it stands in a text; `field` names the part of the draft, such as 'persona'."""

    field: str
    list_name: str
    word: str


def hits_in(text: str, field: str) -> list[WordHit]:
    """The words of all lists in a text, each once a list, in the order of the lists and of the text."""
    hits: list[WordHit] = []
    for name in LISTS:
        found = [match[0] for match in _pattern(name).finditer(text)]
        found += [match[0] for match in _FIGURES[name].finditer(text)] if name in _FIGURES else []
        hits += [WordHit(field, name, word) for word in _once(found)]
    return hits


def demographic_hits(base: BaseDraft) -> list[WordHit]:
    """What a base scenario says of age, gender, ethnicity or school years, in persona, goals, title and anchors."""
    hits = hits_in(base.title, "title") + hits_in(base.persona, "persona") + hits_in(base.goal, "goal")
    hits += hits_in(base.latent_adversarial_goal, "hidden goal")
    for anchor in base.anchors:
        hits += hits_in(anchor.objective, f"anchor at turn {anchor.turn}")
    return hits


def words_of(name: str) -> tuple[str, ...]:
    """The words of one list, without its comments."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    # Longer ones first, so that 'african american' is one hit.
    words = sorted(words_of(name), key=len, reverse=True)
    spelt = ("[- ]+".join(re.escape(part) for part in re.split("[- ]", word)) for word in words)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(spelt)})(?![\w])", re.IGNORECASE)


def _once(words: Iterable[str]) -> list[str]:
    return list({word.casefold(): word for word in reversed(list(words))}.values())[::-1]
