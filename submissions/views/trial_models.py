"""/review/trials/: operators choose the models of trials and see what trials cost today."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.llm.pricing import price_of
from evaluation.models import LanguageModel
from evaluation.permissions import for_operators
from evaluation.services.model_configurations import configuration_of
from impactbench.common.errors import DomainError
from submissions.models import TrialModel
from submissions.models.trials import TrialModelPart
from submissions.selectors.trials import spending_today
from submissions.services import trial_models as service

_WHAT = {
    TrialModelPart.JUDGE: "Reads the examples, and the trial conversation.",
    TrialModelPart.USER_SIMULATOR: "Plays the user in the trial conversation.",
    TrialModelPart.TARGET: "Answers in the trial conversation; of drafted scenarios, editors may choose another.",
}
_NAMES = {
    TrialModelPart.JUDGE: "Judge",
    TrialModelPart.USER_SIMULATOR: "Simulated user",
    TrialModelPart.TARGET: "AI being tested",
}


@never_cache
@for_operators
@require_http_methods(["GET", "HEAD", "POST"])
def trial_models(request: HttpRequest) -> HttpResponse:
    """The models allowed for trials; a form for each part allows another one or withdraws it."""
    if request.method == "POST":
        _change(request)
        return redirect("submissions:trial-models")
    context = {
        "section": "trials",
        "parts": _parts(),
        "models": service.callable_models(),
        "spending": spending_today(),
    }
    return render(request, "submissions/trials/models.html", context)


def _change(request: HttpRequest) -> None:
    part = request.POST.get("part", "")
    if part not in TrialModelPart.values:
        messages.error(request, "Choose for which part of a trial the model is.")
    elif request.POST.get("action") == "withdraw":
        service.withdraw(part, actor=request.user)
        messages.success(request, f"{_NAMES[TrialModelPart(part)]}: no model is allowed any more.")
    else:
        _allow(request, part)


def _allow(request: HttpRequest, part: str) -> None:
    # SECURITY: a model is chosen by its name among registered ones; no address and no key is ever taken from a form.
    model = LanguageModel.objects.filter(slug=request.POST.get("model", "").replace("\x00", "")).first()
    if model is None:
        messages.error(request, "Choose one of the registered models.")
        return
    try:
        ceiling = Decimal(request.POST.get("ceiling_usd", "").strip())
        service.allow(model, part, ceiling_usd=ceiling, actor=request.user)
    except InvalidOperation:
        messages.error(request, "Write the most that a call may cost as a number of US dollars, such as 0.02.")
    except DomainError as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, f"{_NAMES[TrialModelPart(part)]}: {model.name} is allowed.")


def _parts() -> list[dict[str, Any]]:
    allowed = {row.part: row for row in TrialModel.objects.select_related("language_model", "allowed_by")}
    return [
        {
            "part": part.value,
            "name": _NAMES[part],
            "what": _WHAT[part],
            "row": allowed.get(part.value),
            "ceiling_usd": allowed[part.value].ceiling_usd if part.value in allowed else service.USUAL_CEILING_USD,
            "price": _price(allowed[part.value].language_model) if part.value in allowed else "",
        }
        for part in TrialModelPart
    ]


def _price(model: LanguageModel) -> str:
    price = price_of(configuration_of(model))
    if price.input_usd is None or price.output_usd is None:
        return "unknown, so every call counts at the ceiling"
    return f"${price.input_usd * 10**6:.2f} and ${price.output_usd * 10**6:.2f} per million tokens read and written"
