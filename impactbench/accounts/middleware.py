"""Who gets past the door: people who are signed in, whose session is fresh, whose role is backed by a second factor."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.cache import patch_cache_control

from impactbench.accounts.second_factor import must_set_up_second_factor
from impactbench.accounts.session_age import SEEN, STARTED
from impactbench.accounts.views import refusals
from impactbench.common.moments import zone

View = Callable[..., HttpResponseBase]
WANTED_PAGE = "wanted_page"
# How often a visit is noted: each note is a write to the database, and sends the cookie again.
NOTE_SECONDS = 600


def is_public(request: HttpRequest, view: View) -> bool:
    """Whether everybody may see what this view shows: by its namespace, or by Django's `login_not_required`."""
    namespaces = request.resolver_match.namespaces if request.resolver_match else []
    return any(name in settings.PUBLIC_NAMESPACES for name in namespaces) or not getattr(view, "login_required", True)


class SignInRequired(LoginRequiredMiddleware):
    """Deny by default: a view is for people who are signed in, unless it is public."""

    def process_view(self, request: HttpRequest, view_func: View, view_args: Any, view_kwargs: Any) -> Any:
        if is_public(request, view_func):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)

    def handle_no_permission(self, request: HttpRequest, view_func: View) -> HttpResponse:  # type: ignore[override]
        if refusals.is_part_of_a_page(request):
            return refusals.signed_out(request)
        if request.method == "POST" and refusals.keeps_text(request):
            return refusals.signed_out_with_text(request)
        response = super().handle_no_permission(request, view_func)
        # Kept by a browser, the way to the form would still be taken after signing in.
        patch_cache_control(response, private=True, no_store=True)
        return response


class SecondFactorRequired:
    """Lead those whose role asks for a second factor to set one up, before any page outside /accounts/ answers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: View, _args: Any, _kwargs: Any) -> HttpResponse | None:
        if request.path.startswith("/accounts/") or is_public(request, view):
            return None
        if not request.user.is_authenticated:
            return None
        if not must_set_up_second_factor(request.user):
            request.session.pop(WANTED_PAGE, None)
            return None
        if refusals.is_part_of_a_page(request):
            return refusals.second_factor_missing(request)
        request.session[WANTED_PAGE] = request.get_full_path() if request.method == "GET" else "/"
        return redirect("mfa_index")


def session_limits(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """End sessions that are too old or lay idle too long; show moments in the reader's own time zone; leave no traces.

    Somebody without a session's cookie costs no question to the database.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
            return get_response(request)
        if not _is_fresh(request):
            logout(request)
            return get_response(request)
        with timezone.override(zone(request.user.time_zone or "UTC")):
            response = get_response(request)
        _keep_out_of_caches(request, response)
        if request.method == "POST" and SESSION_KEY not in request.session:
            # Whoever signs out leaves no text on the device, scripts or not.
            response.headers["Clear-Site-Data"] = '"storage"'
        return response

    return middleware


def _keep_out_of_caches(request: HttpRequest, response: HttpResponse) -> None:
    """No page of one's own is left for the next person at the same device; public ones may be, to this person alone."""
    namespaces = request.resolver_match.namespaces if request.resolver_match else []
    if not any(name in settings.PUBLIC_NAMESPACES for name in namespaces):
        patch_cache_control(response, private=True, no_store=True)
    elif not response.has_header("Cache-Control"):
        patch_cache_control(response, private=True)


def _is_fresh(request: HttpRequest) -> bool:
    """Whether the session may go on; notes the visit now and then."""
    now = int(time.time())
    started, seen = request.session.get(STARTED, 0), request.session.get(SEEN, 0)
    if now - started >= settings.SESSION_LIFETIME_SECONDS or now - seen >= settings.SESSION_COOKIE_AGE:
        return False
    if now - seen >= NOTE_SECONDS:
        request.session[SEEN] = now
    return True
