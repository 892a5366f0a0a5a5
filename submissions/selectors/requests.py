"""What authors were asked to change, with their answers once these are sent."""

from __future__ import annotations

from submissions.models import Decision, RequestedChange, Submission


def are_answers_sent(decision: Decision) -> bool:
    """Answers are a draft, like the text beside them, until both are sent for the next round."""
    round_ = decision.round
    return round_ is not None and decision.submission.rounds.filter(number__gt=round_.number).exists()


def answered_requests(submission: Submission) -> list[RequestedChange]:
    """Every request whose answer has been sent, newest letter first."""
    letters = submission.decisions.filter(kind=Decision.Kind.REQUEST_CHANGES, state=Decision.State.SENT)
    found = letters.select_related("round", "submission").prefetch_related("changes").order_by("-sent_at")
    return [change for letter in found if are_answers_sent(letter) for change in letter.changes.all()]
