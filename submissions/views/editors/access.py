"""Who may open the pages for editors."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from submissions.models import Submission
from submissions.selectors.visible import submission_for
from submissions.standing import Standing


def need_editor(request: HttpRequest) -> None:
    """Raises Http404 for everybody who is not an editor."""
    if not (request.user.is_authenticated and request.user.has_role("editor")):
        raise Http404


def handled(request: HttpRequest, public_id: str) -> Submission:
    """The submission, for an editor who may handle it. Raises Http404 for everybody else."""
    submission, _ = submission_for(request.user, public_id, Standing.EDITOR)
    return submission
