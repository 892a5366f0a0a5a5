"""Keys and names of drafts: from the source's ids where it has any, else from its words, never from a position."""

import hashlib
import unicodedata

from evaluation.importers.formats.slugs import is_local_id, slugify

LONGEST_KEY = 64
LONGEST_NAME = 120
_N_DIGITS = 10
_QUOTES = str.maketrans("\u2018\u2019\u201a\u201c\u201d\u201e\u2013\u2014", "'''\"\"\"--")


def same_words(text: str) -> str:
    """What two texts share that differ only in case, blanks, kind of quotes and a full stop at the end."""
    plain = unicodedata.normalize("NFC", text).translate(_QUOTES).casefold()
    return " ".join(plain.split()).rstrip(".").rstrip()


def key_of_words(text: str, *besides: str) -> str:
    """A key that is the same for the same words (see `same_words`): their beginning and a hash of them all.

    `besides` tells apart what says the same in different roles, such as 'should_not'. At most 64 characters.
    """
    content = "\0".join((same_words(text), *besides))
    digits = hashlib.sha256(content.encode()).hexdigest()[:_N_DIGITS]
    beginning = slugify(text[:200])[: LONGEST_KEY - _N_DIGITS - 1]
    if len(beginning) == LONGEST_KEY - _N_DIGITS - 1 and "-" in beginning:
        beginning = beginning.rsplit("-", 1)[0]
    return f"{beginning}-{digits}" if beginning else f"c-{digits}"


def key_of_id(stated: str) -> str:
    """The source's own id where it can stand in an address, else one made from it: 'q-4-b-' and a hash for 'Q 4/b'."""
    return stated if is_local_id(stated) else key_of_words(stated)


class Keys:
    """Gives every draft of a file its own key, the first one of an id the plain one."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, key: str, words: str) -> tuple[str, bool]:
        """The key to use and whether it is another than asked for, because that one was taken.

        The other key comes from the draft's words, so that it stays the same when drafts before it come or go.
        """
        chosen, n = key, 1
        if chosen in self._taken:
            chosen = key_of_words(words, key)
        while chosen in self._taken:
            n += 1
            chosen = key_of_words(words, key, str(n))
        self._taken.add(chosen)
        return chosen, chosen != key


def name_of_words(text: str, longest: int = LONGEST_NAME) -> str:
    """A name for a draft: the words in one line, cut after a whole word with an ellipsis where they are too many."""
    words = " ".join(text.split())
    words = words[:-1] if words.endswith(".") and not words.endswith("..") else words
    if len(words) <= longest:
        return words
    cut = words[: longest - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut).rstrip(" ,;:-") + "…"
