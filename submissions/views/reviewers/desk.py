"""The reviewer's desk: the queue, the next thing, and the reviewer's own settings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from evaluation.models import Subarea
from evaluation.selectors.taxonomies import areas_in_force, subareas_in_force
from submissions.models import Reviewer
from submissions.selectors.queue import queue_of
from submissions.selectors.visible import submission_for
from submissions.standing import Standing
from submissions.views.editors import board

SKIPPED = "skipped_reviews"
MINE = "mine"


@require_GET
def desk(request: HttpRequest) -> HttpResponseBase:
    """The tab that the address names: a reviewer's own work, or for editors one of theirs."""
    person: Any = request.user
    is_reviewer, is_editor = person.has_role("reviewer"), person.has_role("editor")
    tab = request.GET.get("tab", "") or (MINE if is_reviewer else "all")
    if is_editor and tab != MINE:
        return board.page(request)
    if not is_reviewer:
        raise Http404
    queue = queue_of(request.user, skipped=request.session.get(SKIPPED, ()))
    return render(request, "submissions/reviewers/queue.html", {"queue": queue, "tab": MINE, "section": "review"})


@require_POST
def skip(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take something else as the next thing, for as long as the person stays signed in."""
    submission, _ = submission_for(request.user, public_id, Standing.REVIEWER)
    skipped = [one for one in request.session.get(SKIPPED, []) if one != submission.public_id]
    queue = queue_of(request.user)
    # When everything has been skipped, the first one is the next thing again.
    everything = {item.public_id for item in queue.open} <= {*skipped, submission.public_id}
    request.session[SKIPPED] = [submission.public_id] if everything else [*skipped, submission.public_id]
    return redirect("submissions:review-queue")


class ReviewerSettings(forms.Form):
    """What somebody reviews, how much of it at a time, and whether they are thanked by name."""

    subareas = forms.ModelMultipleChoiceField(Subarea.objects.none(), required=False)
    most_open = forms.IntegerField(
        min_value=1,
        max_value=20,
        error_messages={
            "required": "Say how many reviews you take at a time.",
            "invalid": "Write a whole number from 1 to 20.",
            "min_value": "Write a whole number from 1 to 20.",
            "max_value": "Write a whole number from 1 to 20.",
        },
    )
    away_until = forms.DateField(
        required=False, error_messages={"invalid": "Write the date as year-month-day, such as 2027-01-31."}
    )
    wants_credit = forms.BooleanField(required=False)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["subareas"].queryset = subareas_in_force()  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
def reviewer_settings(request: HttpRequest) -> HttpResponse:
    """Show or keep a reviewer's own settings."""
    person: Any = request.user
    if not person.has_role("reviewer"):
        raise Http404
    reviewer = Reviewer.objects.filter(person=person).first() or Reviewer(person=person)
    form = ReviewerSettings(request.POST if request.method == "POST" else None, initial=_initial(reviewer))
    if form.is_bound and form.is_valid():
        _keep(reviewer, form)
        messages.success(request, "Your settings are saved.")
        return redirect("submissions:review-settings")
    context = {"form": form, "areas": _areas(form), "section": "review", "tab": "settings"}
    return render(request, "submissions/reviewers/settings.html", context, status=422 if form.is_bound else 200)


def _initial(reviewer: Reviewer) -> dict[str, object]:
    return {
        "subareas": list(_in_force(reviewer).values_list("pk", flat=True)) if reviewer.pk else [],
        "most_open": reviewer.most_open,
        "away_until": reviewer.away_until.isoformat() if reviewer.away_until else "",
        "wants_credit": reviewer.wants_credit,
    }


def _in_force(reviewer: Reviewer) -> QuerySet[Subarea]:
    """What a reviewer chose, in the taxonomy as it is now: the choice may be older than its newest version."""
    return subareas_in_force().filter(slug__in=reviewer.subareas.values("slug"))


def _keep(reviewer: Reviewer, form: ReviewerSettings) -> None:
    for name in ("most_open", "away_until", "wants_credit"):
        setattr(reviewer, name, form.cleaned_data[name])
    reviewer.save()
    reviewer.subareas.set(form.cleaned_data["subareas"])


def _areas(form: ReviewerSettings) -> list[tuple[str, list[tuple[Subarea, bool]]]]:
    """Each area with its subareas and whether they are chosen."""
    chosen = {str(value) for value in form["subareas"].value() or ()}
    areas = areas_in_force().prefetch_related("subareas")
    return [(area.name, [(one, str(one.pk) in chosen) for one in area.subareas.all()]) for area in areas]
