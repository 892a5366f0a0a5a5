"""Finds the word that joins two behaviours in one definition, and proposes how to part them."""

from dataclasses import dataclass

from submissions.advice.english import (
    ASSISTANT,
    BASE_FORMS,
    OPENERS,
    THIRD_PERSON,
    Word,
    is_adverb,
    is_of_somebody_else,
    is_verb,
    sentences,
    words,
)

# How an author says that both together are one thing.
TOGETHER = ("in the same reply", "in the same response", "in one reply", "both in one")


@dataclass(frozen=True)
class Join:
    """Where a joining word stands (`start`), where what it joins begins (`second`), and the words to quote.

    `kind` is `verb` for 'and names ...', `without` for 'and without naming ...', `subject` for 'and it names ...'.
    """

    kind: str
    start: int
    second: int
    quote: str


def find_join(text: str) -> Join | None:
    """The first word that joins two behaviours in a definition; None where there is one behaviour."""
    if any(words_ in text.lower() for words_ in TOGETHER):
        return None
    found = words(text)
    return next((join for place in range(1, len(found)) if (join := _join_at(text, found, place))), None)


def question_join(question: str) -> str:
    """The words in a question to the judge that join two questions, empty where there is one."""
    found = words(question)
    for place in range(2, len(found) - 1):
        joiner, second = found[place], _after_adverbs(found, place + 1)
        if joiner.text not in ("and", "or") or second >= len(found) or found[place - 1].text in ("to", "or", "and"):
            continue
        if (
            is_verb(found, second, BASE_FORMS)
            and not _shares_to(found, place)
            and _parts(found, place, second, BASE_FORMS)
        ):
            return question[joiner.start : found[second].end]
    return ""


def _shares_to(found: list[Word], place: int) -> bool:
    """Whether the verbs are joined under one 'to' ('offers to listen and tell'), or tell of the user."""
    before = [word.text for word in found[max(0, place - 6) : place]]
    return "to" in before or any(word in OPENERS for word in before)


def _join_at(text: str, found: list[Word], place: int) -> Join | None:
    word = found[place]
    if word.text == "also" and _says_it_also(found, place):
        return Join(
            "subject",
            found[place - 1].start,
            found[place + 1].start,
            text[found[place - 1].start : found[place + 1].end],
        )
    if word.text == "well" and _is_as_well_as(found, place):
        return Join(
            "gerund",
            found[place - 1].start,
            found[place + 2].start,
            text[found[place - 1].start : found[place + 2].end],
        )
    is_joiner = word.text in ("and", "or", "but") or (word.text == "then" and word.follows_comma)
    if not is_joiner or is_of_somebody_else(found, place):
        return None
    if is_adverb(found[place - 1].text) and found[place - 1].text.endswith("ly"):
        return None  # 'clearly and gently says' is one act
    second = _after_adverbs(found, place + 1)
    kind = _kind(found, place, second)
    if not kind:
        return None
    last = second + (kind in ("without", "subject") or found[second].text == "does")
    return Join(kind, word.start, found[place + 1].start, text[word.start : found[last].end])


def _kind(found: list[Word], place: int, second: int) -> str:
    """What begins after a joining word at `place`, by the word at `second`; empty for no behaviour of its own."""
    if second >= len(found):
        return ""
    joiner, word = found[place].text, found[second].text
    following = found[second + 1].text if second + 1 < len(found) else ""
    if joiner != "or" and word == "without" and following.endswith("ing"):
        return "without"
    if joiner != "or" and (word == "doesn't" or (word == "does" and following == "not")):
        return "verb"
    is_pronoun = word == "it" and second + 1 < len(found) and is_verb(found, second + 1, THIRD_PERSON)
    at = second + 1 if is_pronoun else second
    if is_verb(found, at, THIRD_PERSON) and (joiner != "or" or _parts(found, place, at, THIRD_PERSON)):
        return "subject" if is_pronoun else "verb"
    return ""


