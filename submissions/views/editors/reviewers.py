"""Finds reviewers for one submission, and changes what was asked of them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from impactbench.accounts.models import User
from impactbench.common.errors import DomainError
from submissions.models import Assignment, Round, Submission
from submissions.selectors.board_rows import row_of
from submissions.services import review_letters, rounds
from submissions.services.importing_assignments import LONGEST_FILE, BadLines, import_assignments
from submissions.services.suitability import suggestions
from submissions.services.transitions import may_take
from submissions.states import Action
from submissions.views.editors.access import handled, need_editor
from submissions.views.editors.fields import end_of_day, key_of


@require_http_methods(["GET", "POST"])
def reviewers(request: HttpRequest, public_id: str) -> HttpResponse:
    """The suggestions, the letter as it will arrive, and the asking."""
    submission = handled(request, public_id)
    if request.method == "GET":
        return _page(request, submission)
    if request.POST.get("a") == "preview":
        return _page(request, submission, shows_letter=True)
    try:
        told = _ask(request, submission)
    except DomainError as error:
        return _page(request, submission, problem=str(error), status=422)
    messages.success(request, told)
    return redirect("submissions:review", submission.public_id)


@require_POST
def change(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Remind, cancel, or give other dates to one assignment of this submission."""
    submission = handled(request, public_id)
    rows = Assignment.objects.select_related("round__submission", "round__revision", "person")
    assignment = rows.filter(pk=pk, round__submission=submission).first()
    if assignment is None:
        raise Http404
    try:
        messages.success(request, _change(request, assignment))
    except DomainError as error:
        messages.error(request, str(error))
    return redirect("submissions:review", submission.public_id)


@require_http_methods(["GET", "POST"])
def import_table(request: HttpRequest) -> HttpResponse:
    """Assignments from a table, pasted or as a file: all of it or nothing."""
    need_editor(request)
    context: dict[str, Any] = {"section": "review", "tab": "all", "text": request.POST.get("text", "")}
    if request.method == "GET":
        return render(request, "submissions/editors/import.html", context)
    try:
        context["text"] = _table(request)
        made = import_assignments(context["text"], actor=request.user)
    except BadLines as error:
        context |= {"problems": error.problems, "told": str(error)}
        return render(request, "submissions/editors/import.html", context, status=422)
    n = len(made)
    messages.success(request, f"{n} {'person was' if n == 1 else 'people were'} asked.")
    return redirect("submissions:review-queue")


def _table(request: HttpRequest) -> str:
    upload = request.FILES.get("file")
    if upload is None:
        return request.POST.get("text", "")
    if upload.size is None or upload.size > LONGEST_FILE * 4:
        raise BadLines([f"The file is longer than {LONGEST_FILE:,} characters. Split it."])
    try:
        return upload.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadLines(["The file is no text in UTF-8. Save it as “CSV UTF-8”."]) from None


def _ask(request: HttpRequest, submission: Submission) -> str:
    people = list(User.objects.filter(pk__in=[key_of(value) for value in request.POST.getlist("person")]))
    if not people:
        raise DomainError("Choose at least one reviewer.")
    usual_answer, usual_due = rounds.usual_dates(submission)
    dates = {
        "answer_by": _date(request, "answer_by", usual_answer),
        "due_at": _date(request, "due_at", usual_due),
    }
    round_ = rounds.open_round_of(submission)
    if round_ is None:
        made = list(rounds.open_round(submission, actor=request.user, people=people, **dates).assignments.all())
    else:
        made = rounds.ask(round_, people, actor=request.user, **dates)
    n = len(made)
    return f"{n} {'person was' if n == 1 else 'people were'} asked." if made else "They had been asked already."


def _date(request: HttpRequest, name: str, usual: Any) -> Any:
    text = request.POST.get(name, "")
    if not text:
        return usual
    moment = end_of_day(text)
    if moment is None:
        raise DomainError("Write dates as year-month-day, such as 2027-01-08.")
    return moment


def _change(request: HttpRequest, assignment: Assignment) -> str:
    match request.POST.get("a"):
        case "remind":
            written = rounds.remind(assignment, actor=request.user)
            return "The reminder goes out." if written else "They were reminded today; one reminder a day is enough."
        case "cancel":
            rounds.cancel(assignment, actor=request.user)
            return "Cancelled. They are told if they knew of it."
        case "dates":
            answer_by = _date(request, "answer_by", assignment.answer_by)
            due_at = _date(request, "due_at", assignment.due_at)
            rounds.change_dates(assignment, actor=request.user, answer_by=answer_by, due_at=due_at)
            return "The dates are changed, and the person is told."
    raise DomainError("Choose what to change.")


def _page(
    request: HttpRequest, submission: Submission, *, problem: str = "", shows_letter: bool = False, status: int = 200
) -> HttpResponse:
    usual_answer, usual_due = rounds.usual_dates(submission)
    answer_by = end_of_day(request.POST.get("answer_by")) or usual_answer
    due_at = end_of_day(request.POST.get("due_at")) or usual_due
    round_ = rounds.open_round_of(submission)
    found = suggestions(submission, viewer=request.user)
    wanted = rounds.days_of(submission).reviewers_wanted
    chosen = {key_of(value) for value in request.POST.getlist("person")}
    if request.method == "GET":
        n_asked = round_.assignments.filter(state__in=rounds.AT_WORK).count() if round_ else 0
        best = [one for one in found if one.is_free and one.n_meeting][: max(wanted - n_asked, 0)]
        chosen = {one.person.pk for one in best}
    context = {
        "section": "review",
        "tab": "all",
        "submission": submission,
        "row": row_of(submission, request.user),
        "suggestions": found,
        "chosen": chosen,
        "answer_by": answer_by,
        "due_at": due_at,
        "wanted": wanted,
        "can_ask": round_ is not None or may_take(Action.OPEN_ROUND, submission, request.user),
        "problem": problem,
        "letter": _letter(submission, round_, request.user, answer_by, due_at) if shows_letter else None,
    }
    return render(request, "submissions/editors/reviewers.html", context, status=status)


def _letter(submission: Submission, round_: Round | None, reader: Any, answer_by: Any, due_at: Any) -> Any:
    """The letter as it will arrive, in the editor's own time zone: each reviewer gets it in theirs."""
    newest = submission.revisions.order_by("-number").first()
    about = round_ or Round(submission=submission, revision=newest, number=1)
    return review_letters.invitation(Assignment(round=about, person=reader, answer_by=answer_by, due_at=due_at))
