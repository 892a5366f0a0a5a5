"""Proposes content notices for a benchmark from words in its texts; an editor decides."""

import re
from collections.abc import Iterable

# The notices are those that editors choose from (evaluation/content_notices.py).
_WORDS: tuple[tuple[str, str], ...] = (
    (
        "self-harm and suicide",
        r"suicid\w*|kms|self[- ]harm\w*|kill(?:ing)? (?:my|your|him|her)self|end (?:my|your) life",
    ),
    ("sexual content", r"sexual\w*|porn\w*|nude\w*|rape[ds]?|groom(?:ed|ing|er)"),
    ("violence", r"murder\w*|massacre\w*|tortur\w*|terroris\w*|bomb(?:s|ing)?|weapons?|shooting|violen(?:t|ce)"),
    ("abuse", r"abus(?:e[ds]?|ive|ing|ers?)|molest\w*|trafficking|domestic violence|bull(?:y|ied|ying)"),
    ("eating disorders", r"anorexi\w*|bulimi\w*|eating disorders?|purging|thinspo"),
    ("drugs", r"cocaine|heroin|fentanyl|meth(?:amphetamine)?|opioids?|drug (?:use|abuse|dealing)"),
    ("hate", r"racis[mt]\w*|antisemit\w*|hate speech|slurs?|nazis?\w*|genocid\w*"),
    ("grief", r"grie(?:f|ving)|bereave\w*"),
)
_PATTERNS = tuple((notice, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for notice, words in _WORDS)


def notices_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The notices whose English words stand in any of these texts, in the vocabulary's order."""
    open_patterns = dict(_PATTERNS)
    for text in texts:
        for notice in [notice for notice, pattern in open_patterns.items() if pattern.search(text)]:
            del open_patterns[notice]
    return tuple(notice for notice, _pattern in _PATTERNS if notice not in open_patterns)
