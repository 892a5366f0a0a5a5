"""Files of a version under review, handed out under neutral names to those who must not know the author."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe

from submissions.models import Revision, Submission
from submissions.selectors.reviews import assignment_of
from submissions.selectors.shown_text import file_name, files_of
from submissions.selectors.visible import submission_for
from submissions.services.attachments import download
from submissions.standing import Standing


@require_safe
def review_file(request: HttpRequest, public_id: str, key: int) -> FileResponse:
    """One file of the version that the person may read, as a download."""
    submission, standing = submission_for(request.user, public_id, Standing.REVIEWER, Standing.EDITOR)
    revision = _revision(request, submission, standing)
    for number, attachment in enumerate(files_of(revision), start=1):
        if attachment.pk == key:
            return download(attachment, name=file_name(attachment, number, standing))
    raise Http404


def _revision(request: HttpRequest, submission: Submission, standing: Standing) -> Revision:
    """The version of a reviewer's own round, or the newest one for editors."""
    assignment = assignment_of(request.user, submission) if standing is Standing.REVIEWER else None
    newest = submission.revisions.order_by("-number").first()
    found = assignment.round.revision if assignment is not None else newest
    if found is None:
        raise Http404
    return found
