"""Files beside a submission: handed out to its authors only, as a download."""

from __future__ import annotations

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse

from submissions.models import Submission
from submissions.services.attachments import download
from submissions.views.authors.access import authors_only


@authors_only("GET", "HEAD")
def attachment(_request: HttpRequest, submission: Submission, key: int) -> HttpResponse:
    """One file under its own name; also one that was removed, for it belongs to a version that was sent."""
    found = submission.attachments.filter(pk=key).first()
    if found is None:
        raise Http404
    return cast(HttpResponse, download(found, name=found.name))
