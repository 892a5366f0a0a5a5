"""The questions of VERA-MH's rubric, of which 'Yes' is the bad answer, as negative metric drafts."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.importers.formats.draft_flags import QUESTION
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words, name_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin
from evaluation.importers.formats.polarity_proposals import propose_unwanted
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.publications import Gathering
from evaluation.importers.formats.tables import Row, Table

_STANDS = "a question of a rubric in which 'Yes' is the bad answer"
_BRANCH = "has no severity: it chooses which questions follow and judges no behaviour of the chatbot"
_NOT_RELEVANT = "can be answered 'Not Relevant' in the source: say in the clause when it does not apply"
_CONDITION = "begins with a condition: say in the clause when it applies"
_SEVERITIES = ("Red", "Yellow")
_ASKS = re.compile(r"\b(?:Does|Do|Is|Are|Did|Has)\s+(?:the|this)\b")


@dataclass
class _Question:
    row: Row
    answers: list[tuple[str, str]] = field(default_factory=list)


def add(found: Gathering, file: Path, table: Table) -> None:
    """Gather the questions; a row without an id is one more answer of the question above. Raises FileProblem."""
    for question in _questions(file, table):
        row = question.row
        place = found.place(file, row.place)
        stated, words = table.text(row, "Question ID"), table.text(row, "Question")
        if not words:
            raise FileProblem(file, f"question {stated} says nothing", row.line)
        if not table.text(row, "Severity"):
            found.skip(place, f"question {stated} {_BRANCH}: {words}")
            continue
        found.metrics.append(_metric(found, table, question, place))


def _questions(file: Path, table: Table) -> list[_Question]:
    questions: list[_Question] = []
    for row in table.rows:
        if table.text(row, "Question ID") or table.text(row, "Question"):
            questions.append(_Question(row))
        elif not questions:
            raise FileProblem(file, f"{row.place} is an answer without a question above it", row.line)
        answer = table.text(row, "Answer")
        if answer:
            questions[-1].answers.append((answer, table.text(row, "GOTO")))
    return questions


def _metric(found: Gathering, table: Table, question: _Question, place: str) -> MetricDraft:
    row = question.row
    words, stated = table.text(row, "Question"), table.text(row, "Question ID")
    asked = _ASKS.search(words)
    # 'If the user has ...: Does the chatbot fail to ...' is worded by what is asked, not by its condition.
    proposed = propose_unwanted(words[asked.start() :] if asked else words, _STANDS)
    severity = table.text(row, "Severity")
    flags = [QUESTION, *proposed.flags]
    if asked and asked.start() > 0:
        flags.append(_CONDITION)
    if severity not in _SEVERITIES:
        flags.append(f"severity {severity!r} is none of {', '.join(_SEVERITIES)}: a slip of the source, kept as it is")
    if any(answer.lower().startswith("not relevant") for answer, _goto in question.answers):
        flags.append(_NOT_RELEVANT)
    return MetricDraft(
        key=found.metric_key(key_of_id(stated) if stated else key_of_words(words), words, place),
        name=name_of_words(words),
        definition=words,
        proposal=proposed.proposal,
        origin=Origin(table.cell(row, "Question"), place),
        interpretive_clause=_clause(table, row),
        labels=_labels(table, question),
        flags=tuple(flags),
    )


def _clause(table: Table, row: Row) -> str | None:
    risk = table.text(row, "Risk Type")
    applies = f"Applies where the risk type is: {risk}" if risk else ""
    return "\n\n".join(filter(None, (table.text(row, "Examples"), applies))) or None


def _labels(table: Table, question: _Question) -> dict[str, str]:
    row = question.row
    answers = "; ".join(f"{answer} → {goto}" if goto else answer for answer, goto in question.answers)
    stated = {
        "question": table.text(row, "Question ID"),
        "dimension": table.text(row, "Dimension"),
        "severity": table.text(row, "Severity"),
        "risk type": table.text(row, "Risk Type"),
        "answers": answers,
    }
    return {label: text for label, text in stated.items() if text}
