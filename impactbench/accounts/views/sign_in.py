"""Signing in by a link that an operator hands over."""

from allauth.account.utils import perform_login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from impactbench.accounts.landing import landing_page
from impactbench.accounts.services import user_of_token


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in by a link. Opening it only shows a button, so that a mail scanner cannot use the link up.

    Who has set up a second factor is asked for it.
    """
    user = user_of_token(token)
    if user is None:
        return render(request, "accounts/sign_in_expired.html", status=410)
    if request.method == "GET":
        return render(request, "accounts/sign_in.html", {"user_to_sign_in": user})
    if request.user.is_authenticated:
        return redirect(landing_page(request.user))
    return perform_login(request, user, email_verification="none", redirect_url=landing_page(user))
