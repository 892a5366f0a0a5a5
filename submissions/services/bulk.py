"""The same thing for several submissions: says first what would happen to each, then does exactly that, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from impactbench.accounts.models import User
from impactbench.accounts.naming import display_label
from impactbench.common.errors import DomainError
from submissions.models import Assignment, Decision, Submission
from submissions.selectors.board_rows import Row
from submissions.services import rounds
from submissions.services.decision_choice import Choice, points_from_reviews, usual_answer_due
from submissions.services.decisions import ACTIONS, keep_draft, kinds_open_to, open_decision
from submissions.services.suitability import suggestions
from submissions.services.transitions import may_take
from submissions.states import Action, State

ASSIGN, REMIND, DRAFT = "assign", "remind", "draft"
NAMES = {ASSIGN: "Find reviewers", REMIND: "Remind", DRAFT: "Decide as draft"}


@dataclass(frozen=True, slots=True)
class Effect:
    """What will happen, or has happened, to one submission; `people` are whom it is about, by key."""

    submission: Submission
    title: str
    happens: bool
    words: str
    people: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """The name and the people in one line, as the form of the preview carries them."""
        return ":".join([self.submission.public_id, *(str(key) for key in self.people)])


def preview(what: str, rows: Sequence[Row], *, actor: Any, kind: str = "") -> list[Effect]:
    """What would happen to each row, and what would not and why; changes nothing."""
    if what == ASSIGN:
        return _preview_assign(rows, actor)
    look = _look_remind if what == REMIND else _look_draft(kind, actor)
    return [look(row) for row in rows]


def assign(row: Row, people: Sequence[int], *, actor: Any, answer_by: datetime, due_at: datetime) -> Effect:
    """Ask these people; who has been asked already is not asked twice."""
    chosen = list(User.objects.filter(pk__in=people))

    def act() -> str:
        submission = row.submission
        if submission.state == State.SUBMITTED:
            opened = rounds.open_round(submission, actor=actor, people=chosen, answer_by=answer_by, due_at=due_at)
            made = list(opened.assignments.all())
        else:
            open_one = rounds.open_round_of(submission)
            if open_one is None:
                raise DomainError("There is no open round.")
            made = rounds.ask(open_one, chosen, actor=actor, answer_by=answer_by, due_at=due_at)
        return f"{_names(chosen)} asked." if made else "They had been asked already; nothing was done twice."

    return _done(row, act)


def remind(row: Row, *, actor: Any) -> Effect:
    """Remind everybody who still has something to do; who was reminded today is not reminded again."""

    def act() -> str:
        told = [rounds.remind(one, actor=actor) for one in _unfinished(row.submission)]
        n = sum(told)
        if n == 0:
            return "Nobody was reminded: nothing is open, or they were reminded today."
        return f"{n} reminder{'' if n == 1 else 's'} written."

    return _done(row, act)


def draft(row: Row, kind: str, *, actor: Any) -> Effect:
    """Keep a decision of this kind as a draft, with the reviewers' points; one that exists is left alone."""

    def act() -> str:
        if open_decision(row.submission) is not None:
            return "It has a decision that was not sent; that one was left as it is."
        points = points_from_reviews(row.submission) if kind != Decision.Kind.APPROVE else ()
        keep_draft(row.submission, Choice(kind, points, usual_answer_due(row.submission)), actor=actor)
        return "Kept as a draft. Nobody but the editors knows."

    return _done(row, act)


def _done(row: Row, act: Callable[[], str]) -> Effect:
    try:
        return Effect(row.submission, row.title, True, act())
    except DomainError as error:
        return Effect(row.submission, row.title, False, str(error))


def _preview_assign(rows: Sequence[Row], actor: Any) -> list[Effect]:
    """Gives each submission the best that are free, counting what those before it would take."""
    taken: dict[int, int] = {}
    found = []
    for row in rows:
        wanted = rounds.days_of(row.submission).reviewers_wanted - row.n_asked
        if not _can_ask(row.submission, actor):
            found.append(Effect(row.submission, row.title, False, f"It is {row.state.lower()}; nobody can be asked."))
        elif wanted <= 0:
            found.append(Effect(row.submission, row.title, False, "It has all the reviewers it needs."))
        else:
            found.append(_chosen(row, wanted, taken, actor))
    return found


def _chosen(row: Row, wanted: int, taken: dict[int, int], actor: Any) -> Effect:
    free = [
        one
        for one in suggestions(row.submission, viewer=actor)
        if one.n_meeting and one.is_free and one.n_open + taken.get(one.person.pk, 0) < one.most_open
    ][:wanted]
    if not free:
        return Effect(row.submission, row.title, False, "No reviewer of its areas is free. Choose by hand on its page.")
    for one in free:
        taken[one.person.pk] = taken.get(one.person.pk, 0) + 1
    names = _names([one.person for one in free])
    short = f" {wanted - len(free)} more needed." if len(free) < wanted else ""
    return Effect(row.submission, row.title, True, f"Ask {names}.{short}", tuple(one.person.pk for one in free))


def _can_ask(submission: Submission, actor: Any) -> bool:
    if submission.state == State.IN_REVIEW:
        return rounds.open_round_of(submission) is not None
    return may_take(Action.OPEN_ROUND, submission, actor)


def _look_remind(row: Row) -> Effect:
    unfinished = _unfinished(row.submission)
    today = timezone.now().date()
    waiting = [one for one in unfinished if one.reminded_at is None or one.reminded_at.date() != today]
    if waiting:
        words = f"Remind {_names([one.person for one in waiting])}."
        return Effect(row.submission, row.title, True, words)
    reason = "Everybody was reminded today." if unfinished else "Nobody has anything left to do."
    return Effect(row.submission, row.title, False, reason)


def _look_draft(kind: str, actor: Any) -> Callable[[Row], Effect]:
    def look(row: Row) -> Effect:
        submission = row.submission
        if open_decision(submission) is not None:
            return Effect(submission, row.title, False, "It has a decision that was not sent. Open it to change it.")
        if kind not in kinds_open_to(submission) or not may_take(ACTIONS[Decision.Kind(kind)], submission, actor):
            return Effect(submission, row.title, False, f"It is {row.state.lower()}; it cannot be decided so.")
        n = len(points_from_reviews(submission)) if kind != Decision.Kind.APPROVE else 0
        points = f", with {n} point{'' if n == 1 else 's'} from the reviews" if n else ""
        label = Decision.Kind(kind).label
        return Effect(submission, row.title, True, f"Keep “{label}” as a draft{points}.")

    return look


def _unfinished(submission: Submission) -> list[Assignment]:
    open_ones = Assignment.objects.filter(
        round__submission=submission,
        round__closed_at=None,
        round__submission__state=State.IN_REVIEW,
        state__in=rounds.UNFINISHED,
    )
    return list(open_ones.select_related("person", "round__submission"))


def _names(people: Sequence[Any]) -> str:
    names = [display_label(person) for person in people]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"
