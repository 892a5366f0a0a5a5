"""What is worth a second look in the definition of a behaviour, and what is well done in it."""

import re
from collections.abc import Iterator

from submissions.advice.english import (
    ARTICLES,
    ASSISTANT,
    OPENERS,
    THIRD_PERSON,
    USER,
    Word,
    is_adverb,
    is_said_of_assistant,
    is_verb,
    n_words,
    without_asides,
    words,
)
from submissions.advice.joins import find_join, split
from submissions.advice.remarks import Advice

# What most good definitions keep to, in words; advice comes only well outside of it.
USUAL_WORDS = (25, 60)
FEWEST_WORDS, MOST_WORDS = 9, 80
# Before that an author is still at the beginning of the sentence.
ENOUGH_WORDS = 5

VAGUE = re.compile(
    r"\b(?:in)?appropriate(?:ly)?\b|\b(?:un)?helpful(?:ly)?\b|\b(?:im)?proper(?:ly)?\b|\b(?:un)?suitabl[ey]\b"
    r"|\b(?:un)?reasonabl[ey]\b|\bmeaningful(?:ly)?\b|\bthoughtful(?:ly)?\b|\bnuanced\b|\bsensitively\b"
    r"|\bwith sensitivity\b|\bsupportive(?:ly)?\b|\b(?:un)?empath(?:et)?ic(?:ally)?\b|\bcompassionate(?:ly)?\b"
    r"|\b(?:dis)?respectful(?:ly)?\b|\b(?:ir)?responsibly\b|\b(?:un)?ethically\b|\bunfairly\b|\bfairly\b"
    r"|\bexcessive(?:ly)?\b|\boverly\b|\bunnecessar(?:y|ily)\b|\bharmful (?:advice|content|information|repl(?:y|ies)"
    r"|responses?|behaviou?rs?|suggestions?)\b|\b(?:good|bad|better|best|nice|right|wrong) (?:advice|answers?|care|"
    r"guidance|information|job|manner|repl(?:y|ies)|responses?|support|way|tone)\b|\bgood\b(?=[.,;]|$)"
    r"|\b(?:as|if|when|where) (?:needed|necessary|relevant|required|indicated)\b|\bprofessionally\b|\btactful(?:ly)?\b"
    r"|\bconsiderately\b|\bkindly\b|\bwarmly\b|\bgently\b|\bsafely\b",
    re.IGNORECASE,
)
VAGUE_VERBS = frozenset(
    {
        "addresses", "considers", "deals", "empowers", "engages", "enhances", "ensures", "facilitates", "fosters",
        "handles", "helps", "improves", "manages", "prioritises", "prioritizes", "promotes", "protects", "respects",
        "strengthens", "supports", "upholds",
    }
)  # fmt: skip
QUALITY = re.compile(
    r"\b(?:in)?adequate(?:ly)?\b|\b(?:in)?sufficiently\b|\bthorough(?:ly)?\b|\b(?:in)?effectively\b"
    r"|\b(?:in)?correctly\b|\b(?:in)?accurately\b|\bpoorly\b|\b(?:high|low|good|poor)[- ]quality\b"
    r"|\bhow (?:well|good|much|accurately|clearly|far|strongly|helpful)\b|\bthe (?:quality|degree|extent) (?:of|to)\b"
    r"|\bto what (?:extent|degree)\b|\bdoes (?:a|an) \w+ job\b|\b(?<!as )well\b(?=[.,;]|$| enough)",
    re.IGNORECASE,
)
MENTAL = frozenset(
    {
        "aims", "attempts", "believes", "cares", "comprehends", "desires", "empathises", "empathizes", "expects",
        "feels", "hopes", "intends", "knows", "notices", "perceives", "prefers", "realises", "realizes", "recognises",
        "recognizes", "seeks", "senses", "thinks", "tries", "understands", "wants", "wishes",
    }
)  # fmt: skip
MOTIVES = re.compile(
    r"\b(?:deliberately|intentionally|knowingly|on purpose|with the (?:intention|aim|goal) of"
    r"|is aware (?:of|that)|has the (?:intention|goal) (?:of|to))\b",
    re.IGNORECASE,
)
EFFECTS = re.compile(
    r"\b(?:makes|leaves|helps|causes|lets|keeps) (?:the |an? )?(?:user|person|patient|child|student)s? "
    r"(?:to )?(?:feel(?:ing)?|think(?:ing)?|believ(?:e|ing)|understand|trust|more|less|calm|confused|worried)\b"
    r"|\bso that (?:the |an? )?(?:user|person|patient|child|student)s? "
    r"(?:feels?|understands?|knows?|trusts?|believes?)\b",
    re.IGNORECASE,
)
TURNS = re.compile(
    r"\b(?:throughout|over the course of|over time|over several|consistently|gradually|eventually|repeatedly"
    r"|again and again"
    r"|across (?:multiple|several|many|all|different)? ?(?:turns|messages|replies|conversations|sessions|chats)"
    r"|in (?:every|each|all) (?:turns?|repl(?:y|ies)|messages?|responses?)"
    r"|during the (?:whole|entire) (?:chat|conversation))\b",
    re.IGNORECASE,
)
ABSOLUTE = re.compile(
    r"\b(?:at all times|under no circumstances|in all cases|every time|constantly|invariably|without exception)\b",
    re.IGNORECASE,
)
_GOING_ON = frozenset({"continues", "persists", "repeats"})
_ABSENT = frozenset({"avoids", "refrains", "fails", "omits", "neglects", "abstains", "forgets", "lacks"})


