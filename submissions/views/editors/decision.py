"""The page of a decision: reviews beside each other, the choice, and the letter exactly as it will arrive."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from impactbench.common.errors import DomainError
from impactbench.common.moments import when
from submissions.content import text_of
from submissions.forms.approval import ApprovalPlanForm
from submissions.models import Decision, Submission
from submissions.selectors.board_rows import row_of
from submissions.selectors.side_by_side import side_by_side
from submissions.services import decisions
from submissions.services.approving import ApprovalPlan
from submissions.services.decision_choice import (
    MOST_POINTS,
    POINT_FIELDS,
    Choice,
    Point,
    Sending,
    points_from_reviews,
    usual_answer_due,
)
from submissions.services.decision_letters import compose
from submissions.services.decisions import Refused, kinds_open_to, open_decision
from submissions.services.letters import Letter
from submissions.views.editors.access import handled
from submissions.views.editors.fields import end_of_day

_SENDINGS = {
    Sending.SOON: "in 30 minutes",
    Sending.TOMORROW: "tomorrow, 09:00 UTC",
    Sending.HOLD: "hold it",
    Sending.NOW: "now",
}
_KINDS = {
    Decision.Kind.APPROVE: ("Approve.", "A second editor publishes it."),
    Decision.Kind.REQUEST_CHANGES: ("Ask for changes.", "The author answers each point, then a new round."),
    Decision.Kind.REJECT: ("Do not accept.", "With reasons, and what would help."),
}
DECIDED = {
    Decision.Kind.APPROVE: "approve",
    Decision.Kind.REQUEST_CHANGES: "ask for changes",
    Decision.Kind.REJECT: "do not accept",
}


@require_http_methods(["GET", "POST"])
def decision(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the page; or take the form: most buttons only change what the page shows, two of them keep it."""
    submission = handled(request, public_id)
    if request.method == "GET":
        return _page(request, submission, _stored(submission), Sending.SOON)
    choice, sending = _posted(request.POST, submission), _sending(request.POST)
    pressed = request.POST.get("a", "preview")
    if pressed not in ("save", "draft"):
        return _page(request, submission, _changed(choice, pressed, submission), sending)
    try:
        told = _keep(request, submission, choice, sending, is_draft=pressed == "draft")
    except Refused as refused:
        return _page(request, submission, choice, sending, problems=refused.reasons)
    except DomainError as error:
        return _page(request, submission, choice, sending, problems=[str(error)])
    messages.success(request, told)
    return redirect("submissions:review-decision", submission.public_id)


