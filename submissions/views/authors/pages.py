"""The page of one submission for its authors, what was sent, and the look at it before it is sent."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from submissions.composition import rubrics
from submissions.content import FIELD_NAMES, Content
from submissions.models import Revision, Submission
from submissions.naming import Viewing
from submissions.selectors.changes import Changes, changes
from submissions.selectors.comments import discussion_for
from submissions.selectors.outcome import letters_of, public_pages
from submissions.selectors.reviews import reviews_for
from submissions.selectors.timeline import ahead, timeline
from submissions.selectors.turns import Group, turn_of
from submissions.services.attachments import attachments_of
from submissions.services.calls import days_left
from submissions.services.sending import problems_of, requests_of, unanswered
from submissions.services.transitions import may_take
from submissions.states import EDITABLE, STATE_NAMES, Action, State
from submissions.views.authors.access import authors_only, person
from submissions.views.authors.form import form, send_and_show
from submissions.views.authors.form_page import deadline, form_page
from submissions.views.authors.letters import n_letters_to
from submissions.views.authors.places import ROW_OF
from submissions.views.authors.reading import readable_content


@authors_only("GET", "HEAD", "POST")
def submission_page(request: HttpRequest, submission: Submission) -> HttpResponse:
    """A draft opens as its form; later, the page says whose turn it is and what comes next."""
    if submission.state == State.DRAFT or request.method == "POST" or "edit" in request.GET:
        return form(request, submission)
    return status_page(request, submission)


def status_page(
    request: HttpRequest, submission: Submission, *, notes: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """The page after sending. `notes` says what went wrong with an answer or a sending (`problems`)."""
    viewing = Viewing(request.user, submission)
    turn = turn_of(submission)
    newest = newest_changes(submission)
    open_requests = [change.number for change in unanswered(submission)]
    context = {
        "section": "submissions",
        "submission": submission,
        "turn": turn,
        "is_your_turn": turn.group is Group.YOU,
        "days_left": days_left(turn.due) if turn.due else None,
        "state_name": STATE_NAMES[State(submission.state)],
        "is_owner": submission.owner_id == request.user.pk,
        "is_editable": submission.state in EDITABLE,
        "requests": [
            (change, FIELD_NAMES.get(change.field, "In general"), ROW_OF.get(change.field, "send"))
            for change in requests_of(submission)
        ],
        "open_requests": open_requests,
        "is_answering": submission.state == State.CHANGES_REQUESTED,
        "next_number": submission.revisions.count() + 1,
        "letters": letters_of(submission),
        "reviews": reviews_for(viewing),
        "events": timeline(viewing),
        "steps": ahead(submission),
        "public_pages": public_pages(submission),
        "may_renew": submission.state == State.PUBLISHED,
        "revisions": list(submission.revisions.all()),
        "is_sent": submission.revisions.exists(),
        "may_withdraw": may_take(Action.WITHDRAW, submission, request.user, viewing.standing),
        "may_restore": may_take(Action.RESTORE, submission, request.user, viewing.standing),
        "waiting_for_time": submission.extensions.filter(answered_at=None).first(),
        "n_letters": n_letters_to(person(request), submission),
        "discussion": discussion_for(viewing),
        "changes": newest,
        "changed_fields": [change.field for change in newest["found"].items] if newest else [],
        "attachments": attachments_of(submission),
        **(notes or {}),
    }
    return render(request, "submissions/authors/submission.html", context, status=status)


def newest_changes(submission: Submission) -> dict[str, Any] | None:
    """What changed since the last version: in the draft while changes are made, else in the newest version."""
    revisions = list(submission.revisions.order_by("-number")[:2])
    if submission.state == State.CHANGES_REQUESTED and revisions:
        old, new, names = revisions[0], submission.draft, _request_numbers(submission)
        found = changes(old.text, new, answered=names)
        return {"old": old, "new_name": f"Version {old.number + 1}, your draft", "found": found, "from": old.number}
    if len(revisions) == 2:
        new_revision, old = revisions
        found = changes(old.text, new_revision.text)
        return {"old": old, "new_name": f"Version {new_revision.number}", "found": found, "from": old.number}
    return None


@authors_only("GET", "HEAD")
def changes_page(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Two versions side by side, `?from=1&to=2`; without them, the last two."""
    revisions = {revision.number: revision for revision in submission.revisions.all()}
    numbers = sorted(revisions)
    if len(numbers) < 2:
        raise Http404
    new = _asked(request, "to", revisions, numbers[-1])
    old = _asked(request, "from", revisions, numbers[-2])
    found: Changes = changes(old.text, new.text)
    context = {
        "section": "submissions",
        "submission": submission,
        "old": old,
        "new_name": f"Version {new.number}",
        "new": new,
        "found": found,
        "revisions": list(revisions.values()),
    }
    return render(request, "submissions/authors/changes.html", context)


@authors_only("GET", "HEAD")
def sent(request: HttpRequest, submission: Submission, number: int) -> HttpResponse:
    """The receipt of a version, and what was sent."""
    revision = submission.revisions.filter(number=number).first()
    if revision is None:
        raise Http404
    context = {
        "section": "submissions",
        "submission": submission,
        "revision": revision,
        "is_newest": number == submission.revisions.count(),
        **_reading(revision.text),
    }
    return render(request, "submissions/authors/sent.html", context)


@authors_only("GET", "HEAD", "POST")
def preview(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The draft as reviewers will see it, before it is sent. POST sends exactly what was shown."""
    if submission.state not in EDITABLE:
        newest = submission.revisions.order_by("-number").first()
        if request.method == "POST" and newest is not None:
            return redirect("submissions:sent", public_id=submission.public_id, number=newest.number)
        return status_page(request, submission)
    if request.method == "POST":
        return send_and_show(request, submission, version=_version(request))
    missing = problems_of(submission.draft)
    if missing:
        return form_page(request, submission, submission.draft, refused=missing, status=422)
    context = {
        "section": "submit",
        "submission": submission,
        "deadline": deadline(request, submission),
        "attachments": attachments_of(submission),
        "is_owner": submission.owner_id == request.user.pk,
        "next_number": submission.revisions.count() + 1,
        **_reading(submission.draft.without_empty_lines()),
    }
    return render(request, "submissions/authors/preview.html", context)


def _reading(content: Content) -> dict[str, Any]:
    return {"text": readable_content(content), "rubrics": rubrics(content), "content": content}


def _request_numbers(submission: Submission) -> dict[str, tuple[int, ...]]:
    numbers: dict[str, tuple[int, ...]] = {}
    for change in requests_of(submission):
        numbers[change.field] = (*numbers.get(change.field, ()), change.number)
    return numbers


def _asked(request: HttpRequest, name: str, revisions: dict[int, Revision], usual: int) -> Revision:
    text = request.GET.get(name, "") or str(usual)
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if number not in revisions:
        raise Http404
    return revisions[number]


def _version(request: HttpRequest) -> int:
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
