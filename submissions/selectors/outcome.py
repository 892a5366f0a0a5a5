"""The letters that went out about a submission."""

from __future__ import annotations

from submissions.models import Decision, Submission


def letters_of(submission: Submission) -> list[Decision]:
    """The decisions whose letters went out, newest first."""
    sent = submission.decisions.filter(state=Decision.State.SENT)
    return list(sent.select_related("round__revision").order_by("-sent_at", "-pk"))
