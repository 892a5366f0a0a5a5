"""Earlier versions of a draft: every text that was saved, to be read and taken back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from impactbench.common.errors import DomainError
from submissions.content import Content
from submissions.models import DraftVersion, Submission
from submissions.naming import Viewing
from submissions.selectors.changes import changes
from submissions.services.drafts import KEPT_VERSIONS, StaleDraft, save_draft
from submissions.states import EDITABLE
from submissions.views.authors.access import authors_only, to_form, to_page
from submissions.views.authors.reading import readable_content

_NOBODY: frozenset[str] = frozenset()


@authors_only("GET", "HEAD")
def versions(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The list of them, newest first, with who saved what."""
    rows = list(submission.draft_versions.select_related("saved_by"))
    before = {row.version: Content.from_json(row.content) for row in rows}
    found, viewing = [], Viewing(request.user, submission)
    for row, older in zip(rows, [*rows[1:], None], strict=True):
        names = [] if older is None else _changed(before[older.version], before[row.version])
        found.append((row, viewing.name_of(row.saved_by), names))
    context = {"section": "submissions", "submission": submission, "versions": found, "n_kept": KEPT_VERSIONS}
    return render(request, "submissions/authors/versions.html", context)


@authors_only("GET", "HEAD", "POST")
def version(request: HttpRequest, submission: Submission, number: int) -> HttpResponse:
    """One of them. POST makes it the draft again; today's text stays as a version too."""
    row = DraftVersion.objects.filter(submission=submission, version=number).first()
    if row is None:
        raise Http404
    content = Content.from_json(row.content)
    if request.method == "POST":
        return _restore(request, submission, content)
    context = {
        "section": "submissions",
        "submission": submission,
        "row": row,
        "text": readable_content(content, leave_out=_NOBODY),
        "is_newest": number == submission.version,
        "may_restore": submission.state in EDITABLE and number != submission.version,
    }
    return render(request, "submissions/authors/version.html", context)


def _restore(request: HttpRequest, submission: Submission, content: Content) -> HttpResponse:
    try:
        save_draft(submission, content, version=submission.version, actor=request.user)
    except StaleDraft:
        messages.error(request, "The draft was changed in another window right now. Look at it, then restore again.")
        return to_form(submission)
    except DomainError as refusal:
        messages.error(request, str(refusal))
        return to_page(submission)
    messages.success(request, "The earlier text is your draft again. The text before it stays under earlier versions.")
    return to_form(submission)


def _changed(old: Content, new: Content) -> list[str]:
    return [item.name for item in changes(old, new, leave_out=_NOBODY).items]
