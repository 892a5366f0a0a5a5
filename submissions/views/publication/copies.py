"""Files to take along: one submission as JSON or PDF, for those who may read it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from submissions.content import Content
from submissions.models import Submission
from submissions.pdf import pdf_of
from submissions.selectors.copies import copy_for, readable_fields
from submissions.selectors.visible import submission_for
from submissions.standing import Standing


@login_required
@never_cache
@require_safe
def own_json(request: HttpRequest, public_id: str) -> HttpResponse:
    """Everything of one's own submission."""
    submission, _ = submission_for(request.user, public_id, Standing.AUTHOR)
    return _as_file(copy_for(request.user, submission), submission)


@login_required
@never_cache
@require_safe
def own_pdf(request: HttpRequest, public_id: str) -> HttpResponse:
    """The same to read on paper."""
    submission, _ = submission_for(request.user, public_id, Standing.AUTHOR)
    copy = copy_for(request.user, submission)
    content = pdf_of(f"{submission.public_id}: {submission.title}", _parts(copy))
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{submission.public_id}.pdf"'
    return response


@login_required
@never_cache
@require_safe
def review_json(request: HttpRequest, public_id: str) -> HttpResponse:
    """What a reviewer or an editor may read of a submission."""
    submission, _ = submission_for(request.user, public_id, Standing.REVIEWER, Standing.EDITOR)
    return _as_file(copy_for(request.user, submission), submission)


def _as_file(content: dict[str, Any], submission: Submission) -> HttpResponse:
    response = JsonResponse(content, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{submission.public_id}.json"'
    return response


def _parts(copy: dict[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The copy as headings and texts; the newest text first, then what was said about it."""
    versions = copy["versions"][::-1]
    parts = [] if versions else [("Draft", readable_fields(Content.from_json(copy["draft"]), is_author=True))]
    for one in versions:
        content = Content.from_json(one["content"])
        parts.append((f"Version {one['number']}, {one['receipt']}", readable_fields(content, is_author=True)))
    letters = [(f"{one['subject']} ({one['sent_at'][:10]})", one["text"]) for one in copy["letters"]]
    reviews = [(f"{one['name']}, version {one['version_number']}", _review_text(one)) for one in copy["reviews"]]
    comments = [(f"{one['by']} ({one['at'][:10]})", one["text"]) for one in copy["comments"]]
    history = "\n".join(f"{one['at'][:10]} {one['what']}" for one in copy["history"])
    named = [("Letters", letters), ("Reviews", reviews), ("Discussion", comments), ("History", [("Dates", history)])]
    return [*parts, *((heading, rows) for heading, rows in named if rows)]


def _review_text(review: dict[str, Any]) -> str:
    answers = []
    for one in review["answers"]:
        value = "could not judge" if one["value"] is None else one["value"]
        answers.append(f"{one['name']}: {value} {one['words']} {one['comment']}".strip())
    return "\n".join([*answers, "", review.get("for_author", "")]).strip()
