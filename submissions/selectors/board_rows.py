"""One row of the board for each submission: whose turn it is, how its reviews stand, and what is late."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, DateTimeField, F, IntegerField, Min, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KT, KeyTransform
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from evaluation.selectors.taxonomies import subareas_by_slug
from impactbench.accounts.naming import display_label
from submissions.models import Assignment, Decision, Extension, Review, Revision, Round, Submission
from submissions.rubric import criteria
from submissions.selectors.visible import for_editing
from submissions.states import STATE_NAMES, State

EDITORS, REVIEWERS, AUTHOR, NOBODY = "editors", "reviewers", "author", "nobody"
# Two values on the scale of four that are so far apart make reviewers talk to each other.
FAR = 2
_AT_WORK = (Assignment.State.INVITED, Assignment.State.ACCEPTED)


@dataclass(frozen=True, slots=True)
class Row:
    """One submission on the board."""

    submission: Submission
    title: str
    polarity: str
    areas: str
    state: str
    turn: str
    next_step: str
    n_done: int
    n_asked: int
    apart: str
    spread: int
    due_at: datetime | None
    is_overdue: bool
    flags: frozenset[str] = field(default=frozenset())

    @property
    def reviews(self) -> str:
        """'1 of 2', or in words that there are none."""
        return f"{self.n_done} of {self.n_asked}" if self.n_asked else "none yet"

    @property
    def author(self) -> str:
        """The author's name: for editors only, as all of this."""
        return display_label(self.submission.owner)


def row_of(submission: Submission, user: Any) -> Row:
    """The row of one submission. Raises Submission.DoesNotExist when the user may not handle it."""
    return rows_from([annotated(for_editing(user)).get(pk=submission.pk)])[0]


def rows_of(public_ids: Iterable[str], user: Any) -> list[Row]:
    """The rows of those that the user may handle, in the order of the names given."""
    names = list(dict.fromkeys(public_ids))
    found = {item.public_id: item for item in annotated(for_editing(user)).filter(public_id__in=names)}
    return rows_from([found[name] for name in names if name in found])


def rows_from(submissions: Iterable[Any]) -> list[Row]:
    """The rows of what `annotated` gives."""
    found = list(_with_spreads(submissions))
    named = subareas_by_slug(slug for item, _ in found for slug in item.subareas or [])
    areas = {slug: subarea.area.name for slug, subarea in named.items()}
    return [_row(item, spreads, areas) for item, spreads in found]


def newest_revision(outer: str, column: Any) -> QuerySet[Any]:
    """One column of the newest version that was sent, for a subquery."""
    revisions = Revision.objects.filter(submission=OuterRef(outer)).order_by("-number")
    return revisions.values(column)[:1] if isinstance(column, str) else revisions.annotate(v=column).values("v")[:1]


def annotated(submissions: QuerySet[Submission]) -> QuerySet[Any]:
    """The submissions with all that a row is made of; nothing of a draft."""
    newest_round = Round.objects.filter(submission=OuterRef("pk")).order_by("-number")
    sent = Decision.objects.filter(submission=OuterRef("pk"), state=Decision.State.SENT)
    asked_for_changes = sent.filter(kind=Decision.Kind.REQUEST_CHANGES).order_by("-sent_at", "-pk")
    granted = Extension.objects.filter(submission=OuterRef("pk"), granted_by__isnull=False, until__isnull=False)
    unsent = Decision.objects.filter(submission=OuterRef("pk"), state__in=["draft", "waiting", "held"])
    return (
        submissions.select_related("owner", "call")
        .annotate(
            sent_title=Subquery(newest_revision("pk", KT("content__title"))),
            sent_polarity=Subquery(newest_revision("pk", KT("content__polarity"))),
            subareas=Subquery(newest_revision("pk", KeyTransform("subareas", "content"))),
            n_differ=Subquery(newest_revision("pk", Cast(KT("trial__n_differ"), IntegerField()))),
            round_id=Subquery(newest_round.values("pk")[:1]),
            round_number=Subquery(newest_round.values("number")[:1]),
            answer_due=Subquery(asked_for_changes.values("answer_due")[:1]),
            more_time=Subquery(granted.order_by("-until").values("until")[:1]),
            unsent=Subquery(unsent.values("state")[:1]),
        )
        .annotate(**_counts())
    )


