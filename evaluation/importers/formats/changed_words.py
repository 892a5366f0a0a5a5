"""Finds again, in an edited file, the drafts whose keys come from their words and whose words were changed a little."""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from evaluation.importers.formats.deadline import Deadline

# A changed word or two of a criterion keeps more than this in common; two criteria of one file hardly ever do.
LEAST_ALIKE = 0.8
# Every new text is compared with every one that is gone; more than this is another file rather than an edited one.
MOST_PAIRS = 40_000
_OF_WORDS = re.compile(r"-[0-9a-f]{10}$")


def changed_words(new: Mapping[str, str], gone: Mapping[str, str], *, within: Deadline | None = None) -> dict[str, str]:
    """The key of a gone text for each new one that is it with other words; each at most once, the most alike first.

    Both map keys to texts. Only keys that were made of words count: an id of the source's own says by itself which
    draft it is. Raises FileProblem once the time `within` which it has to be done is up.
    """
    candidates = {key: text for key, text in new.items() if _OF_WORDS.search(key)}
    before = {key: text for key, text in gone.items() if _OF_WORDS.search(key)}
    if len(candidates) * len(before) > MOST_PAIRS:
        return {}
    alike = [
        (ratio, key, old)
        for key, text in _in_time(candidates, within)
        for old, words in before.items()
        if (ratio := _alike(text, words)) >= LEAST_ALIKE
    ]
    found: dict[str, str] = {}
    for _ratio, key, old in sorted(alike, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if key not in found and old not in found.values():
            found[key] = old
    return found


def _in_time(texts: Mapping[str, str], within: Deadline | None) -> Iterator[tuple[str, str]]:
    for item in texts.items():
        if within is not None:
            within.check()
        yield item


def _alike(one: str, other: str) -> float:
    """From 0 to 1 by the words that both have in the same order."""
    matcher = SequenceMatcher(None, one.casefold().split(), other.casefold().split(), autojunk=False)
    return matcher.ratio() if min(matcher.real_quick_ratio(), matcher.quick_ratio()) >= LEAST_ALIKE else 0.0