def remarks(definition: str, polarity: str) -> Iterator[Advice]:
    """Advice on an English definition, the weightiest first; at most one of each code."""
    found, bare = words(definition), without_asides(definition)
    rules = (
        _absence(definition, found, polarity),
        _user_subject(definition, found, bare),
        _joins(definition),
        _mind_reading(definition, found, bare),
        _vague(definition, found, bare),
        _quality(definition, bare),
        _turns(definition, found, bare),
        _absolute(definition, found, bare),
        _length(definition),
    )
    return (advice for advice in rules if advice is not None)


def _remark(code: str, headline: str, text: str, quote: str = "", actions: tuple[str, ...] = ("keep",)) -> Advice:
    said = f"“{quote}” {text}" if quote else text
    return Advice(code, "definition", headline, said, quote, actions)


def _absence(definition: str, found: list[Word], polarity: str) -> Advice | None:
    place = next((at for at in range(len(found)) if _is_negation(found, at)), None)
    if place is None:
        return None
    last = place + 1 if found[place].text in ("does", "fails", "refrains", "never") else place
    quote = definition[found[place].start : found[min(last, len(found) - 1)].end]
    if polarity == "positive":
        what = (
            "says what is missing. A judge finds it easier to see what is there.\n\nDescribe the behaviour that the "
            "assistant keeps clear of, and mark it as bad. The good outcome then is that it is not there."
        )
    else:
        what = (
            "says what is missing. The judge looks for the behaviour itself, also when it is a bad one.\n\nWrite down "
            "what the assistant does when things go wrong: not “does not ask”, but “names a cause before it has asked”."
        )
    return _remark("absence", "Describe the behaviour itself", what, quote)


def _is_negation(found: list[Word], place: int) -> bool:
    word = found[place].text
    following = found[place + 1].text if place + 1 < len(found) else ""
    is_one = (
        word in _ABSENT
        or (word in ("doesn't", "does") and (word == "doesn't" or following == "not"))
        or (word == "never" and following in THIRD_PERSON)
    )  # fmt: skip
    is_joined = place > 0 and found[place - 1].text in ("and", "or", "but") and not found[place].begins_sentence
    return is_one and not is_joined and is_said_of_assistant(found, place)


def _user_subject(definition: str, found: list[Word], bare: str) -> Advice | None:
    effect = EFFECTS.search(bare)
    quote = definition[effect.start() : effect.end()] if effect else _leading_user(definition, found)
    if not quote:
        return None
    what = (
        "speaks of the user. Two assistants that write the same words would differ if two users take them "
        "differently.\n\nSay what the assistant writes. The situation of the user has its place in the scenario."
    )
    return _remark("user-subject", "Say what the assistant does", what, quote)


def _leading_user(definition: str, found: list[Word]) -> str:
    """'The user feels' where it is the subject and no assistant acts anywhere in the definition."""
    acts = any(
        word.text in ASSISTANT and at + 1 < len(found) and not found[at + 1].begins_sentence
        for at, word in enumerate(found)
        if at == 0 or found[at - 1].text in ARTICLES or word.begins_sentence
    ) or any(is_verb(found, at, THIRD_PERSON) and found[at].begins_sentence for at in range(len(found)))
    if acts or not found:
        return ""
    at = 1 if found[0].text in ARTICLES and len(found) > 1 else 0
    return definition[found[0].start : found[min(at + 1, len(found) - 1)].end] if found[at].text in USER else ""


def _joins(definition: str) -> Advice | None:
    join = find_join(definition)
    if join is None:
        return None
    what = (
        "joins two behaviours. A judge can only answer yes or no. If only one of the two happens, it will waver.\n\n"
        "If both must happen, write “in the same reply”. If one is enough, make two metrics of it."
    )
    actions = ("split", "keep") if split(definition) else ("keep",)
    return _remark("joins", "Worth a second look", what, join.quote, actions)


def _mind_reading(definition: str, found: list[Word], bare: str) -> Advice | None:
    motive = MOTIVES.search(bare)
    quote = definition[motive.start() : motive.end()] if motive else _verb_of_assistant(definition, found, MENTAL)
    if not quote:
        return None
    what = (
        "cannot be seen from outside: the judge reads words, not intentions.\n\n"
        "Name the words or the act by which one would know it, such as “says that” or “asks whether”."
    )
    return _remark("mind-reading", "Only what can be read", what, quote)


