"""/accounts/data/: take along what is kept about oneself, or erase the account."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from impactbench.accounts import personal_data
from impactbench.accounts.current import signed_in_user
from impactbench.accounts.erasure import erase_account
from impactbench.accounts.forms import EraseForm
from impactbench.common.errors import DomainError


@never_cache
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """What is kept, and what can be done about it."""
    return render(request, "accounts/data.html")


@never_cache
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """Everything that is kept about oneself, as a JSON file."""
    user = signed_in_user(request)
    content = {"exported_at": timezone.now(), **personal_data.exported(user)}
    response = JsonResponse(content, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="impactbench-my-data.json"'
    return response


@never_cache
@require_http_methods(["GET", "POST"])
@reauthentication_required
def erase(request: HttpRequest) -> HttpResponse:
    """Ask once more, then erase the account and sign out."""
    form = EraseForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            erase_account(signed_in_user(request))
        except DomainError as problem:
            form.add_error(None, str(problem))
        else:
            logout(request)
            messages.success(request, "Your account is erased. Thank you for the time you spent here.")
            return redirect("labels:home")
    return render(request, "accounts/erase.html", {"form": form}, status=422 if form.errors else 200)
