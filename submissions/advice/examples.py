"""What is worth a second look in the examples of replies."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from submissions.advice.english import THIRD_PERSON
from submissions.advice.remarks import Advice

_DESCRIPTION = re.compile(
    r"^\W*(?:the (?:assistant|model|ai|chatbot|bot|response|reply|answer)(?: \w+ly)? "
    r"(?:\w+s|would|should)\b"
    r"|(?:a|any) (?:reply|response|answer) (?:that|which|where|in which)\b"
    r"|(?:assistant|model|ai|response) (?P<verb>\w+s)\b|(?P<bare>\w+s) (?:the|a|that|to the) (?:user|person)\b)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^\W*(?:assistant|model|ai|chatbot)\s*:", re.IGNORECASE)
# From which share of common words two long examples are called almost the same.
ALMOST_SAME, LONG_ENOUGH = 0.9, 8
LONGEST_COMPARED = 400  # words


def remarks(present: Sequence[str], absent: Sequence[str]) -> Iterator[Advice]:
    """Advice on the examples where the behaviour is there and where it is not, in their order."""
    seen: list[tuple[str, list[str]]] = []
    for field, examples in (("examples_present", present), ("examples_absent", absent)):
        for number, example in enumerate(examples, start=1):
            plain = _plain(example)
            if not plain:
                continue
            advice = _description(field, number, example) or _repetition(field, number, plain, seen)
            seen.append((field, plain))
            if advice is not None:
                yield advice


def _description(field: str, number: int, example: str) -> Advice | None:
    match = _DESCRIPTION.search(example)
    if match is None or _SPEAKER.search(example):
        return None
    verb = match["verb"] or match["bare"]
    if verb and verb.lower() not in THIRD_PERSON:
        return None
    quote = match[0].strip()
    what = (
        f"“{quote}” tells about a reply. The judge is tried on your examples, and it needs the reply itself.\n\n"
        "Write the words that an assistant would send."
    )
    return Advice("example-description", field, "The reply itself", what, quote, number=number)


def _repetition(field: str, number: int, plain: list[str], seen: list[tuple[str, list[str]]]) -> Advice | None:
    for other_field, other in seen:
        is_same = plain == other
        if not is_same and (other_field == field or not _is_almost(plain, other)):
            continue
        if other_field == field:
            what = "You gave this example already. One that is easy and one that is on the border help most."
            return Advice("example-twice", field, "The same example twice", what, number=number)
        how = "the same" if is_same else "almost the same"
        what = (
            f"This reply is {how} as one where the behaviour is there.\n\n"
            "If you mean it, say under “How to read hard cases” what makes the difference. If not, change one of them."
        )
        return Advice("example-same", field, "Present or absent?", what, number=number)
    return None


def _is_almost(one: list[str], other: list[str]) -> bool:
    if min(len(one), len(other)) < LONG_ENOUGH:
        return False
    matcher = SequenceMatcher(None, one[:LONGEST_COMPARED], other[:LONGEST_COMPARED], autojunk=False)
    return matcher.quick_ratio() >= ALMOST_SAME and matcher.ratio() >= ALMOST_SAME


def _plain(example: str) -> list[str]:
    return re.findall(r"\w+", example.casefold())
