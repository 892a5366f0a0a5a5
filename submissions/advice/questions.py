"""What is worth a second look in a question to the judge."""

import re
from collections.abc import Iterator

from submissions.advice.definitions import QUALITY, VAGUE
from submissions.advice.english import is_english, without_asides
from submissions.advice.joins import TOGETHER, question_join
from submissions.advice.remarks import Advice

_YES_NO = re.compile(
    r"(?:^|[,:;]\s*|\bthen\s+)(?:does|did|do|is|are|was|were|has|have|had|can|could|will|would|should)(?:n['’]t)?\s+\w",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"^\W*(?:how|what|why|which|who|where|to what|rate|score|describe|explain|evaluate|assess)\b", re.IGNORECASE
)


def remarks(question: str, number: int) -> Iterator[Advice]:
    """Advice on one question, at most one of each code; nothing for other languages and very few words."""
    bare = without_asides(question).strip()
    if len(bare.split()) < 3 or not (is_english(question) or _OPEN.search(bare)):
        return
    if not _YES_NO.search(bare) or _OPEN.search(bare):
        what = (
            "The judge answers with yes or no only.\n\nBegin with “Does the assistant”, and go on with the words of "
            "your definition."
        )
        yield Advice("question-open", "questions", "A question for yes or no", what, number=number)
        return
    two = _second_question(question, bare)
    if two:
        what = (
            f"“{two}” asks a second thing. If the answers differ, neither yes nor no is right.\n\n"
            "Keep one of them here, and ask the other as a second question: it becomes a metric of its own."
        )
        yield Advice("question-two", "questions", "Two questions in one", what, two, number=number)
    match = QUALITY.search(without_asides(question)) or VAGUE.search(without_asides(question))
    if match:
        quote = question[match.start() : match.end()]
        what = (
            f"“{quote}” asks for an opinion on how well it is done.\n\n"
            "Ask whether the thing is there, in the words of your definition."
        )
        yield Advice("question-quality", "questions", "Presence, not quality", what, quote, number=number)


def _second_question(question: str, bare: str) -> str:
    """The words that begin a second question, empty where there is one."""
    if any(words in question.lower() for words in TOGETHER):
        return ""
    _, mark, rest = bare.partition("?")
    if mark and rest.strip(" ?\n"):
        second = rest.strip()
        return second if second in question else ""
    return question_join(question)
