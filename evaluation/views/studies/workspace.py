"""/studies/<study>/<place>/: one item at a time, kept while it is rated; forward after an answer, back at any time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.models import Rating
from evaluation.selectors.studies.disclosed import must_declare
from evaluation.selectors.studies.progress import progress_of
from evaluation.selectors.studies.seen import Seat
from evaluation.selectors.studies.shown_items import ShownItem, shown_item
from evaluation.services.studies import rating as ratings
from evaluation.services.studies.rating import NotDeclared, StaleRating, UnfinishedRating, form_of, why_closed
from evaluation.services.studies.states import WrongState
from evaluation.studies.kinds import KINDS
from evaluation.studies.questions import cleaned
from evaluation.views.studies.access import own_seat
from evaluation.views.studies.questions import answers_in, differences, shown_questions

_NAMES = {
    "scenario": gettext_lazy("Scenario"),
    "conversation": gettext_lazy("Conversation"),
    "judgment": gettext_lazy("Judgment"),
    "metric": gettext_lazy("Metric"),
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rate(request: HttpRequest, study: str, place: int) -> HttpResponse:
    """The item at a place of the rater's own order."""
    seat = own_seat(request, study)
    if not 1 <= place <= len(seat.rater.order):
        raise Http404
    shown = shown_item(seat.rater, place)
    # What was typed is kept wherever it comes from: an earlier item may have been opened again meanwhile.
    if request.method == "POST":
        return _posted(request, seat, shown)
    if must_declare(seat.rater):
        return redirect("evaluation:study", study)
    reach = progress_of(seat.rater).reach
    if place > reach:
        messages.info(request, _("One after the other: this one comes first."))
        return redirect("evaluation:study-rate", study, reach)
    return _page(request, seat, shown)


def _posted(request: HttpRequest, seat: Seat, shown: ShownItem) -> HttpResponse:
    action = request.POST.get("a", "save")
    given = answers_in(form_of(shown.item), request.POST)
    try:
        kept = _kept(request, seat, shown, given, action)
    except UnfinishedRating as error:
        return _page(request, seat, shown, given=given, problems=error.problems, status=422)
    except NotDeclared as error:
        messages.info(request, str(error))
        return redirect("evaluation:study", seat.study.public_id)
    except StaleRating as error:
        return _refused(request, seat, shown, given, str(error), stored=error.rating)
    except WrongState as error:
        return _refused(request, seat, shown, given, str(error))
    if _wants_json(request):
        return JsonResponse({"version": kept.version, "saved_at": _clock(kept), "n_answered": len(kept.answers)})
    return _onward(request, seat, shown, action)


def _kept(request: HttpRequest, seat: Seat, shown: ShownItem, given: Mapping[str, object], action: str) -> Rating:
    seconds, version = _seconds(request), _number(request.POST.get("version"))
    if action == "skip" and not cleaned(form_of(shown.item), given):
        return ratings.skip(seat.rater, shown.item, seconds=seconds, actor=request.user)
    keep = ratings.submit if action == "next" else ratings.save
    kept = keep(seat.rater, shown.item, given, version=version, seconds=seconds, actor=request.user)
    # What was written before somebody skips stays, should they come back.
    return ratings.skip(seat.rater, shown.item, seconds=0, actor=request.user) if action == "skip" else kept


def _onward(request: HttpRequest, seat: Seat, shown: ShownItem, action: str) -> HttpResponse:
    public_id = seat.study.public_id
    if action == "back" and shown.place > 1:
        return redirect("evaluation:study-rate", public_id, shown.place - 1)
    if action in ("next", "skip"):
        following = progress_of(seat.rater).after(shown.place)
        if following is not None:
            return redirect("evaluation:study-rate", public_id, following)
        return redirect("evaluation:study", public_id)
    if action == "pause":
        messages.success(request, _("Saved. Come back whenever you like."))
        return redirect("evaluation:study", public_id)
    messages.success(request, _("Saved."))
    return redirect("evaluation:study-rate", public_id, shown.place)


def _refused(
    request: HttpRequest,
    seat: Seat,
    shown: ShownItem,
    given: Mapping[str, object],
    message: str,
    *,
    stored: Rating | None = None,
) -> HttpResponse:
    if _wants_json(request):
        error = "stale" if stored is not None else "closed"
        return JsonResponse({"error": error, "message": message}, status=409)
    refused = "" if stored is not None else message
    return _page(request, seat, shown, given=given, stored=stored, refused=refused, status=409)


def _page(
    request: HttpRequest,
    seat: Seat,
    shown: ShownItem,
    *,
    given: Mapping[str, object] | None = None,
    problems: Mapping[str, str] | None = None,
    stored: Rating | None = None,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    kept = Rating.objects.filter(rater=seat.rater, item=shown.item).first()
    form = form_of(shown.item)
    answers = given if given is not None else (kept.answers if kept else {})
    questions = shown_questions(form, answers, seat.rater, problems or {})
    context: dict[str, Any] = {
        "section": "studies",
        "seat": seat,
        "study": seat.study,
        "shown": shown,
        "hides": KINDS[seat.study.kind].hides,
        "unit_name": _NAMES[shown.unit],
        "form": form,
        "questions": questions,
        "turns_question": next((one for one in questions if one.kind == "turns"), None),
        "rating": kept,
        "progress": progress_of(seat.rater),
        "problems": [one for one in questions if one.problem],
        "is_stale": stored is not None,
        "differences": differences(form, stored.answers, cleaned(form, answers)) if stored else [],
        "refused": refused,
        "closed": refused or why_closed(seat.rater),
        "opened": int(time.time()),
        "local_copy": f"study/{seat.study.public_id}/{seat.rater.seat}/{shown.item.number}",
    }
    return render(request, "evaluation/studies/rate.html", context, status=status)


def _seconds(request: HttpRequest) -> int:
    """How long the item was in view: as the script counted, without one since the page was opened."""
    since = max(0, int(time.time()) - _number(request.POST.get("opened")))
    counted = request.POST.get("seconds", "")
    # A page counts no more than it was open, whatever it says.
    return min(_number(counted), since) if counted else since


def _number(posted: str | None) -> int:
    """Anything that is not a number is none at all, and so an old one."""
    return int(posted) if posted and posted.isascii() and posted.isdigit() and len(posted) < 12 else 0


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _clock(rating: Rating) -> str:
    return f"{timezone.localtime(rating.saved_at):%H:%M}"
