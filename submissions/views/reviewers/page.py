"""The page of one submission under review: the text on the left, eight questions on the right, one address for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods

from submissions.models import Assignment, Review
from submissions.naming import Viewing, sees_author
from submissions.reviewing import Answer, ReviewProblem, ReviewText, differences, from_form, written_in
from submissions.rubric import criteria
from submissions.selectors.changes import changes
from submissions.selectors.comments import discussion_for
from submissions.selectors.queue import queue_of, requests_before
from submissions.selectors.recipients import authors_of
from submissions.selectors.reviews import assignment_of, reviews_for
from submissions.selectors.shown_text import shown_text
from submissions.selectors.visible import submission_for
from submissions.services.reviews import StaleReview, UnfinishedReview, save_review, send_review, why_closed
from submissions.services.transitions import WrongState
from submissions.standing import Standing
from submissions.views.editors import overview
from submissions.views.reviewers.answers import invitation


@dataclass(frozen=True, slots=True)
class Question:
    """One criterion as the form shows it."""

    number: int
    key: str
    name: str
    question: str
    anchors: tuple[tuple[str, str], ...]
    answer: Answer
    problem: str


@require_http_methods(["GET", "POST"])
def review(request: HttpRequest, public_id: str) -> HttpResponse:
    """What the person is to the submission decides what is here; authors have a page of their own."""
    submission, standing = submission_for(request.user, public_id, Standing.REVIEWER, Standing.INVITED, Standing.EDITOR)
    if standing is Standing.EDITOR:
        return overview.page(request, submission)
    if standing is Standing.INVITED:
        return invitation(request, submission)
    assignment = assignment_of(request.user, submission)
    assert assignment is not None, "a reviewer has opened it in some round"
    response = _posted(request, assignment) if request.method == "POST" else _page(request, assignment)
    # A page from the browser's store would show an older text and hold an older version number.
    add_never_cache_headers(response)
    return response


def _posted(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    text = from_form(request.POST, assignment.round.revision.text.polarity)
    version, action = _number(request.POST.get("version")), request.POST.get("a", "save")
    keep = send_review if action == "send" else save_review
    try:
        kept = keep(assignment, text, version=version, actor=request.user)
    except UnfinishedReview as error:
        return _page(request, assignment, text=text, problems=error.problems, status=422)
    except StaleReview as error:
        return _stale(request, assignment, text, error)
    except WrongState as error:
        return _closed(request, assignment, text, error)
    if _wants_json(request):
        return JsonResponse({"version": kept.version, "saved_at": _clock(kept), "n_answered": text.n_answered})
    return _onward(request, assignment, action)


def _stale(request: HttpRequest, assignment: Assignment, text: ReviewText, error: StaleReview) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"error": "stale", "message": str(error)}, status=409)
    return _page(request, assignment, text=text, stored=error.review, status=409)


def _closed(request: HttpRequest, assignment: Assignment, text: ReviewText, error: WrongState) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"error": "closed", "message": str(error)}, status=409)
    return _page(request, assignment, text=text, refused=str(error), status=409)


def _onward(request: HttpRequest, assignment: Assignment, action: str) -> HttpResponse:
    public_id = assignment.round.submission.public_id
    if action == "return":
        return redirect("submissions:review-hand-back", public_id)
    if action == "next":
        later = [item for item in queue_of(request.user).open if item.public_id != public_id]
        messages.success(request, "Saved.")
        return redirect("submissions:review", later[0].public_id) if later else redirect("submissions:review-queue")
    messages.success(request, "Sent. Thank you." if action == "send" else "Saved.")
    return redirect("submissions:review", public_id)


def _page(
    request: HttpRequest,
    assignment: Assignment,
    *,
    text: ReviewText | None = None,
    problems: list[ReviewProblem] | None = None,
    stored: Review | None = None,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    kept = Review.objects.filter(assignment=assignment).first()
    polarity = assignment.round.revision.text.polarity
    written = text or written_in(kept, polarity)
    found = {item.part: item.message for item in problems or ()}
    context = {
        **_beside(request, assignment),
        "review": kept,
        "written": written,
        "questions": _questions(polarity, written, found),
        "advices": Review.Advice.choices,
        "problems": problems or [],
        "problem_of": found,
        "differences": differences(written_in(stored, polarity), written, polarity) if stored else [],
        "is_stale": stored is not None,
        "refused": refused,
        "closed": refused or why_closed(assignment),
    }
    return render(request, "submissions/reviewers/review.html", context, status=status)


def _beside(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    """All that is not the form: the text, what changed, the reviews of others, the discussion."""
    round_, submission = assignment.round, assignment.round.submission
    viewing = Viewing(request.user, submission)
    seat = viewing.involved.seats.get(assignment.person_id)
    return {
        "section": "review",
        "submission": submission,
        "assignment": assignment,
        "round": round_,
        "shown": shown_text(round_.revision, Standing.REVIEWER),
        "me": f"Reviewer {seat}" if seat else "a reviewer",
        "local_copy": f"{submission.public_id}/{round_.number}/{seat}",
        "author": _author(viewing),
        "requests": requests_before(assignment),
        "changes": _changes(assignment),
        "others": reviews_for(viewing),
        "discussion": discussion_for(viewing),
        "now": timezone.now(),
    }


def _author(viewing: Viewing) -> str:
    """The names of its authors where the call lets reviewers know them."""
    if not sees_author(Standing.REVIEWER, viewing.submission):
        return ""
    return ", ".join(viewing.name_of(person) for person in authors_of(viewing.submission, viewing.involved))


def _changes(assignment: Assignment) -> Any:
    revision = assignment.round.revision
    before = revision.submission.revisions.filter(number=revision.number - 1).first()
    return changes(before.text, revision.text).items if before is not None else ()


def _questions(polarity: str, written: ReviewText, found: dict[str, str]) -> list[Question]:
    return [
        Question(
            number,
            item.key,
            item.name,
            item.question,
            tuple((str(value), words) for value, words in enumerate(item.anchors, start=1)),
            written.answers.get(item.key, Answer()),
            found.get(item.key, ""),
        )
        for number, item in enumerate(criteria(polarity), start=1)
    ]


def _number(posted: str | None) -> int:
    """The version of a form; anything that is not a number is none at all, and so an old one."""
    return int(posted) if posted and posted.isascii() and posted.isdigit() and len(posted) < 9 else 0


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _clock(review: Review) -> str:
    return f"{timezone.localtime(review.saved_at):%H:%M}"
