"""Assignments from a table: a submission's id and a reviewer's address on each line; all of them or none."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from impactbench.accounts.models import User
from impactbench.common.errors import DomainError
from submissions.models import Assignment, Submission
from submissions.selectors.visible import for_editing
from submissions.services import rounds
from submissions.states import State

MOST_LINES = 500
LONGEST_FILE = 200_000


class BadLines(DomainError):
    """What is wrong, line by line."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("Nothing was done, because some lines cannot be used.")
        self.problems = problems


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    submission: Submission
    person: User


def import_assignments(
    text: str, *, actor: Any, answer_by: datetime | None = None, due_at: datetime | None = None
) -> list[Assignment]:
    """Ask everybody in the table; who was asked already is passed over, so the same file twice asks once.

    Raises BadLines with every line that cannot be used; then nobody was asked.
    """
    lines, problems = _lines(text, actor)
    made: list[Assignment] = []
    with transaction.atomic():
        for line in lines:
            try:
                with transaction.atomic():
                    made += _ask(line, actor, answer_by, due_at)
            except DomainError as error:
                problems.append((line.number, f"Line {line.number}: {error}"))
        if problems:
            raise BadLines([words for _, words in sorted(problems)])
    return made


def _ask(line: _Line, actor: Any, answer_by: datetime | None, due_at: datetime | None) -> list[Assignment]:
    line.submission.refresh_from_db(fields=["state"])
    usual_answer, usual_due = rounds.usual_dates(line.submission)
    dates = {"answer_by": answer_by or usual_answer, "due_at": due_at or usual_due}
    if line.submission.state == State.SUBMITTED:
        opened = rounds.open_round(line.submission, actor=actor, people=[line.person], **dates)
        return list(opened.assignments.filter(person=line.person))
    round_ = rounds.open_round_of(line.submission)
    if round_ is None:
        raise DomainError("It is not under review, so nobody can be asked.")
    return rounds.ask(round_, [line.person], actor=actor, **dates)


def _lines(text: str, actor: Any) -> tuple[list[_Line], list[tuple[int, str]]]:
    if len(text) > LONGEST_FILE:
        raise BadLines([f"The file is longer than {LONGEST_FILE:,} characters. Split it."])
    found: list[_Line] = []
    problems: list[tuple[int, str]] = []
    rows = [(number, row) for number, row in enumerate(_rows(text), start=1) if any(cell.strip() for cell in row)]
    if rows and _is_header(rows[0][1]):
        rows = rows[1:]
    if not rows:
        problems.append(
            (0, "There is no line in it. Write an id and an address on each line: S-2K7QXM,name@example.org")
        )
    if len(rows) > MOST_LINES:
        raise BadLines([f"There are {len(rows)} lines; at most {MOST_LINES} can be read at once."])
    for number, row in rows:
        line = _line(number, row, actor)
        if isinstance(line, _Line):
            found.append(line)
        else:
            problems.append((number, line))
    return found, problems


def _line(number: int, row: list[str], actor: Any) -> _Line | str:
    if len(row) != 2:
        return f"Line {number}: it has {len(row)} cells; write an id and an address, with a comma between them."
    name, address = (cell.strip() for cell in row)
    submission = for_editing(actor).filter(public_id__iexact=name).first()
    if submission is None:
        return f"Line {number}: there is no submission {name[:20]} that you handle."
    person = User.objects.by_email(address)
    if person is None or not person.has_role("reviewer"):
        return f"Line {number}: no reviewer has the address {address[:100]}."
    return _Line(number, submission, person)


def _rows(text: str) -> list[list[str]]:
    cleaned = text.replace("\x00", "").removeprefix("\ufeff")
    first = cleaned.splitlines()[0] if cleaned.strip() else ""
    delimiter = ";" if ";" in first and "," not in first else "\t" if "\t" in first and "," not in first else ","
    try:
        return list(csv.reader(io.StringIO(cleaned), delimiter=delimiter))
    except csv.Error:
        raise BadLines(["The file is no table that can be read. Save it as CSV."]) from None


def _is_header(row: list[str]) -> bool:
    return len(row) > 1 and "@" not in row[1]