def _verb_of_assistant(definition: str, found: list[Word], verbs: frozenset[str]) -> str:
    for at, word in enumerate(found):
        if word.text in verbs and is_said_of_assistant(found, at):
            return definition[word.start : word.end]
    return ""


def _vague(definition: str, found: list[Word], bare: str) -> Advice | None:
    quotes = _quotes(VAGUE, definition, bare)
    verb = _verb_of_assistant(definition, found, VAGUE_VERBS)
    quotes += [verb] if verb else []
    if not quotes:
        return None
    others = f" So {'does' if len(quotes) == 2 else 'do'} {_listed(quotes[1:4])}." if len(quotes) > 1 else ""
    what = (
        f"means one thing to you and another to the judge.{others}\n\n"
        "Say what one would find in the reply: a question, a number, a name, a warning."
    )
    return _remark("vague", "A word that can mean much", what, quotes[0])


def _quality(definition: str, bare: str) -> Advice | None:
    quotes = _quotes(QUALITY, definition, bare)
    if not quotes:
        return None
    what = (
        "asks how well something is done. The judge only says whether it is there.\n\n"
        "Name the one thing whose presence makes the difference, so that yes or no is enough."
    )
    return _remark("quality", "Presence, not quality", what, quotes[0])


def _turns(definition: str, found: list[Word], bare: str) -> Advice | None:
    quotes = _quotes(TURNS, definition, bare)
    quote = quotes[0] if quotes else _verb_of_assistant(definition, found, _GOING_ON)
    if not quote:
        return None
    what = (
        "needs more than one reply to be seen, and a conversation has six turns at most.\n\n"
        "Say what one would find in a single reply, or how often it must happen: “in two replies or more”."
    )
    return _remark("turns", "Several turns needed", what, quote)


def _absolute(definition: str, found: list[Word], bare: str) -> Advice | None:
    quotes = _quotes(ABSOLUTE, definition, bare)
    for at, word in enumerate(found[:-1]):
        if word.text == "always" and found[at + 1].text in {*THIRD_PERSON, "does"} and is_said_of_assistant(found, at):
            quotes.append(definition[word.start : word.end])
    if not quotes:
        return None
    what = (
        "cannot be shown by one conversation: a single exception would answer the question.\n\n"
        "Leave the word out. How often the behaviour happens is what the results say."
    )
    return _remark("absolute", "One conversation shows no “always”", what, quotes[0])


def _length(definition: str) -> Advice | None:
    count, (least, most) = n_words(definition), USUAL_WORDS
    if count < FEWEST_WORDS:
        what = (
            f"{count} words leave much open. Most good definitions have {least} to {most}: say when, and what one sees."
        )
        return Advice("short", "definition", "Short", what, actions=())
    if count > MOST_WORDS:
        what = (
            f"{count} words are hard to keep in mind at once. Most good definitions have {least} to {most}.\n\n"
            "What is about special cases has its place under “How to read hard cases”."
        )
        return Advice("long", "definition", "Long", what, actions=())
    return None


def _quotes(pattern: re.Pattern[str], definition: str, bare: str) -> list[str]:
    """What a pattern finds outside of quotation marks and brackets, letter for letter, each once."""
    return list(dict.fromkeys(definition[match.start() : match.end()] for match in pattern.finditer(bare)))


def _listed(quotes: list[str]) -> str:
    return " and ".join(f"“{quote}”" for quote in quotes)


def praise(definition: str, polarity: str) -> Iterator[str]:
    """What an English definition does well, in short sentences."""
    codes = {advice.code for advice in remarks(definition, polarity)}
    if "joins" not in codes:
        yield "Describes one behaviour"
    if "user-subject" not in codes and _names_an_act(words(definition)):
        yield "Says what the assistant does, not what the user feels"
    if not codes & {"mind-reading", "turns", "absolute"}:
        yield "Can be seen in the text of one conversation"
    if "absence" not in codes:
        bad = polarity == "negative"
        yield "Describes the behaviour itself, though it is a bad one" if bad else "Describes the behaviour itself"
    if not codes & {"vague", "quality"}:
        yield "No vague words such as “appropriate” or “good”"


def _names_an_act(found: list[Word]) -> bool:
    """Whether the assistant is the subject somewhere, or the definition begins with what it does."""
    if not found:
        return False
    first = 0
    while first < len(found) - 1 and is_adverb(found[first].text):
        first += 1
    return (
        any(word.text in ASSISTANT for word in found)
        or found[first].text in THIRD_PERSON
        or (found[0].text in OPENERS and any(is_verb(found, at, THIRD_PERSON) for at in range(len(found))))
    )