def _counts() -> dict[str, Any]:
    def counted(*states: str) -> Any:
        rows = Assignment.objects.filter(round=OuterRef("round_id"), state__in=states)
        n = rows.order_by().values("round").annotate(n=Count("pk")).values("n")
        return Coalesce(Subquery(n, output_field=IntegerField()), 0)

    pending = Assignment.objects.filter(round=OuterRef("round_id")).order_by().values("round")
    due = pending.filter(state=Assignment.State.ACCEPTED).annotate(first=Min("due_at")).values("first")
    answer = pending.filter(state=Assignment.State.INVITED).annotate(first=Min("answer_by")).values("first")
    return {
        "n_done": counted(Assignment.State.DONE),
        "n_at_work": counted(*_AT_WORK),
        "first_due": Subquery(due, output_field=DateTimeField()),
        "first_answer": Subquery(answer, output_field=DateTimeField()),
    }


def _with_spreads(submissions: Iterable[Any]) -> list[tuple[Any, list[tuple[str, list[int]]]]]:
    """Each submission with the values of each question of its newest round, for those with two reviews or more."""
    items = list(submissions)
    rounds = {item.round_id: item for item in items if item.n_done > 1}
    reviews = Review.objects.filter(assignment__round__in=rounds, sent_at__isnull=False).annotate(
        round_pk=F("assignment__round")
    )
    answers: dict[int, list[dict[str, Any]]] = {}
    for review in reviews.order_by("assignment"):
        answers.setdefault(review.round_pk, []).append(review.answers)
    return [(item, _values(item.sent_polarity or "", answers.get(item.round_id, []))) for item in items]


def _values(polarity: str, answers: list[dict[str, Any]]) -> list[tuple[str, list[int]]]:
    found = []
    for criterion in criteria(polarity):
        said = [(answer.get(criterion.key) or {}).get("value") for answer in answers]
        values = [value for value in said if isinstance(value, int)]
        if len(values) > 1:
            found.append((criterion.name, values))
    return found


def _row(item: Any, spreads: list[tuple[str, list[int]]], areas: dict[str, str]) -> Row:
    turn, next_step = _turn(item)
    due_at = _due(item)
    overdue = due_at is not None and due_at < timezone.now()
    spread = max((max(values) - min(values) for _, values in spreads), default=0)
    flags = {
        "overdue": overdue,
        "alone": next_step == "find reviewers",
        "apart": spread >= FAR,
        "differs": bool(item.n_differ),
    }
    number = f", round {item.round_number}" if item.state == State.IN_REVIEW else ""
    return Row(
        submission=item,
        title=item.sent_title or item.public_id,
        polarity=item.sent_polarity or "",
        areas=", ".join(dict.fromkeys(areas[slug] for slug in item.subareas or [] if slug in areas)),
        state=f"{STATE_NAMES[State(item.state)]}{number}",
        turn=turn,
        next_step=next_step,
        n_done=item.n_done,
        n_asked=item.n_done + item.n_at_work,
        apart=_apart(spreads, spread),
        spread=spread,
        due_at=due_at,
        is_overdue=overdue,
        flags=frozenset(name for name, holds in flags.items() if holds),
    )


def _turn(item: Any) -> tuple[str, str]:
    """Whose turn it is, and what they do next."""
    if item.unsent == "waiting":
        return NOBODY, "the letter waits"
    if item.unsent is not None:
        return EDITORS, "finish the decision"
    match State(item.state):
        case State.SUBMITTED:
            return EDITORS, "find reviewers"
        case State.IN_REVIEW if item.n_at_work:
            return REVIEWERS, "send their reviews" if item.first_due else "say yes or no"
        case State.IN_REVIEW:
            return EDITORS, "decide" if item.n_done else "find reviewers"
        case State.CHANGES_REQUESTED:
            return AUTHOR, "answer the requests"
        case State.APPROVED:
            return EDITORS, "publish"
    return NOBODY, ""


def _due(item: Any) -> datetime | None:
    if item.state == State.CHANGES_REQUESTED:
        return max((moment for moment in (item.answer_due, item.more_time) if moment), default=None)
    if item.state == State.IN_REVIEW and item.n_at_work:
        return min((moment for moment in (item.first_due, item.first_answer) if moment), default=None)
    return None


def _apart(spreads: list[tuple[str, list[int]]], spread: int) -> str:
    """The question on which they are farthest apart, with what they said; agreement only where there is no other."""
    if not spreads:
        return ""
    if spread == 0:
        return "They agree"
    farthest = [(name, values) for name, values in spreads if max(values) - min(values) == spread]
    return ". ".join(f"{name}: {' and '.join(str(one) for one in sorted(values, reverse=True))}"
                     for name, values in farthest[:2])  # fmt: skip
