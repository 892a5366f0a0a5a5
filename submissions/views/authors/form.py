"""The form: shows it, saves what was posted before anything else, then does what the pressed button says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from impactbench.common.errors import DomainError
from submissions.advice.linter import split
from submissions.content import Content
from submissions.models import Submission
from submissions.saving_limit import TOO_OFTEN, saves_too_often
from submissions.services import attachments, coauthors
from submissions.services.calls import CallClosed
from submissions.services.drafts import StaleDraft, open_draft, save_draft
from submissions.services.sending import Incomplete, resend, send
from submissions.services.transitions import NotAllowed, WrongState
from submissions.services.trials import ask_for_conversation_trial, ask_for_examples_trial
from submissions.states import EDITABLE, State
from submissions.views.authors import posted
from submissions.views.authors.access import authors_only, person, to_form, to_page
from submissions.views.authors.advising import keep
from submissions.views.authors.conflict import conflict_page, posted_version
from submissions.views.authors.form_page import form_page
from submissions.views.authors.local_copies import note_settled

Act = Callable[[HttpRequest, Submission, str], HttpResponse]


@authors_only("GET", "HEAD", "POST")
def edit(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The form of a draft, or of a submission that changes are asked for."""
    return form(request, submission)


def form(request: HttpRequest, submission: Submission) -> HttpResponse:
    """`edit` for a submission that was looked up already."""
    if submission.state not in EDITABLE:
        return _closed(request, submission)
    if request.method != "POST":
        return form_page(request, submission, submission.draft)
    return _posted(request, submission)


def _posted(request: HttpRequest, submission: Submission) -> HttpResponse:
    mine = posted.read(request.POST, submission.draft)
    action = request.POST.get("action", "save")
    changed, anchor = posted.with_line_action(mine, action)
    if saves_too_often(request.user):
        return form_page(request, submission, mine, notes={"unsaved": TOO_OFTEN}, status=429)
    try:
        saved = save_draft(submission, changed, version=posted_version(request), actor=request.user)
    except StaleDraft as stale:
        return conflict_page(request, stale.submission, mine, base_version=posted_version(request))
    except WrongState:
        submission.refresh_from_db()
        return _closed(request, submission)
    note_settled(request, saved)
    _tell_cut(request)
    if anchor:
        return to_form(saved, anchor)
    return _act(action)(request, saved, action)


def _act(action: str) -> Act:
    exact: dict[str, Act] = {
        "send": _send,
        "resend": _send,
        "preview": _preview,
        "save-and-stop": _stop,
        "split-definition": _split,
        "keep-advice": _keep,
        "attach": _attach,
        "try-judge": _try,
        "try-conversation": _try,
        "invite": _invite,
    }
    if action in exact:
        return exact[action]
    for start, act in (("remove-file-", _detach), ("remove-author-", _remove_author), ("up-author-", _author_up)):
        if action.startswith(start):
            return act
    return _keep if action.startswith("keep-advice:") else _saved


def _saved(request: HttpRequest, submission: Submission, _action: str) -> HttpResponse:
    messages.success(request, "Saved.")
    return to_form(submission)


def _stop(request: HttpRequest, _submission: Submission, _action: str) -> HttpResponse:
    messages.success(request, "Saved. It waits for you here.")
    return redirect("submissions:submissions")


def _preview(_request: HttpRequest, submission: Submission, _action: str) -> HttpResponse:
    return redirect("submissions:preview", public_id=submission.public_id)


def _send(request: HttpRequest, submission: Submission, _action: str) -> HttpResponse:
    return send_and_show(request, submission, version=submission.version)


def send_and_show(request: HttpRequest, submission: Submission, *, version: int) -> HttpResponse:
    """Send what is saved, and show the receipt, or the form with everything that is missing."""
    try:
        if submission.state == State.CHANGES_REQUESTED:
            revision = resend(submission, actor=request.user, version=version)
        else:
            revision = send(submission, version=version, actor=request.user)
    except Incomplete as refused:
        submission.refresh_from_db()
        return form_page(request, submission, submission.draft, refused=refused.problems, status=422)
    except CallClosed as closed:
        return form_page(request, submission, submission.draft, notes={"closed": closed.window}, status=422)
    except StaleDraft:
        messages.error(request, "The draft was changed since you looked at it. Nothing was sent. Look at it once more.")
        return redirect("submissions:preview", public_id=submission.public_id)
    except (NotAllowed, WrongState) as refusal:
        messages.error(request, str(refusal))
        return to_page(submission)
    return redirect("submissions:sent", public_id=submission.public_id, number=revision.number)