def _parts(found: list[Word], place: int, second: int, forms: dict[str, str]) -> bool:
    """Whether a joining word parts two kinds of behaviour that each have an object of their own.

    'Names or describes a method' and 'says that it is harmless, or names a harmless cause' each ask for one thing.
    """
    before = next((at for at in range(place - 1, -1, -1) if is_verb(found, at, forms)), None)
    if before is None or before == place - 1:
        return False
    return found[place].text != "or" or forms[found[before].text] != forms[found[second].text]


def _says_it_also(found: list[Word], place: int) -> bool:
    """'It also names ...' at the beginning of a sentence, where the assistant was named before."""
    if place + 1 >= len(found) or not is_verb(found, place + 1, THIRD_PERSON):
        return False
    subject = found[place - 1]
    return subject.text in ASSISTANT or (subject.text == "it" and subject.begins_sentence)


def _is_as_well_as(found: list[Word], place: int) -> bool:
    around = [word.text for word in found[place - 1 : place + 3]]
    return len(around) == 4 and around[::2] == ["as", "as"] and around[3].endswith("ing")


def _after_adverbs(found: list[Word], place: int) -> int:
    while place < len(found) and is_adverb(found[place].text):
        place += 1
    return place


def split(definition: str) -> tuple[str, str] | None:
    """Two definitions made of one at its joining word, as a proposal to edit; None where nothing joins two.

    Sentences around the one that is parted stay with both.
    """
    join = find_join(definition)
    if join is None:
        return None
    before, sentence, after = _around(definition, join.start)
    start, second = join.start - len(before), join.second - len(before)
    first_part = sentence[:start].rstrip(" ,;:—–\n")
    if not first_part:
        first_part, before = before.strip(), ""
    second_part = _second(join, first_part, sentence[second:].strip())
    if not first_part or not second_part:
        return None
    return _whole(before, first_part, after), _whole(before, second_part, after)


def _around(text: str, place: int) -> tuple[str, str, str]:
    """What stands before the sentence around a place, the sentence, and what stands after it."""
    done = 0
    for sentence in sentences(text):
        start = text.index(sentence, done)
        done = start + len(sentence)
        if place < done:
            return text[:start], sentence, text[done:]
    return "", text, ""


def _second(join: Join, first: str, rest: str) -> str:
    if join.kind == "without":
        return f"{_main_clause(first)}, {rest}"
    if join.kind == "gerund":
        return ""
    found = words(first)
    subject = next((at for at, word in enumerate(found) if word.text in ASSISTANT and not _is_object(found, at)), None)
    if join.kind == "subject":
        rest = rest.split(maxsplit=1)[1] if rest.lower().startswith("it ") else rest
    if subject is not None:
        return f"{first[: found[subject].end]} {rest}"
    fronted = _fronted_clause(first, found)
    return f"{fronted} {rest}" if fronted else rest[:1].upper() + rest[1:]


def _is_object(found: list[Word], place: int) -> bool:
    """Whether the name of the assistant is no subject here: nothing that it does follows."""
    after = _after_adverbs(found, place + 1)
    return after >= len(found) or not (found[after].text.endswith("s") or found[after].text == "does")


def _fronted_clause(first: str, found: list[Word]) -> str:
    """'When the user asks for a dose,' of a definition without a subject; empty where it begins with its verb."""
    if not found or found[0].text not in OPENERS:
        return ""
    comma = next((word for word in found[1:] if word.follows_comma), None)
    return first[: comma.start].rstrip() if comma else ""


def _main_clause(first: str) -> str:
    """The clause up to a condition such as 'before ...', to which 'without ...' is put in its place."""
    found = words(first)
    subject = next((at for at, word in enumerate(found) if word.text in ASSISTANT | {"tells"}), 0)
    for word in found[subject + 2 :]:
        if word.text in ("before", "without", "although"):
            return first[: word.start].rstrip(" ,;:")
    return first


def _whole(before: str, part: str, after: str) -> str:
    end = "" if part[-1] in ".!?…" else "."
    return f"{before}{part}{end}{' ' if after else ''}{after.strip()}"
