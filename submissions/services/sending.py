"""Sends a submission, sends it again after a request for changes, and takes it back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.selectors.taxonomies import subareas_in_force
from impactbench.common import mail
from impactbench.common.errors import DomainError
from submissions.advice.citations import render
from submissions.checks import Problem, problems
from submissions.content import Content
from submissions.models import Assignment, CoAuthor, Decision, RequestedChange, Revision, Round, Submission
from submissions.services import rounds
from submissions.services.calls import CallClosed, window_of
from submissions.services.coauthors import refresh_domains
from submissions.services.drafts import StaleDraft
from submissions.services.receipts import post_receipts, post_withdrawn
from submissions.services.transitions import NotAllowed, WrongState, locked, take
from submissions.services.trials import trial_summary
from submissions.standing import Standing, standing_of
from submissions.states import Action, State

LONGEST_REASON = 2_000


class Incomplete(DomainError):
    """Something is still missing; carries all of it."""

    def __init__(self, found: list[Problem]) -> None:
        n = len(found)
        super().__init__(f"Not sent yet: {n} thing{'' if n == 1 else 's'} to put right.")
        self.problems = found


def problems_of(content: Content) -> list[Problem]:
    """Everything that keeps a content from being sent, in the order of the form: the same for every way of sending."""
    known = set(subareas_in_force().values_list("slug", flat=True))
    found = problems(content, known_subareas=known)
    at = next((place for place, item in enumerate(found) if item.field not in ("title", "construct")), len(found))
    return [*found[:at], *_links(content), *found[at:]]


def unanswered(submission: Submission) -> list[RequestedChange]:
    """The requests of the newest letter that have no answer yet."""
    return [change for change in requests_of(submission) if not (change.done and change.answer.strip())]


def requests_of(submission: Submission) -> list[RequestedChange]:
    """The requests of the newest letter that asks for changes."""
    decision = newest_request(submission)
    return list(decision.changes.all()) if decision else []


def newest_request(submission: Submission) -> Decision | None:
    """The newest decision that asked for changes, if its letter went out."""
    sent = submission.decisions.filter(kind=Decision.Kind.REQUEST_CHANGES, state=Decision.State.SENT)
    return sent.order_by("-sent_at", "-pk").first()


@transaction.atomic
def send(submission: Submission, *, version: int, actor: Any) -> Revision:
    """Send a draft: version 1, its receipt by mail, the state, all or nothing. A second call gives the first version.

    Raises NotAllowed, StaleDraft (the draft was saved since `version`), Incomplete, CallClosed or WrongState.
    """
    fresh = _held(submission, actor)
    if fresh.state != State.DRAFT:
        first = fresh.revisions.order_by("number").first()
        if first is None:
            raise WrongState("This draft was discarded. Restore it before you send it.")
        return first
    if version != fresh.version:
        raise StaleDraft(fresh)
    _check(problems_of(fresh.draft))
    window = window_of(fresh)
    if not window.is_open:
        raise CallClosed(window)
    if fresh.call is None and window.others:
        fresh.call = window.others[0]
        fresh.save(update_fields=["call"])
    return _sent(fresh, actor, Action.SUBMIT)


@transaction.atomic
def resend(submission: Submission, *, actor: Any, version: int | None = None) -> Revision:
    """Send the next version after a request for changes, and open the next round for the same reviewers.

    Every request needs an answer. A second call gives the version just sent. `version` is the draft that the person has
    seen, where they were shown one. Raises NotAllowed, StaleDraft, Incomplete or WrongState.
    """
    fresh = _held(submission, actor)
    if fresh.state != State.CHANGES_REQUESTED:
        newest = fresh.revisions.order_by("-number").first()
        if fresh.state == State.IN_REVIEW and newest is not None and newest.number > 1:
            return newest
        raise WrongState("No changes are asked for now, so there is nothing to send again.")
    if version is not None and version != fresh.version:
        raise StaleDraft(fresh)
    missing = [
        Problem("requests", f"Request {change.number} has no answer yet.", change.number)
        for change in unanswered(fresh)
    ]
    _check([*missing, *problems_of(fresh.draft)])
    revision = _sent(fresh, actor, Action.RESUBMIT)
    rounds.reopen_for(revision)
    return revision


@transaction.atomic
def withdraw(submission: Submission, *, actor: Any, reason: str) -> Submission:
    """Take an undecided submission back: rounds and open assignments end, unsent letters and decisions lapse.

    Raises NotAllowed, WrongState, or DomainError without a reason. An editor can reopen it.
    """
    reason = reason.replace("\x00", "").strip()[:LONGEST_REASON]
    if not reason:
        raise DomainError("Say in a sentence why you withdraw it. The editors read it, nobody else.")
    fresh = take(Action.WITHDRAW, submission, actor=actor, details={"reason": reason})
    asked = Assignment.objects.filter(round__submission=fresh, round__closed_at=None, state__in=rounds.UNFINISHED)
    people = [assignment.person for assignment in asked.select_related("person")]
    # The letters that are under way are about a submission nobody reads any more.
    mail.cancel(about=fresh)
    for opened in Round.objects.filter(submission=fresh, closed_at=None):
        rounds.close(opened)
    lapsed = fresh.decisions.filter(state__in=[Decision.State.DRAFT, Decision.State.WAITING, Decision.State.HELD])
    lapsed.update(state=Decision.State.UNDONE)
    post_withdrawn(fresh, people)
    return fresh


def authors_of(submission: Submission) -> list[Any]:
    """The owner and the confirmed co-authors, in the order in which they are named."""
    confirmed = submission.co_authors.filter(state=CoAuthor.State.CONFIRMED, person__isnull=False)
    return [submission.owner, *(row.person for row in confirmed.select_related("person"))]


def _held(submission: Submission, actor: Any) -> Submission:
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.AUTHOR or fresh.owner_id != actor.pk:
        raise NotAllowed("Only its owner sends a submission; ask them to.")
    return fresh


def _check(found: list[Problem]) -> None:
    if found:
        raise Incomplete(found)


def _sent(submission: Submission, actor: Any, action: Action) -> Revision:
    content = submission.draft.without_empty_lines()
    number = submission.revisions.count() + 1
    revision = Revision.objects.create(
        submission=submission,
        number=number,
        content=content.to_json(),
        sent_by=actor,
        sent_at=timezone.now(),
        trial=trial_summary(submission, content),
    )
    refresh_domains(submission)
    take(action, submission, actor=actor, details={"revision": number})
    post_receipts(revision, authors_of(submission))
    return revision


def _links(content: Content) -> Iterable[Problem]:
    """What is wrong with DOIs and web addresses of sources that have a reference."""
    for number, source in enumerate(content.sources, start=1):
        if source.link.strip() and source.reference.strip():
            problem = render(source.reference, source.link).problem
            if problem:
                yield Problem("sources", f"Source {number}: {problem}", number)
