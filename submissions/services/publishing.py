"""Publishes approved metrics, by a second editor; retires and reinstates published ones."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from evaluation.models import MetricVersion
from evaluation.services import metric_publishing
from impactbench.common import mail
from impactbench.common.errors import DomainError
from submissions.addresses import metric_page
from submissions.models import Submission
from submissions.services.crediting import authors_of
from submissions.services.letters import Ours, Theirs, letter
from submissions.services.transitions import take
from submissions.states import Action

PUBLISHED, RETIRED, REINSTATED = "metric-published", "metric-retired", "metric-reinstated"
_SUBJECTS = {
    PUBLISHED: "Published: “$title”",
    RETIRED: "Retired: “$title”",
    REINSTATED: "In use again: “$title”",
}
_TEXTS = {
    PUBLISHED: (
        "Dear author,\n\nyour metric “$title” ($name) is published. Its page says “no results yet” until a release "
        "has measured it:\n$pages\n\nYour submission has its history and a copy of everything."
    ),
    RETIRED: (
        "Dear author,\n\nyour metric “$title” ($name) was retired. It is not used in new tests. Its page, its history "
        "and its results stay:\n$pages\n\nThe reason:\n$reason"
    ),
    REINSTATED: "Dear author,\n\nyour metric “$title” ($name) is in use again:\n$pages",
}


def versions_of(submission: Submission) -> list[MetricVersion]:
    """The metric versions that approval made of the submission's newest approved revision, by question."""
    found = MetricVersion.objects.filter(approved_from__revision__submission=submission)
    return list(found.select_related("metric__benchmark").order_by("approved_from__question"))


@transaction.atomic
def publish(submission: Submission, *, actor: Any) -> Submission:
    """Show the metrics to everybody, and tell the authors. Raises NotAllowed, WrongState, or DomainError."""
    versions = _made(submission)
    fresh = take(Action.PUBLISH, submission, actor=actor, details={"metrics": [str(one) for one in versions]})
    metric_publishing.publish_versions(versions)
    _tell(fresh, versions, PUBLISHED)
    return fresh


@transaction.atomic
def retire(submission: Submission, *, actor: Any, reason: str) -> Submission:
    """Take the metrics out of use; their pages stay with the reason. Raises NotAllowed, WrongState, or DomainError."""
    versions = _made(submission)
    fresh = take(Action.RETIRE, submission, actor=actor, details={"reason": reason.strip()})
    metric_publishing.retire_versions(versions, reason)
    _tell(fresh, versions, RETIRED, reason=reason.strip())
    return fresh


@transaction.atomic
def reinstate(submission: Submission, *, actor: Any) -> Submission:
    """Put retired metrics back into use. Raises NotAllowed or WrongState."""
    versions = _made(submission)
    fresh = take(Action.REINSTATE, submission, actor=actor)
    metric_publishing.reinstate_versions(versions)
    _tell(fresh, versions, REINSTATED)
    return fresh


def _made(submission: Submission) -> list[MetricVersion]:
    versions = versions_of(submission)
    if not versions:
        raise DomainError("No metric has been made of it yet; its approval comes first.")
    return versions


def _tell(submission: Submission, versions: list[MetricVersion], event: str, reason: str = "") -> None:
    # Each time is a letter of its own, also when a metric is retired twice.
    times = len(set(mail.mails_about(submission).filter(event=event).values_list("round", flat=True))) + 1
    written = letter(
        _SUBJECTS[event],
        _TEXTS[event],
        title=Theirs(submission.title),
        name=Ours(submission.public_id),
        pages=Ours("\n".join(metric_page(version) for version in versions)),
        reason=Theirs(reason),
    )
    for author in authors_of(submission):
        mail.post(
            event=event, kind="publication", to=author, about=submission, subject=written.subject, text=written.text,
            round=str(times),
        )  # fmt: skip
