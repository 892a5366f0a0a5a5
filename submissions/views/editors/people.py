"""The reviewers: what they review, how much at a time, and whether they are away."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from evaluation.models import Subarea
from evaluation.selectors.taxonomies import areas_in_force
from impactbench.accounts.models import User
from impactbench.accounts.naming import display_label
from impactbench.common.audit import record
from submissions.models import Reviewer
from submissions.selectors.visible import for_editing
from submissions.services.suitability import days_of_last_review, known_loads
from submissions.views.editors.access import need_editor
from submissions.views.editors.fields import key_of


@require_GET
def people(request: HttpRequest) -> HttpResponse:
    """Everybody who may review; loads count only what the editor may know of."""
    need_editor(request)
    rows = reviewer_rows(request.user)
    return render(request, "submissions/editors/people.html", {"section": "review", "tab": "people", "rows": rows})


def reviewer_rows(user: Any) -> list[dict[str, Any]]:
    """Everybody who may review, by name, as far as this editor may know of their reviews."""
    reviewers, known = list(_reviewers()), for_editing(user)
    loads = known_loads([person.pk for person in reviewers], known)
    rows = [
        {
            "person": person,
            "name": display_label(person),
            "areas": _areas_of(person),
            "most_open": person.reviewer.most_open if hasattr(person, "reviewer") else Reviewer().most_open,
            "n_open": loads[person.pk],
            "days_of_last": days_of_last_review(person, known),
            "away_until": _away(person),
        }
        for person in reviewers
    ]
    return sorted(rows, key=lambda row: str(row["name"]).casefold())


@require_http_methods(["GET", "POST"])
def areas(request: HttpRequest, pk: int) -> HttpResponse:
    """Show or set what one person reviews; the person may change it again."""
    need_editor(request)
    person = _reviewers().filter(pk=pk).first()
    if person is None:
        raise Http404
    if request.method == "POST":
        _set(request, person)
        messages.success(request, "The areas are saved.")
        return redirect("submissions:review-people")
    chosen = set(person.reviewer.subareas.values_list("slug", flat=True)) if hasattr(person, "reviewer") else set()
    found = areas_in_force().prefetch_related("subareas")
    context: dict[str, Any] = {
        "section": "review",
        "tab": "people",
        "person": person,
        "name": display_label(person),
        "areas": [(area.name, [(one, one.slug in chosen) for one in area.subareas.all()]) for area in found],
    }
    return render(request, "submissions/editors/areas.html", context)


def _set(request: HttpRequest, person: User) -> None:
    reviewer, _ = Reviewer.objects.get_or_create(person=person)
    chosen = Subarea.objects.filter(pk__in=[key_of(value) for value in request.POST.getlist("subareas")])
    reviewer.subareas.set(chosen)
    slugs = sorted(chosen.values_list("slug", flat=True))
    record(actor=request.user, action="reviewer-areas-set", target=reviewer, details={"areas": slugs})


def _reviewers() -> Any:
    active = User.objects.filter(role_grants__role="reviewer", is_active=True)
    return active.select_related("reviewer").prefetch_related("reviewer__subareas__area")


def _areas_of(person: User) -> str:
    if not hasattr(person, "reviewer"):
        return ""
    return ", ".join(dict.fromkeys(one.area.name for one in person.reviewer.subareas.all()))


def _away(person: User) -> Any:
    until = person.reviewer.away_until if hasattr(person, "reviewer") else None
    return until if until and until >= timezone.now().date() else None
