"""All submissions that an editor may handle: whose turn each is, how far its reviews are, and what is late."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q, QuerySet, Subquery

from evaluation.models import Area
from evaluation.selectors.taxonomies import areas_in_force
from submissions.models import Call, Revision, Submission
from submissions.selectors.board_rows import AUTHOR, EDITORS, REVIEWERS, Row, annotated, newest_revision, rows_from
from submissions.selectors.visible import for_editing, kept_from
from submissions.states import OPEN, PRIVATE, State

TURNS = {EDITORS: "Editors", REVIEWERS: "Reviewers", AUTHOR: "Author"}
FLAGS = {
    "overdue": "Overdue",
    "alone": "Without reviewer",
    "apart": "Reviewers far apart",
    "differs": "Judge differs from the author",
}
SORTS = {
    "due": "Due first",
    "newest": "Newest first",
    "oldest": "Oldest first",
    "title": "Name",
    "apart": "Farthest apart first",
}
_WORDS = ("title", "construct", "differs", "relevance", "known", "unknown", "definition", "hard_cases", "questions",
          "examples_present", "examples_absent")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for in the address; unknown values count as none, so an old link still shows a list."""

    turn: str = ""
    state: str = ""
    area: str = ""
    call: str = ""
    flag: str = ""
    sort: str = "due"
    q: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Filters:
        """The filters of an address."""
        states = {"any", *(state.value for state in State if state not in PRIVATE)}
        return cls(
            turn=_known(query.get("turn"), TURNS),
            state=_known(query.get("state"), states),
            area=(query.get("area") or "")[:100],
            call=(query.get("call") or "")[:80],
            flag=_known(query.get("flag"), FLAGS),
            sort=_known(query.get("sort"), SORTS) or "due",
            q=(query.get("q") or "").replace("\x00", "").strip()[:200],
        )


def board(user: Any, filters: Filters) -> list[Row]:
    """The rows that the filters leave, in their order; nothing but what `for_editing` gives."""
    kept = [row for row in rows_from(_found(user, filters)) if _is_kept(row, filters)]
    return _sorted(kept, filters.sort)


def count_of(user: Any) -> int:
    """How many the user may handle in all."""
    return for_editing(user).count()


def n_drafts(user: Any) -> int:
    """How many drafts of others exist: the one thing that editors know of them."""
    return Submission.objects.filter(state=State.DRAFT).exclude(pk__in=kept_from(user).values("pk")).count()


def areas_and_calls() -> tuple[list[Area], list[Call]]:
    """What one can choose from in the filters."""
    return list(areas_in_force()), list(Call.objects.order_by("-opens_at"))


def waiting_for(rows: Iterable[Row]) -> str:
    """'Three wait for you: one decision, two need reviewers. One review is late.'"""
    steps = [row.next_step for row in rows if row.turn == EDITORS]
    n_late = sum(row.is_overdue for row in rows)
    late = f" {_number(n_late).capitalize()} {'is' if n_late == 1 else 'are'} late." if n_late else ""
    if not steps:
        return f"Nothing waits for you.{late}"
    named = (
        (steps.count("decide"), "decision", "decisions"),
        (steps.count("find reviewers"), "needs reviewers", "need reviewers"),
        (steps.count("publish"), "to publish", "to publish"),
        (steps.count("finish the decision"), "decision to finish", "decisions to finish"),
    )
    parts = [f"{_number(n)} {one if n == 1 else many}" for n, one, many in named if n]
    return f"{_number(len(steps)).capitalize()} wait{'s' if len(steps) == 1 else ''} for you: {', '.join(parts)}.{late}"


def _found(user: Any, filters: Filters) -> QuerySet[Submission]:
    found = annotated(for_editing(user))
    if filters.state == "":
        found = found.filter(state__in=OPEN)
    elif filters.state != "any":
        found = found.filter(state=filters.state)
    if filters.call:
        found = found.filter(call__slug=filters.call)
    if filters.area:
        subareas = Area.objects.filter(slug=filters.area).values_list("subareas__slug", flat=True)
        wanted = Q(pk__in=[])
        for slug in subareas:
            wanted |= Q(subareas__contains=[slug])
        found = found.filter(wanted)
    return found.filter(_says(filters.q)) if filters.q else found


def _says(words: str) -> Q:
    """Searches the newest version that was sent, never a draft; and names, which editors may know."""
    texts = Q()
    for name in _WORDS:
        texts |= Q(**{f"content__{name}__icontains": words})
    newest = Revision.objects.filter(texts, pk=Subquery(newest_revision("submission", "pk")))
    return Q(pk__in=newest.values("submission")) | Q(public_id__icontains=words) | Q(owner__name__icontains=words)


def _is_kept(row: Row, filters: Filters) -> bool:
    return filters.turn in ("", row.turn) and (not filters.flag or filters.flag in row.flags)


def _sorted(rows: list[Row], sort: str) -> list[Row]:
    if sort == "title":
        return sorted(rows, key=lambda row: (row.title.casefold(), row.submission.public_id))
    if sort == "apart":
        return sorted(rows, key=lambda row: (-row.spread, row.title.casefold()))
    if sort in ("newest", "oldest"):
        return sorted(rows, key=lambda row: row.submission.created_at, reverse=sort == "newest")
    later = datetime.max.replace(tzinfo=UTC)
    return sorted(rows, key=lambda row: (row.turn != EDITORS, row.due_at or later, row.submission.created_at))


def _known(value: str | None, known: Collection[str]) -> str:
    return value if value is not None and value in known else ""


def _number(n: int) -> str:
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    return words[n] if n < len(words) else str(n)
