"""What happened to a submission and what comes next, as far as the one who looks may know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from impactbench.common.models import AuditEvent
from submissions.models import Assignment, Decision, Round, Submission
from submissions.naming import Viewing
from submissions.selectors.turns import answer_due
from submissions.services.sending import newest_request
from submissions.standing import Standing
from submissions.states import State

# Actions of the audit trail in words; what is not here is for the audit trail alone.
_EVERYBODY = {
    "submission-open-round": "An editor opened the review.",
    "submission-approve": "The editors approved it.",
    "submission-reject": "The editors did not accept it.",
    "submission-reopen": "An editor reopened it.",
    "submission-publish": "It was published.",
    "submission-retire": "It was retired.",
    "submission-reinstate": "It was shown again.",
}
_AUTHORS = {
    "submission-opened": "The draft was begun.",
    "submission-discard": "The draft was discarded.",
    "submission-restore": "The draft was restored.",
    "submission-moved-to-call": "The draft was moved to another call.",
    "co-author-invited": "A co-author was invited.",
    "co-author-confirmed": "A co-author confirmed.",
    "co-author-declined": "A co-author declined.",
    "co-author-removed": "A co-author was removed.",
    "more-time-asked": "More time was asked for.",
    "extension-granted": "The editors gave more time.",
    "extension-refused": "The editors could not give more time.",
}
_SENT = ("submission-submit", "submission-resubmit")
_FOR_EDITORS = {name: _AUTHORS[name] for name in ("more-time-asked", "extension-granted", "extension-refused")}


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened; `link` is an address on this site or ''."""

    at: datetime
    text: str
    link: str = ""
    link_text: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that comes: now, then, after."""

    when: str
    text: str
    due: datetime | None = None


def timeline(viewing: Viewing) -> list[Event]:
    """What happened, oldest first, in words for this viewer; [] for who may not know of the submission.

    Nobody is named to authors and reviewers; editors read who did it.
    """
    if viewing.standing not in (Standing.AUTHOR, Standing.REVIEWER, Standing.EDITOR):
        return []
    found = [event for row in _rows(viewing.submission) if (event := _event(row, viewing)) is not None]
    if viewing.standing is Standing.AUTHOR:
        found += _reviews_in(viewing.submission)
    return sorted(found, key=lambda event: event.at)


def ahead(submission: Submission) -> list[Step]:
    """What comes next, for its author."""
    match State(submission.state):
        case State.DRAFT:
            return [
                Step("Now", "Your turn: finish it and send it."),
                Step("Then", "Reviewers read it."),
                Step("After", "An editor decides, and writes to you."),
            ]
        case State.SUBMITTED:
            return [
                Step("Now", "An editor looks for reviewers."),
                Step("Then", "The reviewers read it."),
                Step("After", "An editor decides, and writes to you."),
            ]
        case State.IN_REVIEW:
            return [
                Step("Now", "The reviewers read it.", _reviews_due(submission)),
                Step("Then", "An editor decides, and writes to you."),
            ]
        case State.CHANGES_REQUESTED:
            number = submission.revisions.count() + 1
            return [
                Step("Now", f"Your turn: answer each request, then send version {number}.", answer_due(submission)),
                Step("Then", "The same reviewers look at what changed."),
                Step("After", "An editor decides, and writes to you."),
            ]
        case State.APPROVED:
            return [Step("Now", "A second editor publishes its page.")]
        case _:
            return []


def _rows(submission: Submission) -> list[AuditEvent]:
    about = AuditEvent.objects.filter(target_type=submission._meta.label_lower, target_id=str(submission.pk))
    return list(about.select_related("actor").order_by("at", "pk"))


def _event(row: AuditEvent, viewing: Viewing) -> Event | None:
    if row.action in _SENT:
        return _sent(row, viewing)
    if row.action == "submission-request-changes":
        return _asked(row, viewing)
    if row.action == "submission-withdraw":
        who = "You" if row.actor == viewing.viewer else "The author"
        return Event(row.at, f"{who} withdrew it.")
    words = dict(_EVERYBODY)
    if viewing.standing is Standing.AUTHOR:
        words |= _AUTHORS
    elif viewing.standing is Standing.EDITOR:
        words |= _FOR_EDITORS
    text = words.get(row.action)
    return Event(row.at, text + _by(row, viewing)) if text else None


def _by(row: AuditEvent, viewing: Viewing) -> str:
    is_named = viewing.standing is Standing.EDITOR and row.actor is not None
    return f" ({viewing.name_of(row.actor)})" if is_named else ""


def _sent(row: AuditEvent, viewing: Viewing) -> Event:
    number = row.details.get("revision", 1)
    if viewing.standing is not Standing.AUTHOR:
        return Event(row.at, f"Version {number} arrived.")
    text = f"You sent version {number}." if row.actor == viewing.viewer else f"Version {number} was sent."
    link = reverse("submissions:sent", args=[viewing.submission.public_id, number])
    return Event(row.at, text, link, "Read what was sent")


def _asked(row: AuditEvent, viewing: Viewing) -> Event:
    before = viewing.submission.decisions.filter(
        kind=Decision.Kind.REQUEST_CHANGES, state=Decision.State.SENT, sent_at__lte=row.at
    )
    decision = before.order_by("-sent_at").first() or newest_request(viewing.submission)
    n = decision.changes.count() if decision else 0
    text = f"The editors asked for {n} change{'' if n == 1 else 's'}." if n else "The editors asked for changes."
    return Event(row.at, text + _by(row, viewing))


def _reviews_in(submission: Submission) -> list[Event]:
    """When the last review of a round came in, and nothing about whose it was."""
    found = []
    for round_ in Round.objects.filter(submission=submission):
        at_work = round_.assignments.filter(state__in=[Assignment.State.ACCEPTED, Assignment.State.DONE])
        states = set(at_work.values_list("state", flat=True))
        last = at_work.order_by("-review__sent_at").values_list("review__sent_at", flat=True).first()
        if states == {Assignment.State.DONE} and last is not None:
            found.append(Event(last, f"The reviews of round {round_.number} came in."))
    return found


def _reviews_due(submission: Submission) -> datetime | None:
    at_work = Assignment.objects.filter(
        round__submission=submission, round__closed_at=None, state=Assignment.State.ACCEPTED
    )
    return at_work.order_by("-due_at").values_list("due_at", flat=True).first()
