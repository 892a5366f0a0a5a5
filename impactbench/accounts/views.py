"""Signing in and out."""

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from impactbench.accounts.services import user_of_token


@never_cache
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in by a link. Opening it only shows a button, so that a mail scanner cannot use the link up."""
    user = user_of_token(token)
    if user is None:
        return render(request, "accounts/sign_in_expired.html", status=410)
    if request.method == "POST":
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        return redirect("evaluation:runs" if user.has_role("operator") else "labels:home")
    return render(request, "accounts/sign_in.html", {"user_to_sign_in": user})
