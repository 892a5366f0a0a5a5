"""/accounts/tokens/: what a person's programs show the API instead of a password."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from impactbench.accounts.current import signed_in_user
from impactbench.accounts.forms import TokenForm
from impactbench.accounts.models import AccessToken
from impactbench.accounts.second_factor import must_set_up_second_factor
from impactbench.accounts.tokens.services import make_token, revoke_token
from impactbench.common.errors import DomainError

# Dead ones are told apart for a while, then they are in the way.
MOST_SHOWN = 50


def with_second_factor(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Whose role asks for a second factor makes no token before it is set up."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if must_set_up_second_factor(request.user):
            return redirect("mfa_index")
        return view(request, *args, **kwargs)

    return guarded


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_second_factor
def tokens(request: HttpRequest) -> HttpResponse:
    """The person's tokens, and a form for a new one."""
    form = TokenForm(signed_in_user(request), request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return _made(request, form)
    return _page(request, form)


# Asked only once the form holds nothing that has to be put right.
@reauthentication_required
def _made(request: HttpRequest, form: TokenForm) -> HttpResponse:
    """A new token, whose text is shown in this answer and nowhere else."""
    try:
        token, text = make_token(signed_in_user(request), **form.cleaned_data)
    except DomainError as problem:
        form.add_error(None, str(problem))
        return _page(request, form)
    return render(request, "accounts/token_made.html", {"token": token, "text": text})


def _page(request: HttpRequest, form: TokenForm) -> HttpResponse:
    context = {"form": form, "tokens": signed_in_user(request).access_tokens.all()[:MOST_SHOWN]}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a token of one's own worthless."""
    user = signed_in_user(request)
    token = get_object_or_404(AccessToken, pk=pk, owner=user)
    if revoke_token(token, by=user):
        messages.success(request, f"“{token.name}” is revoked. Nothing can be done with it any more.")
    return redirect("accounts:tokens")
