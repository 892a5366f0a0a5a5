"""Makes submissions of the checked rows of an import, in the editor's name: into review, or as drafts to write on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from evaluation.selectors.taxonomies import subareas_in_force
from impactbench.common.errors import DomainError
from submissions.checks import Problem
from submissions.content import Content
from submissions.import_text import RowText, Shared, content_of, missing_in, renewed
from submissions.models import DraftRow, SourceImport, Submission
from submissions.services.draft_rows import record_sent
from submissions.services.drafts import open_draft
from submissions.services.new_versions import new_version_of
from submissions.services.reading_sources import need_editor
from submissions.services.renewing_imports import is_published, sent_before, why_not_sent
from submissions.services.sending import send

# Each writes a letter and asks the database a good deal; the rest goes with the next press of the button.
MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Prospect:
    """A row as the submission it would be: what it lacks by itself, and what all rows of the import lack.

    `before` is the row of an earlier import that was sent on and that this one changes.
    """

    row: DraftRow
    content: Content
    scenario: DraftRow | None
    missing: tuple[Problem, ...]
    common: tuple[Problem, ...]
    before: DraftRow | None = None

    @property
    def is_complete(self) -> bool:
        return not (self.missing or self.common)

    @property
    def renews(self) -> Submission | None:
        """What was made of it before and takes a new version."""
        made = self.before.submission if self.before else None
        return made if made is not None and is_published(made) else None


def prospects(source: SourceImport, rows: Sequence[DraftRow]) -> list[Prospect]:
    """These metric rows as submissions, with what keeps them from review. A few queries, whatever their number."""
    known = set(subareas_in_force().values_list("slug", flat=True))
    shared = Shared.from_json(source.shared)
    texts = [RowText.from_json(row.content) for row in rows]
    keys = {text.scenario for text in texts if text.scenario}
    scenarios = {one.key: one for one in source.rows.filter(kind=DraftRow.Kind.SCENARIO, key__in=keys)} if keys else {}
    earlier = sent_before(rows)
    found = []
    for row, text in zip(rows, texts, strict=True):
        scenario = scenarios.get(text.scenario)
        content = content_of(text, shared, about=source.description, scenario=scenario.read if scenario else None)
        missing, common = missing_in(content, known)
        common += _unshared(source, shared)
        before = earlier.get(row.pk)
        if before is not None and before.submission is not None:
            missing = [Problem("earlier", why_not_sent(before.submission)), *missing]
        found.append(Prospect(row, content, scenario, tuple(missing), tuple(common), before))
    return found


@transaction.atomic
def send_checked(source: SourceImport, *, actor: Any) -> tuple[list[Submission], int]:
    """Send the checked rows that lack nothing to review, at most `MOST_AT_ONCE`; the submissions, and how many stay.

    All or nothing. Raises NotAllowed, DomainError where no checked row is complete, CallClosed.
    """
    need_editor(actor)
    rows = list(_checked(source))
    found = prospects(source, rows)
    ready = [one for one in found if one.is_complete][:MOST_AT_ONCE]
    if not ready:
        raise DomainError(_why_none(found))
    made = [_sent(one, actor) for one in ready]
    _record(source, ready, made, actor)
    return made, len(rows) - len(made)


@transaction.atomic
def open_as_draft(source: SourceImport, key: int, *, actor: Any) -> Submission:
    """Make a draft of a checked row, complete or not, to be written on in the ordinary form.

    A row that changes what is published becomes a draft of its new version. Raises NotAllowed, or DomainError for a row
    that is not checked or changes what is under way, or a person with too many drafts.
    """
    need_editor(actor)
    rows = list(_checked(source).filter(pk=key))
    if not rows:
        raise DomainError("Check the row first: say that you stand by whether it is good or bad.")
    found = prospects(source, rows)
    made = _opened(found[0], actor)
    _record(source, found, [made], actor)
    return made


def _opened(prospect: Prospect, actor: Any) -> Submission:
    before = prospect.before
    if before is None or before.submission is None:
        return open_draft(actor, content=prospect.content)
    if prospect.renews is None:
        raise DomainError(why_not_sent(before.submission))
    sent = prospects(before.source, [before])[0].content
    return new_version_of(
        before.submission, actor=actor, reworded=lambda published: renewed(published, sent, prospect.content)
    )


def _unshared(source: SourceImport, shared: Shared) -> list[Problem]:
    if source.sharing == "yes" or shared.may_share:
        return []
    return [Problem("may_share", "Say that the words may be shown: the source’s licence does not say so.")]


def _checked(source: SourceImport) -> Any:
    rows = source.rows.filter(kind=DraftRow.Kind.METRIC, state=DraftRow.State.CONFIRMED)
    return rows.select_for_update(of=("self",)).order_by("number", "part")


def _sent(prospect: Prospect, actor: Any) -> Submission:
    submission = open_draft(actor, content=prospect.content)
    send(submission, version=submission.version, actor=actor)
    return submission


def _record(source: SourceImport, ready: Iterable[Prospect], made: Iterable[Submission], actor: Any) -> None:
    """The rows, and those of the scenarios that they took along, each named once."""
    sent: dict[int, tuple[DraftRow, int]] = {}
    for prospect, submission in zip(ready, made, strict=True):
        sent[prospect.row.pk] = (prospect.row, submission.pk)
        scenario = prospect.scenario
        if scenario is not None and scenario.state != DraftRow.State.ACCEPTED:
            sent.setdefault(scenario.pk, (scenario, submission.pk))
    record_sent(source, list(sent.values()), actor=actor)


def _why_none(found: Sequence[Prospect]) -> str:
    if not found:
        return "No row is checked yet. Say of each row whether it is good or bad, and that you have checked it."
    common = " ".join(problem.message for problem in found[0].common)
    if common:
        return f"Nothing was sent yet: all rows lack something. {common}"
    return f"Nothing was sent yet: each of the {len(found)} checked rows lacks something, said at the row."