@require_POST
def act(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Undo, hold, let go or send one decision of this submission that was not sent yet."""
    submission = handled(request, public_id)
    chosen = submission.decisions.filter(pk=pk).first()
    if chosen is None:
        raise Http404
    try:
        messages.success(request, _act(request, chosen))
    except DomainError as error:
        messages.error(request, str(error))
    if request.POST.get("back") == "outbox":
        response = redirect("submissions:review-queue")
        response["Location"] += "?tab=outbox"
        return response
    return redirect("submissions:review-decision", submission.public_id)


def _act(request: HttpRequest, chosen: Decision) -> str:
    match request.POST.get("a"):
        case "undo":
            decisions.undo(chosen, actor=request.user)
            return "Undone. Nobody but the editors knew of it."
        case "hold":
            decisions.hold(chosen, actor=request.user)
            return "The letter is held."
        case "let-go":
            decisions.let_go(chosen, actor=request.user)
            return "The letter goes out in 30 minutes."
        case "now":
            return _told(decisions.send_now(chosen, actor=request.user))
    raise DomainError("Choose what to do with the decision.")


def _keep(request: HttpRequest, submission: Submission, choice: Choice, sending: Sending, *, is_draft: bool) -> str:
    if is_draft:
        decisions.keep_draft(submission, choice, actor=request.user)
        return "Kept as a draft. Nobody but the editors knows."
    return _told(decisions.decide(submission, choice, actor=request.user, sending=sending))


def _told(kept: Decision) -> str:
    if kept.state == Decision.State.SENT:
        return "The letter has gone out."
    if kept.trouble:
        return f"The letter could not go out, and nothing has happened. {kept.trouble}"
    return "Decided. The letter is held." if kept.state == Decision.State.HELD else "Decided. The letter waits."


def _stored(submission: Submission) -> Choice:
    """The decision that was not sent, else what a new one begins with."""
    kept = open_decision(submission)
    if kept is not None:
        return Choice.of(kept)
    return Choice("", (Point("definition", ""),), usual_answer_due(submission))


def _posted(data: QueryDict, submission: Submission) -> Choice:
    fields, texts = data.getlist("point_field"), data.getlist("point_text")
    points = tuple(Point(name, text_of(text)) for name, text in zip(fields, texts, strict=False))[: MOST_POINTS + 1]
    subject, letter = text_of(data.get("subject")).strip(), text_of(data.get("letter")).strip()
    # As long as nobody has changed the wording, the letter follows the rest of the form.
    is_own = bool(letter) and _mark(subject, letter) != data.get("composed")
    return Choice(
        kind=data.get("kind", ""),
        points=points,
        answer_due=end_of_day(data.get("due")),
        subject=subject if is_own else "",
        letter=letter if is_own else "",
        plan=ApprovalPlanForm(data, submission=submission).plan().to_json() if submission.revisions.exists() else {},
    )


def _sending(data: QueryDict) -> Sending:
    chosen = data.get("sending", "")
    return Sending(chosen) if chosen in set(Sending) else Sending.SOON


def _changed(choice: Choice, pressed: str, submission: Submission) -> Choice:
    """What one of the small buttons makes of the form."""
    if pressed == "add":
        return replace(choice, points=(*choice.points, Point("definition", "")))
    if pressed == "take":
        written = tuple(point for point in choice.points if point.text.strip())
        new = tuple(point for point in points_from_reviews(submission) if point not in written)
        return replace(choice, points=written + new)
    if pressed == "compose":
        return replace(choice, subject="", letter="")
    number = pressed.removeprefix("remove-")
    if number.isascii() and number.isdigit() and len(number) < 4:
        return replace(choice, points=tuple(p for n, p in enumerate(choice.points, start=1) if n != int(number)))
    return choice


def _mark(subject: str, letter: str) -> str:
    words = f"{subject.strip()}\n{letter.strip()}".replace("\r\n", "\n")
    return hashlib.sha256(words.encode()).hexdigest()


def _page(
    request: HttpRequest,
    submission: Submission,
    choice: Choice,
    sending: Sending,
    *,
    problems: list[str] | None = None,
) -> HttpResponse:
    open_kinds = kinds_open_to(submission)
    # Nothing is chosen for an editor: as long as they have not chosen, there is no letter.
    composed = compose(submission, choice) if choice.kind in Decision.Kind.values else Letter("", "")
    shown = Letter(choice.subject or composed.subject, choice.letter or composed.text)
    kept = open_decision(submission)
    context = {
        "section": "review",
        "submission": submission,
        "row": row_of(submission, request.user),
        "version": submission.revisions.order_by("-number").first(),
        "kept": kept,
        "kept_words": DECIDED[Decision.Kind(kept.kind)] if kept else "",
        "minutes": _minutes(kept),
        "side": side_by_side(submission),
        "choice": choice,
        "kinds": [(value, *_KINDS[Decision.Kind(value)]) for value in open_kinds],
        "fields": POINT_FIELDS.items(),
        "due_words": when(choice.answer_due, submission.owner) if choice.answer_due else "",
        "sendings": [(one.value, words) for one, words in _SENDINGS.items()],
        "sending": sending.value,
        "letter": shown,
        "letter_rows": min(shown.text.count("\n") + 4, 40),
        "composed": _mark(composed.subject, composed.text),
        "is_own_wording": _mark(shown.subject, shown.text) != _mark(composed.subject, composed.text),
        "plan_form": _plan_form(request, submission, choice, open_kinds),
        "problems": problems or [],
        "sent": submission.decisions.filter(state=Decision.State.SENT)
        .select_related("decided_by")
        .order_by("-sent_at"),
    }
    return render(request, "submissions/editors/decision.html", context, status=422 if problems else 200)


def _plan_form(
    request: HttpRequest, submission: Submission, choice: Choice, open_kinds: list[str]
) -> ApprovalPlanForm | None:
    if Decision.Kind.APPROVE not in open_kinds:
        return None
    if request.method == "POST" and choice.kind == Decision.Kind.APPROVE:
        return ApprovalPlanForm(request.POST, submission=submission)
    return ApprovalPlanForm(submission=submission, plan=ApprovalPlan.from_json(choice.plan) if choice.plan else None)


def _minutes(kept: Decision | None) -> int | None:
    """How long until the letter goes out, rounded up; None without one that waits."""
    if kept is None or kept.release_at is None or kept.state != Decision.State.WAITING:
        return None
    return max(-int(-(kept.release_at - timezone.now()).total_seconds() // 60), 0)
