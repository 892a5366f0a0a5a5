"""Finds the texts that come nearest to another: letter trigrams and words, both weighted by how rare they are.

Loads numpy; a web process imports this module when somebody first asks for neighbours.
"""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float32]

# Longer texts are read up to here: what one wants to measure is said by then.
LONGEST_READ = 4_000
# Which share of the score the words have; trigrams, which bear with endings and typing mistakes, have the rest.
SHARE_OF_WORDS = 0.5
# From which score on two metrics are called so. Set on several hundred real metrics: half of them have a nearest
# other one at 0.31, one in ten at 0.43, and what shares no subject stays under 0.18.
CLOSENESS = ((0.43, "very close"), (0.29, "close"), (0.18, "some overlap"))
_BITS = 21  # of a character; three fit into 63 bits, so a trigram is a number without any hashing
_WORD = re.compile(r"\w+")


def closeness(score: float) -> str:
    """The word for a score; empty for what is not near enough to show."""
    return next((word for least, word in CLOSENESS if score >= least), "")


class Index:
    """An immutable index over texts, known by their place in the sequence it was built from."""

    def __init__(self, texts: Sequence[str]) -> None:
        cleaned = [_clean(text) for text in texts]
        self.n_texts = len(texts)
        self._vocabulary: dict[str, int] = {}
        self._words = _Postings(*_joined([self._word_codes(text, learn=True) for text in cleaned]), self.n_texts)
        self._trigrams = _Postings(*_trigrams_of_all(cleaned), self.n_texts)

    def scores(self, text: str) -> Weights:
        """The nearness of every text to this one, in the order they were given: 0 to 1, 1 for the very same words."""
        cleaned = _clean(text)
        by_words = self._words.cosines(self._word_codes(cleaned, learn=False))
        by_trigrams = self._trigrams.cosines(_trigrams(cleaned))
        return SHARE_OF_WORDS * by_words + (1 - SHARE_OF_WORDS) * by_trigrams

    def _word_codes(self, text: str, *, learn: bool) -> Numbers:
        """A number for each word; a word that no text of the index has gets one above all others."""
        known = self._vocabulary
        if learn:
            codes = [known.setdefault(word, len(known)) for word in text.split()]
        else:
            codes = [known.get(word, len(known)) for word in text.split()]
        return np.array(codes, dtype=np.int64)


class _Postings:
    """For each term the texts it stands in, with weights: tf-idf vectors of length one, kept by column."""

    def __init__(self, texts: Numbers, terms: Numbers, n_texts: int) -> None:
        """Term `terms[i]` stands in text number `texts[i]`, once for each time; `texts` must be in rising order."""
        order = np.argsort(terms, kind="stable")
        texts, terms = texts[order], terms[order]
        is_first = np.ones(len(terms), dtype=bool)
        is_first[1:] = (terms[1:] != terms[:-1]) | (texts[1:] != texts[:-1])
        starts = np.flatnonzero(is_first)
        counts = np.diff(starts, append=len(terms))
        self._texts = texts[starts]
        self._terms, firsts = np.unique(terms[starts], return_index=True)
        self._bounds = np.append(firsts, len(starts))
        self._n_texts = n_texts
        self._idf = _rarity(np.diff(self._bounds), n_texts)
        weights = _damped(counts) * np.repeat(self._idf, np.diff(self._bounds))
        lengths = np.sqrt(np.bincount(self._texts, weights**2, minlength=n_texts))
        self._weights = (weights / np.maximum(lengths, 1e-9)[self._texts]).astype(np.float32)

    def cosines(self, terms: Numbers) -> Weights:
        """The cosine of every text with the text of these terms, zeros where they share none."""
        found, counts = np.unique(terms, return_counts=True)
        places = np.searchsorted(self._terms, found)
        is_known = np.zeros(len(found), dtype=bool)
        inside = places < len(self._terms)
        is_known[inside] = self._terms[places[inside]] == found[inside]
        rarest = float(_rarity(np.array([1]), self._n_texts)[0])
        weights = _damped(counts) * np.where(is_known, 0.0, rarest)
        weights[is_known] = _damped(counts[is_known]) * self._idf[places[is_known]]
        length = float(np.sqrt((weights**2).sum()))
        sums = np.zeros(self._n_texts, dtype=np.float32)
        for place, weight in zip(places[is_known], weights[is_known], strict=True):
            span = slice(self._bounds[place], self._bounds[place + 1])
            # A text stands once in the span, so that plain indexing adds up.
            sums[self._texts[span]] += np.float32(weight / length) * self._weights[span]
        return sums


def _rarity(n_with_term: Numbers, n_texts: int) -> npt.NDArray[np.float64]:
    return np.log((1 + n_texts) / (1 + n_with_term)) + 1


def _damped(counts: Numbers) -> npt.NDArray[np.float64]:
    return 1 + np.log(counts)


def _clean(text: str) -> str:
    """Words in small letters with one blank between them."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text[:LONGEST_READ]).casefold()))


def _trigrams(cleaned: str) -> Numbers:
    """A number for each run of three characters, blanks at both ends included."""
    characters = np.frombuffer(f" {cleaned} ".encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.int64)
    return (characters[:-2] << 2 * _BITS) | (characters[1:-1] << _BITS) | characters[2:]


def _joined(terms_by_text: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    lengths = [len(terms) for terms in terms_by_text]
    texts = np.repeat(np.arange(len(lengths)), lengths)
    return texts, np.concatenate([*terms_by_text, np.array([], dtype=np.int64)])


def _trigrams_of_all(cleaned: Sequence[str]) -> tuple[Numbers, Numbers]:
    return _joined([_trigrams(text) if text else np.array([], dtype=np.int64) for text in cleaned])
