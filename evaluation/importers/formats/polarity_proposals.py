"""Proposes a polarity for a criterion from where it stands and how it is worded, with the reason that a person reads.

A definition is never turned round: a positive metric may well say 'Does not guess', and passes when that is so.
"""

from dataclasses import dataclass

from evaluation.importers.formats.criterion_wording import (
    Negation,
    is_in_other_letters,
    negation,
    optional_phrase,
    scale_phrase,
    several_phrase,
)
from evaluation.importers.formats.draft_types import Proposal


@dataclass(frozen=True)
class Proposed:
    """A proposal and what its wording leaves for a person to decide."""

    proposal: Proposal
    flags: tuple[str, ...] = ()


def propose_wanted(text: str, stands: str) -> Proposed:
    """For a criterion that the source wants to see met; `stands` says why, such as "listed under 'should'"."""
    optional = optional_phrase(text)
    if optional:
        return _optional(text, stands, optional)
    found = negation(text)
    flags = wording_flags(text)
    if found is None:
        return Proposed(Proposal("positive", f"{stands}, and worded as a behaviour"), flags)
    reason = f"{stands}; worded negatively ({found.phrase!r}), so as it stands it is good when this is so"
    turned = f"negative wording ({found.phrase!r}): keep it as positive, or reword it to the bare behaviour as negative"
    return Proposed(Proposal("positive", reason), (turned, *flags))


def propose_unwanted(text: str, stands: str) -> Proposed:
    """For a criterion that the source wants not to see met; `stands` as above, such as "listed under 'should_not'"."""
    optional = optional_phrase(text)
    if optional:
        return _optional(text, stands, optional)
    found = negation(text)
    flags = wording_flags(text)
    if found is None:
        return Proposed(Proposal("negative", f"{stands}, and worded as a behaviour"), flags)
    return _double_negative(stands, found, flags)


def wording_flags(text: str) -> tuple[str, ...]:
    """What a person should look at in a criterion's wording, whatever its polarity."""
    flags = []
    scale, several = scale_phrase(text), several_phrase(text)
    if is_in_other_letters(text):
        flags.append("not in Latin letters: its wording was not looked at")
    if scale:
        flags.append(f"speaks of a scale ({scale!r}): say from where on it is present")
    if several:
        flags.append(f"may hold several behaviours ({several!r}): split it if so")
    return tuple(flags)


def _optional(text: str, stands: str, phrase: str) -> Proposed:
    reason = f"{stands}, but worded as optional ({phrase!r}): its absence is no failure"
    flag = f"optional in the source ({phrase!r}): drop it, or make it a requirement"
    return Proposed(Proposal(None, reason), (flag, *wording_flags(text)))


def _double_negative(stands: str, found: Negation, flags: tuple[str, ...]) -> Proposed:
    flag = f"double negative ({found.phrase!r}): check what the source means"
    if found.kind == "prohibition":
        reason = f"{stands}, yet worded as a prohibition ({found.phrase!r}): it can be meant either way"
        return Proposed(Proposal(None, reason), (flag, *flags))
    reason = f"{stands}; worded negatively ({found.phrase!r}), so read as it stands it is bad when this is so"
    return Proposed(Proposal("negative", reason), (flag, *flags))
