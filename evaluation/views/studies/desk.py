"""/studies/: where one rates, and, for those who run studies, all others."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.permissions import manages_studies
from evaluation.selectors.studies.seen import managed_studies_with_counts, seats_of
from evaluation.services.studies.statuses import versions_in_dispute


@never_cache
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """One's own places in studies with their progress; below, the studies that one may run."""
    seats = seats_of(request.user)
    context = {
        "section": "studies",
        "open_seats": [seat for seat in seats if seat.is_open],
        "other_seats": [seat for seat in seats if not seat.is_open],
        "studies": list(managed_studies_with_counts(request.user)),
        "manages": manages_studies(request.user),
        "disputes": versions_in_dispute() if manages_studies(request.user) else [],
        "may_answer": request.user.is_authenticated and request.user.has_role("editor"),
    }
    return render(request, "evaluation/studies/desk.html", context)
