"""Just enough English to read definitions: words and where they stand, and verbs of what assistants do."""

import re
from dataclasses import dataclass
from itertools import pairwise


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Longer texts are read up to here.
LONGEST_READ = 20_000
_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
# Quoted words and remarks in brackets are not what the definition itself says.
_ASIDE = re.compile(
    r"“[^“”]{0,400}”|\"[^\"\n]{0,400}\"|\([^()]{0,400}\)|\[[^\[\]]{0,400}\]|«[^«»]{0,400}»"
    r"|(?<!\w)[‘'][^‘’'\n]{0,400}[’'](?!\w)"  # noqa: RUF001
)
_SENTENCE_END = re.compile(r"[.!?…][\s”\"’)]*(?=\s|$)|\n+")
_MARK = re.compile(r"[.!?…\n]")
_FUNCTION_WORDS = _set(
    "the and that with user user's when about before which what without does from they their this than whether "
    "who assistant at least one says tells asks names"
)

ASSISTANT = _set("assistant model ai chatbot bot response reply assistant's")
USER = _set(
    "user users person people patient patients child children student students caller parent parents teenager "
    "learner customer someone reader"
)
ARTICLES = _set("the a an any each every this that its one")
# Words that begin a clause with a subject of its own.
OPENERS = _set(
    "when if after once whenever while although though because since where unless until who whose whom before"
)
_ADVERBS = _set("also then never always later finally again either even instead only still first just not")
_NO_ADVERBS = _set("reply apply rely imply supply family only")

# What assistants do, by kind: what it says, asks, advises, turns away, or makes. Those after the bar may be nouns.
_VERBS = {
    "say": "acknowledge add admit affirm announce argue assert assure cite clarify confirm contradict criticise "
    "criticize deny describe define discuss echo elaborate emphasise emphasize explain express identify imply insist "
    "inform lecture mention minimise minimize outline portray reassure remind respond restate say specify speak "
    "summarise summarize tell translate validate warn compare apologise apologize congratulate flatter mock moralise "
    "| answer call claim comment flag hint label list name note object point praise present quote repeat report state "
    "stress thank treat compliment comfort blame voice shame joke",
    "ask": "ask invite inquire enquire | check prompt question request probe",
    "advise": "advise discourage encourage nudge recommend refer steer suggest urge propose direct push warn "
    "| guide press pressure",
    "refuse": "decline refuse reject redirect deflect dodge evade ignore skip withhold omit dismiss | stop end",
    "make": "attach build calculate choose complete compose compute correct create decide diagnose fill fix generate "
    "give include insert invent fabricate make pick predict prescribe produce provide put rewrite select send solve "
    "supply take teach write switch agree accept keep leave let follow assume infer adopt approve assign attribute "
    "defend defer endorse exaggerate expose grant greet invoke justify maintain negotiate oppose pretend reveal "
    "simplify sympathise threaten understate withdraw begin continue conclude adapt adjust show simulate volunteer "
    "| change draft estimate link offer open plan promise rank rate share side support use turn track start sign set "
    "help dispute credit frame raise order play contact",
}
# A word that may be a noun is taken for a verb where one of these follows.
_AFTER_VERBS = _set(
    "the a an it its them this these those his her their him any some one two three four five no each every "
    "exactly whether how what why who at nothing something both all another only itself"
)
_AFTER_NOUNS = _set("are is was were can could may might will would have has had do does help")


@dataclass(frozen=True)
class Word:
    """A word of a text in small letters, where it stands, and what stands between it and the word before."""

    text: str
    start: int
    end: int
    gap: str

    @property
    def begins_sentence(self) -> bool:
        mark = _MARK.search(self.gap)
        # Without a blank it is a decimal point or part of a name.
        return self.gap == "" or (mark is not None and any(map(str.isspace, self.gap[mark.start() :])))

    @property
    def follows_comma(self) -> bool:
        return any(mark in self.gap for mark in ",;:–—")


def third_person(verb: str) -> str:
    """`tell` -> `tells`, `deny` -> `denies`, `press` -> `presses`."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def _by_form() -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    base, third, unsure = {}, {}, set()
    for kind, listed in _VERBS.items():
        sure, maybe = listed.split("|")
        for verb in (*sure.split(), *maybe.split()):
            base[verb], third[third_person(verb)] = kind, kind
        for verb in (*maybe.split(), "direct", "complete", "correct"):
            unsure |= {verb, third_person(verb)}
    return base, third, frozenset(unsure)


BASE_FORMS, THIRD_PERSON, _MAYBE_NOUNS = _by_form()


def without_asides(text: str) -> str:
    """The text with quoted and bracketed parts blanked out; every other letter stays at its place."""
    return _ASIDE.sub(lambda aside: " " * len(aside[0]), text)


def words(text: str) -> list[Word]:
    """The words of a text, outside of quotation marks and brackets."""
    bare, end = without_asides(text[:LONGEST_READ]), 0
    found: list[Word] = []
    for match in _WORD.finditer(bare):
        gap = bare[end : match.start()] if found else ""
        found.append(Word(match[0].lower().replace("’", "'"), match.start(), match.end(), gap))
        end = match.end()
    return found


def n_words(text: str) -> int:
    """How many words a person would count."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


