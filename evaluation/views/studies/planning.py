"""/studies/planning/: how many raters and items a wished precision takes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.precision_form import AGREEMENT, QUESTIONS, PrecisionForm
from evaluation.selectors.studies.pilots import pilots, values_of
from evaluation.views.studies.access import need_manager


@never_cache
@require_safe
def planning(request: HttpRequest) -> HttpResponse:
    """The plans for what the address asks; an address is a plan that can be sent on."""
    need_manager(request)
    question = QUESTIONS.get(request.GET.get("what", ""), QUESTIONS[AGREEMENT])
    pilot = next((one for one in pilots(question.slug) if one.value == request.GET.get("pilot")), None)
    told = values_of(pilot, question.slug) if pilot else {}
    form = PrecisionForm(question, {**request.GET.dict(), **told})
    context = {
        "section": "studies",
        "questions": QUESTIONS.values(),
        "question": question,
        "pilots": pilots(question.slug),
        "pilot": pilot,
        "form": form,
        "is_valid": form.is_valid(),
    }
    return render(request, "evaluation/studies/planning.html", context, status=422 if form.errors else 200)
