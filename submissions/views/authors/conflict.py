"""A draft that was changed in two places: shows both texts, and saves what a person chooses."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from impactbench.common.errors import DomainError
from submissions.clashes import Comparison, compare, resolve
from submissions.content import Content
from submissions.models import Submission
from submissions.selectors.draft_versions import content_of
from submissions.services.drafts import StaleDraft, open_draft, save_draft
from submissions.services.transitions import WrongState
from submissions.views.authors import posted
from submissions.views.authors.access import authors_only, person, to_form, to_page
from submissions.views.authors.local_copies import note_settled

LARGEST_JSON = 3_000_000


def posted_version(request: HttpRequest) -> int:
    """The version that the form was opened on; 0 when it holds none that can be read."""
    return _number(request.POST.get("version", ""))


def conflict_page(
    request: HttpRequest,
    submission: Submission,
    mine: Content,
    *,
    base_version: int,
    missing: tuple[str, ...] = (),
    from_device: bool = False,
) -> HttpResponse:
    """Both texts beside each other, status 409; what does not collide goes together by itself.

    When nothing collides there is nothing to ask: the texts are put together and saved.
    """
    base = content_of(submission, base_version)
    comparison = compare(base, mine, submission.draft)
    if not comparison.clashes:
        return _without_a_choice(request, submission, comparison)
    context = {
        "section": "submissions",
        "submission": submission,
        "comparison": comparison,
        "mine": json.dumps(mine.to_json()),
        "base_version": base_version,
        "missing": missing,
        "from_device": from_device,
        "choices": request.POST,
    }
    return render(request, "submissions/authors/conflict.html", context, status=409)


@authors_only("POST")
def resolve_conflict(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Save the choices as a new version; the text that is not kept becomes an earlier version first."""
    mine, base_version = _mine(request), _number(request.POST.get("base_version", ""))
    if mine is None:
        messages.error(request, "This page could not be read. Your saved draft is unchanged.")
        return to_page(submission)
    if request.POST.get("action") == "keep-both":
        return _keep_both(request, submission, mine)
    if posted_version(request) != submission.version:
        return conflict_page(request, submission, mine, base_version=base_version)
    base = content_of(submission, base_version)
    comparison = compare(base, mine, submission.draft)
    chosen, missing = resolve(comparison, mine, base, _with_prefix(request, "choice-"), _with_prefix(request, "text-"))
    if missing:
        return conflict_page(request, submission, mine, base_version=base_version, missing=missing)
    try:
        save_both(submission, mine, chosen, version=submission.version, actor=request.user)
    except StaleDraft as stale:
        return conflict_page(request, stale.submission, mine, base_version=base_version)
    except WrongState as refusal:
        messages.error(request, str(refusal))
        return to_page(submission)
    note_settled(request, submission)
    messages.success(request, "Saved. The text you did not keep stands under earlier versions.")
    return to_form(submission)


@authors_only("POST")
def compare_local(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Compare the saved draft with newer text that a device has kept."""
    mine = posted.read(request.POST, submission.draft)
    if mine == submission.draft:
        messages.info(request, "Both texts are the same. Nothing was changed.")
        return to_form(submission)
    return conflict_page(request, submission, mine, base_version=0, from_device=True)


@transaction.atomic
def save_both(submission: Submission, mine: Content, chosen: Content, *, version: int, actor: object) -> Submission:
    """Keep `mine` as a version that one can go back to, then the chosen text as the newest."""
    kept = save_draft(submission, mine, version=version, actor=actor)
    return save_draft(kept, chosen, version=kept.version, actor=actor)


def _without_a_choice(request: HttpRequest, submission: Submission, comparison: Comparison) -> HttpResponse:
    try:
        save_draft(submission, comparison.merged, version=submission.version, actor=request.user)
    except StaleDraft:
        messages.error(request, "This draft is being changed in another window right now. Save once more.")
    note_settled(request, submission)
    if comparison.taken:
        names = ", ".join(comparison.taken)
        messages.success(request, f"Saved. Another window had saved too; both texts were put together. Yours: {names}.")
    return to_form(submission)


def _keep_both(request: HttpRequest, submission: Submission, mine: Content) -> HttpResponse:
    try:
        second = open_draft(person(request), content=mine, call=submission.call, clone_of=submission)
    except DomainError as refusal:
        messages.error(request, str(refusal))
        return conflict_page(request, submission, mine, base_version=_number(request.POST.get("base_version", "")))
    note_settled(request, submission)
    messages.success(request, f"Both are kept. This tab’s text is a draft of its own now, {second.public_id}.")
    return to_form(second)


def _mine(request: HttpRequest) -> Content | None:
    text = request.POST.get("mine", "")
    try:
        stored = json.loads(text) if len(text) <= LARGEST_JSON else None
    except (ValueError, RecursionError):
        return None
    return Content.from_json(stored) if isinstance(stored, dict) else None


def _with_prefix(request: HttpRequest, prefix: str) -> Mapping[str, str]:
    return {name.removeprefix(prefix): str(value) for name, value in request.POST.items() if name.startswith(prefix)}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
