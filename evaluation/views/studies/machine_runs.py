"""/studies/<study>/runs/: operators start the runs of a study by machine, and pay for its auditor."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.forms import BudgetForm
from evaluation.machine_study_form import StartForm
from evaluation.models import Study
from evaluation.permissions import for_operators
from evaluation.services.studies.machine.starting import change_auditors_budget, start_study
from evaluation.views.studies.access import managed_study
from evaluation.views.studies.managing import show_study
from impactbench.common.errors import DomainError


@require_POST
@for_operators
def runs(request: HttpRequest, study: str) -> HttpResponse:
    """Start the runs of a draft, tell what they take with an auditor, or give that of an open study another budget."""
    found = managed_study(request, study)
    if request.POST.get("a") == "budget":
        return _change_budget(request, found)
    form = StartForm(found, request.POST)
    if request.POST.get("a") == "estimate":
        return show_study(request, found, start_form=form, status=200 if form.is_valid() else 422)
    if form.is_valid():
        form.tell_auditor()
    if form.is_valid():
        try:
            start_study(found, actor=request.user, **form.chosen)
        except DomainError as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, "The runs were planned. Those that need no other one first have begun.")
        return redirect("evaluation:study", study)
    return show_study(request, found, start_form=form, status=422)


def _change_budget(request: HttpRequest, study: Study) -> HttpResponse:
    form = BudgetForm(request.POST)
    if not form.is_valid():
        messages.error(request, "The budget must be a number of US dollars from 0, or empty for no limit.")
        return redirect("evaluation:study", study.public_id)
    try:
        change_auditors_budget(study, form.cleaned_data["budget_usd"], actor=request.user)
    except DomainError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, "The auditor's budget was changed. It goes on within a minute.")
    return redirect("evaluation:study", study.public_id)