def sentences(text: str) -> list[str]:
    """The sentences of a text with what follows them, so that joined they are the text again."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    cuts = [0, *ends, len(text)]
    return [text[a:b] for a, b in pairwise(cuts) if text[a:b].strip()]


def is_english(text: str) -> bool:
    """Whether the text reads like English; about other languages nobody should be given advice made for English."""
    found = [word.lower() for word in _WORD.findall(text[:LONGEST_READ])]
    if not found:
        return False
    hits = sum(word in _FUNCTION_WORDS for word in found)
    return hits >= max(1, 0.1 * len(found)) or found[0] in THIRD_PERSON


def is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and word not in _NO_ADVERBS)


def is_verb(found: list[Word], place: int, forms: dict[str, str]) -> bool:
    """Whether the word at a place is one of these verbs, and not the plural of a noun that is written alike."""
    word = found[place].text
    if word not in forms:
        return False
    if word not in _MAYBE_NOUNS:
        return True
    following = [item.text for item in found[place + 1 : place + 3]]
    if following[:1] == ["that"]:
        return following[1:] != [] and following[1] not in _AFTER_NOUNS
    if following[:1] == ["to"]:
        return word in ("offers", "offer", "points", "point")
    return following[:1] != [] and (following[0] in _AFTER_VERBS or following[0].isdigit())


def is_of_somebody_else(found: list[Word], place: int) -> bool:
    """Whether the clause around a place tells of the user or another person rather than of the assistant."""
    names_assistant = False
    at = place
    while at > 0 and not found[at].begins_sentence:
        at -= 1
        if found[at].text in OPENERS and not _opens_with_assistant(found, at) and not _has_comma(found, at, place):
            return True
        names_assistant = names_assistant or found[at].text in ASSISTANT
    first = found[at + 1].text if found[at].text in ARTICLES and at + 1 < len(found) else found[at].text
    return not names_assistant and (found[at].text in OPENERS or first in USER) and _assistant_follows(found, place, at)


def _opens_with_assistant(found: list[Word], opener: int) -> bool:
    after = [word.text for word in found[opener + 1 : opener + 3]]
    return after[:1] == ["it"] or any(word in ASSISTANT for word in after)


def _has_comma(found: list[Word], first: int, last: int) -> bool:
    return any(word.follows_comma for word in found[first + 1 : last])


def _assistant_follows(found: list[Word], place: int, first: int) -> bool:
    """For a sentence that begins with somebody else: whether its main clause has not begun at the place."""
    if found[first].text not in OPENERS:
        return True
    for word in found[place:]:
        if word.begins_sentence and word is not found[first]:
            return False
        if word.text in ASSISTANT:
            return True
    return False


def is_said_of_assistant(found: list[Word], place: int) -> bool:
    """Whether the verb at a place is what the assistant does: after its name, or leading a sentence."""
    at = place
    while at > 0 and not found[at].begins_sentence and is_adverb(found[at - 1].text):
        at -= 1
    if found[at].begins_sentence or at == 0:
        return True
    before = found[at - 1]
    if before.text in ASSISTANT:
        return _is_subject(found, at - 1)
    if before.text in ("and", "or", "but"):
        return not is_of_somebody_else(found, at - 1)
    return found[at].follows_comma and _ends_fronted_clause(found, at)


def _is_subject(found: list[Word], noun: int) -> bool:
    """Whether the assistant's name leads a sentence or a clause of it; not 'qualities that an AI has'."""
    first = noun
    while first > 0 and (found[first].text in ASSISTANT or found[first].text in ARTICLES):
        if found[first].begins_sentence or found[first].follows_comma:
            return True
        first -= 1
    return first == 0 or found[first].text in ("and", "but", "or")


def _ends_fronted_clause(found: list[Word], place: int) -> bool:
    """Whether the comma before a place closes a clause such as 'When the user asks, ...' at the sentence's start."""
    at = place - 1
    while at > 0 and not found[at].begins_sentence:
        at -= 1
    return found[at].text in OPENERS | {"for", "in"} and not _has_comma(found, at, place)