def _split(request: HttpRequest, submission: Submission, _action: str) -> HttpResponse:
    content = submission.draft
    parts = split(content.definition)
    if parts is None:
        messages.info(request, "The definition speaks of one behaviour already, so nothing was split.")
        return to_form(submission, "definition")
    try:
        second = open_draft(
            person(request),
            content=replace(content, title=_second_title(content), definition=parts[1]),
            call=submission.call,
            clone_of=submission,
        )
    except DomainError as refusal:
        return _refused(request, submission, {"lint_error": str(refusal)})
    save_draft(submission, replace(content, definition=parts[0]), version=submission.version, actor=request.user)
    messages.success(request, f"The second behaviour is a draft of its own now, {second.public_id}. Read both over.")
    return to_form(submission, "definition")


def _second_title(content: Content) -> str:
    return f"{content.title.strip()} (2)" if content.title.strip() else ""


def _keep(request: HttpRequest, submission: Submission, action: str) -> HttpResponse:
    key = action.partition(":")[2]
    if key:
        keep(request, submission, key)
    return to_form(submission, "row-definition")


def _try(request: HttpRequest, submission: Submission, action: str) -> HttpResponse:
    ask = ask_for_examples_trial if action == "try-judge" else ask_for_conversation_trial
    return _done(request, submission, "try", lambda: ask(submission, actor=request.user))


def _attach(request: HttpRequest, submission: Submission, _action: str) -> HttpResponse:
    upload = request.FILES.get("file")
    if upload is None:
        return _refused(request, submission, {"file_error": "Choose a file first. All else on this page is saved."})
    try:
        attachments.attach(submission, upload, actor=request.user)
    except DomainError as refusal:
        return _refused(request, submission, {"file_error": f"{refusal} All else on this page is saved."})
    return to_form(submission, "files")


def _detach(request: HttpRequest, submission: Submission, action: str) -> HttpResponse:
    key = _key(action)
    return _done(request, submission, "files", lambda: attachments.remove(submission, key, actor=request.user))


def _invite(request: HttpRequest, submission: Submission, _action: str) -> HttpResponse:
    email, name = request.POST.get("co_author_email", ""), request.POST.get("co_author_name", "")
    try:
        row = coauthors.invite(submission, email=email, name=name, actor=request.user)
    except DomainError as refusal:
        notes = {"invite_error": str(refusal), "invite_email": email, "invite_name": name}
        return _refused(request, submission, notes)
    messages.success(request, f"An invitation goes to {row.email}. It is good for 14 days.")
    return to_form(submission, "authors")


def _remove_author(request: HttpRequest, submission: Submission, action: str) -> HttpResponse:
    key = _key(action)
    return _done(request, submission, "authors", lambda: coauthors.remove(submission, key, actor=request.user))


def _author_up(request: HttpRequest, submission: Submission, action: str) -> HttpResponse:
    key = _key(action)
    return _done(request, submission, "authors", lambda: coauthors.move_up(submission, key, actor=request.user))


def _done(request: HttpRequest, submission: Submission, anchor: str, act: Callable[[], Any]) -> HttpResponse:
    try:
        act()
    except DomainError as refusal:
        messages.error(request, str(refusal))
    return to_form(submission, anchor)


def _refused(request: HttpRequest, submission: Submission, notes: dict[str, Any]) -> HttpResponse:
    submission.refresh_from_db()
    return form_page(request, submission, submission.draft, notes=notes, status=422)


def _key(action: str) -> int:
    last = action.rpartition("-")[2]
    return int(last) if last.isascii() and last.isdigit() and len(last) < 12 else 0


def _closed(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The text cannot be changed now. Who sent it twice lands on its receipt."""
    newest = submission.revisions.order_by("-number").first()
    if request.method == "POST" and request.POST.get("action") in ("send", "resend") and newest is not None:
        return redirect("submissions:sent", public_id=submission.public_id, number=newest.number)
    if request.method == "POST":
        messages.error(request, "This was sent from another window, so the text was not changed any more.")
    return to_page(submission)


def _tell_cut(request: HttpRequest) -> None:
    for name in posted.cut_fields(request.POST):
        messages.warning(request, f"“{name}” is longer than 20,000 characters. What came after is not kept.")
    full = posted.full_list(request.POST)
    if full:
        messages.warning(request, f"“{full}” holds 20 lines at most. What came after is not kept.")
