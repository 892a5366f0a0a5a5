"""What editors do to the drafts of an import, each act kept with what was before, so that it can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.content import text_of
from submissions.import_text import RowText, Shared, merged
from submissions.models import DraftAct, DraftChange, DraftRow, SourceImport
from submissions.services.reading_sources import need_editor

LONGEST_REASON = 500
Action, State = DraftAct.Action, DraftRow.State
# What a person can still work on.
OPEN = (State.PROPOSED, State.CONFIRMED)


@dataclass(frozen=True, slots=True)
class Edit:
    """What a person wrote into one row: `version` is the row's that they saw, `is_checked` that they stand by it."""

    version: int
    text: RowText
    is_checked: bool


@transaction.atomic
def save(source: SourceImport, edits: Mapping[int, Edit], *, actor: Any) -> tuple[DraftAct | None, list[DraftRow]]:
    """Keep what was written, by the rows' keys; the act, None where nothing changed, and the rows left as they are.

    Left are rows that somebody else changed meanwhile, and those no longer open, such as those sent on. A row is
    checked only with a polarity, a name and a definition; one that lacks them stays to be checked. Raises NotAllowed.
    """
    act, stale = _Act(source, actor), []
    for row in act.held(edits):
        edit = edits[row.pk]
        wanted = edit.text.to_json()
        state = State.CONFIRMED if edit.is_checked and can_be_checked(edit.text) else State.PROPOSED
        if row.content == wanted and (row.state not in OPEN or row.state == state):
            continue
        if row.state not in OPEN or row.version != edit.version:
            stale.append(row)
            continue
        act.change(row, content=wanted, state=state)
    return act.done(Action.EDIT, "changed or checked"), stale


@transaction.atomic
def confirm(source: SourceImport, keys: Iterable[int], *, actor: Any) -> DraftAct:
    """Stand by the rows as they are. Raises NotAllowed, or DomainError where one lacks what a metric needs."""
    act = _Act(source, actor)
    for row in _chosen(act.held(keys), State.PROPOSED, "to check"):
        if row.kind == DraftRow.Kind.METRIC and not can_be_checked(RowText.from_json(row.content)):
            raise DomainError(f"Row {row.label} needs a name, a behaviour and whether it is good or bad.")
        act.change(row, state=State.CONFIRMED)
    return act.must_be_done(Action.CONFIRM, "checked")


@transaction.atomic
def drop(source: SourceImport, keys: Iterable[int], *, reason: str, actor: Any) -> DraftAct:
    """Leave rows out, with the reason that the table of drafts gives. Raises NotAllowed or DomainError."""
    words = text_of(reason).strip()[:LONGEST_REASON]
    if not words:
        raise DomainError("Say in a few words why they are dropped. The table of drafts tells it.")
    act = _Act(source, actor)
    for row in _chosen(act.held(keys), (*OPEN, State.KNOWN), "that can be dropped"):
        act.change(row, state=State.DROPPED, reason=words)
    return act.must_be_done(Action.DROP, "dropped")


@transaction.atomic
def restore(source: SourceImport, keys: Iterable[int], *, actor: Any) -> DraftAct:
    """Take up rows again that were dropped, merged or known before. Raises NotAllowed or DomainError."""
    act = _Act(source, actor)
    for row in _chosen(act.held(keys), (State.DROPPED, State.MERGED, State.KNOWN), "to bring back"):
        act.change(row, state=State.PROPOSED, reason="", merged_into_id=None)
    return act.must_be_done(Action.RESTORE, "brought back")


@transaction.atomic
def merge(source: SourceImport, keys: Iterable[int], *, actor: Any) -> DraftAct:
    """Make one row of several: the first one stays, takes the examples of the others, and is to be checked again."""
    act = _Act(source, actor)
    first, *others = _metrics(_chosen(act.held(keys), OPEN, "to merge"))
    if not others:
        raise DomainError("Choose at least two rows to merge.")
    _need_one_polarity([first, *others])
    texts = [RowText.from_json(row.content) for row in others]
    act.change(first, content=merged(RowText.from_json(first.content), texts).to_json(), state=State.PROPOSED)
    for row in others:
        act.change(row, state=State.MERGED, merged_into_id=first.pk)
    names = ", ".join(row.label for row in others)
    return act.must_be_done(Action.MERGE, told=f"Row {names} went into row {first.label}. Its source text came along.")


def _need_one_polarity(rows: Sequence[DraftRow]) -> None:
    """Raise DomainError for good rows beside bad ones: the words of one would come to count the other way round."""
    of = {polarity: row for row in reversed(rows) if (polarity := RowText.from_json(row.content).polarity)}
    if len(of) > 1:
        raise DomainError(
            f"Row {of['positive'].label} is good for the person and row {of['negative'].label} is bad, so they cannot "
            "be one metric. Reword one of them and turn it round, then merge."
        )


@transaction.atomic
def split(source: SourceImport, key: int, *, actor: Any) -> DraftAct:
    """Make two rows of one, both with all its words, so that a person cuts from each what belongs to the other."""
    act = _Act(source, actor)
    [row] = _metrics(_chosen(act.held([key]), OPEN, "to split"))
    last = source.rows.filter(number=row.number).aggregate(last=Max("part"))["last"]
    part = DraftRow.objects.create(
        source=source, number=row.number, part=last + 1, kind=row.kind, key=row.key, text=row.text, place=row.place,
        read=row.read, digest=row.digest, flags=row.flags, content=row.content, split_from=row.split_from or row,
    )  # fmt: skip
    act.change(row, state=State.PROPOSED)
    act.made(part)
    told = f"Row {row.label} was split: row {part.label} says the same for now. Leave one behaviour in each."
    return act.must_be_done(Action.SPLIT, told=told)


