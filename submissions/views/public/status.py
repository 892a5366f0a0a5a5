"""Where a submission is, for everybody, when its author wishes so."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from impactbench.common.models import AuditEvent
from submissions.models import Submission
from submissions.services.publishing import versions_of
from submissions.states import PRIVATE, State

# What each state means to somebody who knows nothing of reviews.
WORDS = {
    State.SUBMITTED: _("It has arrived. Nobody has begun to read it yet."),
    State.IN_REVIEW: _("Reviewers are reading it."),
    State.CHANGES_REQUESTED: _("The editors have asked its author for changes."),
    State.APPROVED: _("It is approved. A second editor looks at it before it is shown."),
    State.PUBLISHED: _("It is published."),
    State.RETIRED: _("It was published and is not used any more."),
    State.REJECTED: _("It was not accepted."),
    State.WITHDRAWN: _("Its author has taken it back."),
}
_STEPS = {
    "submission-submit": _("Sent"),
    "submission-open-round": _("Review begun"),
    "submission-request-changes": _("Changes asked for"),
    "submission-resubmit": _("Sent again"),
    "submission-approve": _("Approved"),
    "submission-publish": _("Published"),
    "submission-retire": _("Retired"),
    "submission-reinstate": _("In use again"),
    "submission-reject": _("Not accepted"),
    "submission-withdraw": _("Taken back"),
    "submission-reopen": _("Opened again"),
}


@login_not_required
@never_cache
@require_safe
def public_status_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Title, state in plain words and dates; no names and no reviews. 404 unless the author made it public."""
    found = Submission.objects.filter(public_id=public_id, is_status_public=True).exclude(state__in=PRIVATE)
    submission = found.first()
    if submission is None:
        raise Http404
    events = AuditEvent.objects.filter(
        target_type=Submission._meta.label_lower, target_id=str(submission.pk), action__in=_STEPS
    )
    context = {
        "section": "metrics",
        "submission": submission,
        "title": submission.revisions.order_by("-number")[0].text.title,
        "words": WORDS[State(submission.state)],
        "steps": [(_STEPS[event.action], event.at) for event in events.order_by("at", "pk")],
        "pages": [version for version in versions_of(submission) if version.is_published],
    }
    return render(request, "submissions/public/status.html", context)
