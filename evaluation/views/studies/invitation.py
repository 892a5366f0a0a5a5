"""The page that an invitation opens: what is asked, what is kept, and yes or no; reading it changes nothing."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.models import StudyRater
from evaluation.services.studies import answering
from evaluation.services.studies.answering import Consent, missing, n_taking_part, needs_declaration, why_full, why_not
from evaluation.studies.kinds import KINDS
from impactbench.common.errors import DomainError

_RELEASE = {"yes": True, "no": False}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Accept or decline. A link that is used, void or invented leads to the same 404."""
    rater = answering.invitation(token)
    if rater is None:
        raise Http404
    if request.method != "POST":
        return _page(request, rater)
    if why_not(rater, request.user):
        return _page(request, rater, status=422)
    if request.POST.get("a") == "decline":
        answering.decline(token, person=request.user)
        messages.success(request, "You said no. Nobody asks you why.")
        return redirect("evaluation:studies")
    consent = Consent(
        agrees="agrees" in request.POST,
        release=_RELEASE.get(request.POST.get("release", "")),
        has_not_looked_up="looked_up" in request.POST,
    )
    if found := missing(rater.study, consent):
        return _page(request, rater, problems=found, status=422)
    try:
        answering.accept(token, consent, person=request.user)
    except DomainError as refusal:
        return _page(request, rater, problems={"agrees": str(refusal)}, status=422)
    messages.success(request, f"Thank you. You are {rater.pseudonym} in this study.")
    return redirect("evaluation:study", rater.study.public_id)


def _page(
    request: HttpRequest, rater: StudyRater, *, problems: dict[str, str] | None = None, status: int = 200
) -> HttpResponse:
    study = rater.study
    context = {
        "section": "studies",
        "study": study,
        "kind": KINDS[study.kind],
        "n_items": len(study.assignment.get(str(rater.plan), [])),
        "why_not": why_not(rater, request.user) or why_full(study),
        "is_beyond": n_taking_part(study) >= study.n_raters,
        "needs_declaration": needs_declaration(study),
        "problems": problems or {},
        "given": request.POST,
    }
    return render(request, "evaluation/studies/invitation.html", context, status=status)