@transaction.atomic
def undo(source: SourceImport, *, actor: Any) -> DraftAct:
    """Take back the newest act that is not taken back yet. Raises NotAllowed, or DomainError where there is none."""
    _need_open(source, actor)
    act = last_act(source)
    if act is None:
        raise DomainError("There is nothing to undo.")
    if act.action == Action.ACCEPT:
        raise DomainError("What was sent on cannot be undone here. Withdraw the submissions instead.")
    for change in act.changes.select_related("row"):
        _put_back(change)
    act.undone_at = timezone.now()
    act.save(update_fields=["undone_at"])
    return act


@transaction.atomic
def share(source: SourceImport, shared: Shared, *, actor: Any) -> None:
    """Keep what all rows have in common. Raises NotAllowed."""
    fresh = _need_open(source, actor)
    fresh.shared = source.shared = shared.to_json()
    fresh.save(update_fields=["shared"])


@transaction.atomic
def discard(source: SourceImport, *, actor: Any) -> None:
    """Put an import away, its rows with it; what was sent on stays. The same file can be read anew. NotAllowed."""
    fresh = _need_open(source, actor)
    fresh.discarded_at = source.discarded_at = timezone.now()
    fresh.save(update_fields=["discarded_at"])
    record(actor=actor, action="source-discarded", target=fresh)


def last_act(source: SourceImport) -> DraftAct | None:
    """The newest act that was not undone."""
    return source.acts.filter(undone_at=None).first()


def can_be_checked(text: RowText) -> bool:
    """Whether a person can stand by it: it has a name, a behaviour, and whether that is good or bad."""
    return bool(text.name.strip() and text.definition.strip() and text.polarity in ("positive", "negative"))


def record_sent(source: SourceImport, sent: Sequence[tuple[DraftRow, int]], *, actor: Any) -> DraftAct:
    """Keep that rows became submissions (row, key of the submission), the rows of their scenarios among them."""
    act = _Act(source, actor)
    for row, submission in sent:
        act.change(row, state=State.ACCEPTED, submission_id=submission)
    return act.must_be_done(Action.ACCEPT, "sent on")


class _Act:
    """Changes rows and notes what they were before. Raises NotAllowed at once; a discarded import is closed."""

    def __init__(self, source: SourceImport, actor: Any) -> None:
        self.source = _need_open(source, actor)
        self.actor = actor
        self.changes: list[DraftChange] = []

    def held(self, keys: Iterable[int]) -> list[DraftRow]:
        """These rows of the import, locked, in its order."""
        rows = self.source.rows.select_for_update(of=("self",)).select_related("split_from")
        return list(rows.filter(pk__in=list(keys)).order_by("number", "part"))

    def change(self, row: DraftRow, **values: Any) -> None:
        before = _snapshot(row)
        for name, value in values.items():
            setattr(row, name, value)
        row.version += 1
        self.changes.append(DraftChange(row=row, before=before, after=_snapshot(row)))

    def made(self, row: DraftRow) -> None:
        self.changes.append(DraftChange(row=row, before=None, after=_snapshot(row)))

    def done(self, action: str, word: str = "", told: str = "") -> DraftAct | None:
        """Write everything; None where nothing changed."""
        if not self.changes:
            return None
        rows = [change.row for change in self.changes]
        DraftRow.objects.bulk_update(rows, [*_KEPT, "version"], batch_size=500)
        told = told or f"{_rows(len(rows))} {word}."
        act = DraftAct.objects.create(source=self.source, action=action, told=told, by=self.actor)
        for change in self.changes:
            change.act = act
        DraftChange.objects.bulk_create(self.changes, batch_size=500)
        return act

    def must_be_done(self, action: str, word: str = "", told: str = "") -> DraftAct:
        act = self.done(action, word, told)
        assert act is not None  # whoever calls has refused an empty choice
        return act


_KEPT = ("content", "state", "reason", "merged_into", "submission")


def _snapshot(row: DraftRow) -> dict[str, Any]:
    return {
        "content": row.content,
        "state": row.state,
        "reason": row.reason,
        "merged_into": row.merged_into_id,
        "submission": row.submission_id,
    }


def _put_back(change: DraftChange) -> None:
    row, before = change.row, change.before
    if before is None:
        # The act made it: no draft of the source is lost, and no count should know of it.
        row.delete()
        return
    row.content, row.state, row.reason = before["content"], before["state"], before["reason"]
    row.merged_into_id, row.submission_id = before["merged_into"], before["submission"]
    row.version += 1
    row.save(update_fields=[*_KEPT, "version"])


def _need_open(source: SourceImport, actor: Any) -> SourceImport:
    need_editor(actor)
    fresh = SourceImport.objects.select_for_update().get(pk=source.pk)
    if fresh.discarded_at is not None:
        raise DomainError("This import was discarded. Read the file again to work on it.")
    return fresh


def _chosen(rows: list[DraftRow], states: str | Sequence[str], what: str) -> list[DraftRow]:
    wanted = (states,) if isinstance(states, str) else tuple(states)
    found = [row for row in rows if row.state in wanted]
    if not found:
        raise DomainError(f"Select rows {what} first." if not rows else f"None of the selected rows is one {what}.")
    return found


def _metrics(rows: list[DraftRow]) -> list[DraftRow]:
    if any(row.kind != DraftRow.Kind.METRIC for row in rows):
        raise DomainError("Only rows of metrics can be merged or split.")
    return rows


def _rows(n: int) -> str:
    return "1 row was" if n == 1 else f"{n} rows were"
