"""What a criterion's wording shows: that it speaks of something not done, is optional, grades, or holds several."""

import re
from dataclasses import dataclass
from typing import Literal

# absence: 'does not ask'; avoidance: 'avoids asking'; failure: 'fails to ask'; prohibition: 'must not ask'.
NegationKind = Literal["absence", "avoidance", "failure", "prohibition"]

# Sources write "don't" with either apostrophe; no offset moves, as both are one character.
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")
_ACTOR = (
    r"(?:the|this|an?|its|their|any)?\s*(?:ai|llm|overall|final|generated)?\s*(?:language\s+)?"
    r"(?:response|answer|reply|output|model|assistant|chatbot|bot|ai|llm|system|text|it)(?:'s)?"
)
_ADVERBS = r"(?:(?:\w+ly|also|still|just|at\s+all\s+times|always|ever)\s+){0,2}"
# What may stand before the verb that counts: quotes, a list mark, 'Does the chatbot', 'The response should'.
_LEAD = (
    rf"^[\s\"'\u201c*_(\[-]*(?:(?:do|does|did)\s+{_ACTOR}\s+|{_ACTOR}\s+|and\s+|but\s+)?{_ADVERBS}"
    r"(?:(?:should|must|shall|will|would|needs?\s+to|has\s+to|ought\s+to|is\s+to)\s+)?" + _ADVERBS
)
_NEGATIONS: tuple[tuple[NegationKind, str], ...] = (
    ("failure", r"fail(?:s|ed|ing|ure)?\s+to\b|neglect(?:s|ed)?\s+to\b|omit(?:s|ted)?\b|lacks?\b"),
    ("avoidance", r"avoid(?:s|ed|ing)?\b|refrain(?:s|ed|ing)?\s+from\b|abstain(?:s|ed)?\s+from\b|steers?\s+clear\b"),
    ("prohibition", r"never\b|do\s+not\b|don't\b|(?:can|may)\s*not\b|can't\b"),
    ("absence", r"(?:does|did|is|are|was|has|have)\s+(?:\w+ly\s+)?not\s+(?!only\b)|(?:does|did|is|are|has)n't\b"),
    ("absence", r"not\b(?!\s+only\b)|no\s+(?=\w)|without\b|(?:contains?|makes?|gives?|provides?|offers?)\s+no\b"),
)
_MODAL_NEGATION = re.compile(
    rf"^[\s\"'\u201c*_(\[-]*(?:{_ACTOR}\s+)?{_ADVERBS}"
    r"((?:should|must|shall|will|would|may|can|could|ought)\s*not|(?:shouldn|mustn|won|wouldn|couldn)'t)\b",
    re.IGNORECASE,
)
_NEGATION_PATTERNS = tuple((kind, re.compile(_LEAD + f"({words})", re.IGNORECASE)) for kind, words in _NEGATIONS)
_OPTIONAL = re.compile(
    rf"^[\s\"'\u201c*_(\[-]*(?:{_ACTOR}\s+)?"
    r"(may(?!\s*not)|might|could|ideally|optionally|possibly|perhaps|preferably|bonus|nice\s+to\s+have)\b",
    re.IGNORECASE,
)
_SCALE = re.compile(
    r"(?:\bscores?\s*(?:of\s*|[=:]\s*)?[0-9]\b|\b(?:scale|rating|rate[sd]?)\b[^.\n]{0,40}\b[0-9]+\s*(?:[-\u2013]|to)\s*[0-9]+"
    r"|\b[0-9]\s*[-\u2013]\s*[0-9]+\s+(?:scale|points?\b))",
    re.IGNORECASE,
)
_VERBS = (
    "acknowledges|advises|asks|avoids|clarifies|cites|corrects|declines|describes|discusses|does|doesn't|emphasizes|"
    "encourages|ends|explains|expresses|flags|gives|highlights|identifies|includes|invites|lists|maintains|mentions|"
    "notes|offers|points|presents|provides|questions|recommends|recognizes|redirects|refers|refuses|reminds|respects|"
    "says|shows|states|suggests|supports|uses|validates|warns"
)
_SEVERAL = re.compile(
    rf"(?i:\b(?:and|or|while|but)\s+(?:also\s+|then\s+|\w+ly\s+)?(?:{_VERBS})\b)|;\s+\w"
    r"|\w{3}[.!?]['\"\u201d)]*\s+[A-Z]\w"
)
# The verb that counts stands early; longer texts are not searched for it.
_BEGINNING = 300


@dataclass(frozen=True)
class Negation:
    """The words, as they stand there, by which a criterion speaks of something not done."""

    kind: NegationKind
    phrase: str


def negation(text: str) -> Negation | None:
    """The negative wording of a criterion's main verb, or None.

    Only the beginning counts: 'States that it does not know' is an act, 'Does not state a date' is none. A heuristic
    over English: what it finds is shown to a person, never acted on alone.
    """
    text = _beginning(text)
    plain = text.translate(_APOSTROPHES)
    modal = _MODAL_NEGATION.match(plain)
    if modal:
        return Negation("prohibition", text[modal.start(1) : modal.end(1)])
    for kind, pattern in _NEGATION_PATTERNS:
        found = pattern.match(plain)
        if found:
            return Negation(kind, text[found.start(1) : found.end(1)].strip())
    return None


def optional_phrase(text: str) -> str | None:
    """The word that makes a criterion optional ('May', 'ideally'), as it stands there, or None."""
    text = _beginning(text)
    found = _OPTIONAL.match(text.translate(_APOSTROPHES))
    return text[found.start(1) : found.end(1)] if found else None


def scale_phrase(text: str) -> str | None:
    """Words that grade instead of saying present or absent ('score of 3', 'scale from 1 to 5'), or None."""
    found = _SCALE.search(text)
    return found[0].strip() if found else None


def is_in_other_letters(text: str) -> bool:
    """Whether most of a criterion's letters are not Latin ones, so that none of these functions can read it."""
    if text.isascii():
        return False
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(letter > "\u024f" for letter in letters) > len(letters)


def several_phrase(text: str) -> str | None:
    """Words by which a criterion seems to ask for a second behaviour ('and offers', a second sentence), or None."""
    found = _SEVERAL.search(text.strip())
    return found[0].strip() if found else None


def _beginning(text: str) -> str:
    return " ".join(text[: 4 * _BEGINNING].split())[:_BEGINNING]
