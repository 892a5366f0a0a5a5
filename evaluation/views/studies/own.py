"""A rater's own pages of a study: progress, finishing, what was hidden, consent, and leaving."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluation.models import RaterDeclaration, Study
from evaluation.selectors.studies.disclosed import must_declare
from evaluation.selectors.studies.elsewhere import still_blind_in
from evaluation.selectors.studies.progress import progress_of
from evaluation.selectors.studies.revealed import has_ended, is_open_to, revealed_items
from evaluation.selectors.studies.seen import Seat
from evaluation.services.studies import answering, disclosing, leaving
from evaluation.services.studies import rating as ratings
from evaluation.services.studies.rating import why_closed
from evaluation.studies.kinds import KINDS
from evaluation.views.studies.access import own_seat
from impactbench.common.errors import DomainError

_STATES = {"submitted": "rated", "skipped": "skipped", "draft": "begun", "dropped": "taken back", "": "to come"}


def own_page(request: HttpRequest, seat: Seat) -> HttpResponse:
    """How far one is, and what can be done now."""
    progress = progress_of(seat.rater)
    waits_for = still_blind_in(seat.rater) if has_ended(seat.rater) else []
    context = {
        "section": "studies",
        "seat": seat,
        "study": seat.study,
        "kind": KINDS[seat.study.kind],
        "progress": progress,
        "places": [(place, _STATES[state], place <= progress.reach) for place, state in enumerate(progress.states, 1)],
        "closed": why_closed(seat.rater),
        "declares": RaterDeclaration.Knowledge.choices if must_declare(seat.rater) else [],
        "can_see": has_ended(seat.rater) and not waits_for,
        "waits_for": waits_for,
        "can_leave": seat.study.state != Study.State.PUBLISHED and seat.rater.state in ("accepted", "finished"),
    }
    return render(request, "evaluation/studies/own.html", context)


@require_POST
def finish(request: HttpRequest, study: str) -> HttpResponse:
    """End one's ratings, after which what was hidden may be seen."""
    seat = own_seat(request, study)
    try:
        ratings.finish(seat.rater, actor=request.user)
    except DomainError as refusal:
        messages.error(request, str(refusal))
        return redirect("evaluation:study", study)
    return redirect("evaluation:study-revealed" if is_open_to(seat.rater) else "evaluation:study", study)


@never_cache
@require_safe
def revealed(request: HttpRequest, study: str) -> HttpResponse:
    """Which model each letter was and what the judge said, beside one's own answers; not before one has finished."""
    seat = own_seat(request, study)
    if not is_open_to(seat.rater):
        raise Http404
    context = {"section": "studies", "seat": seat, "study": seat.study, "rows": revealed_items(seat.rater)}
    return render(request, "evaluation/studies/revealed.html", context)


@require_POST
def consent(request: HttpRequest, study: str) -> HttpResponse:
    """Change one's mind on the publication of single ratings."""
    seat = own_seat(request, study)
    try:
        answering.change_consent(seat.rater, release=request.POST.get("release") == "yes", actor=request.user)
        messages.success(request, "Your answer is kept.")
    except DomainError as refusal:
        messages.error(request, str(refusal))
    return redirect("evaluation:study", study)


@require_POST
def declare(request: HttpRequest, study: str) -> HttpResponse:
    """Say what one knows of what was published meanwhile, and go on."""
    seat = own_seat(request, study)
    try:
        disclosing.declare(seat.rater, request.POST.get("knows", ""), actor=request.user)
    except DomainError as refusal:
        messages.error(request, str(refusal))
        return redirect("evaluation:study", study)
    messages.success(request, "Thank you. Your answer is kept with your ratings.")
    return redirect("evaluation:study-rate", study, progress_of(seat.rater).reach)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, study: str) -> HttpResponse:
    """Ask once what is to become of the ratings, then leave."""
    seat, problem = own_seat(request, study), ""
    if request.method == "POST":
        choice = request.POST.get("ratings", "")
        if choice in ("keep", "drop"):
            try:
                leaving.withdraw(seat.rater, keeps_ratings=choice == "keep", actor=request.user)
            except DomainError as refusal:
                messages.error(request, str(refusal))
            else:
                messages.success(request, "You have left the study. Thank you for what you did.")
            return redirect("evaluation:studies")
        problem = "Choose what is to become of your ratings."
    context = {"section": "studies", "seat": seat, "study": seat.study, "problem": problem}
    return render(request, "evaluation/studies/leave.html", context, status=422 if problem else 200)
