"""Who may see and do what in the operators' part and in studies."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase

View = Callable[..., HttpResponseBase]


def is_operator(user: Any) -> bool:
    """Whether the user may plan, watch and stop runs."""
    return bool(user.is_authenticated and user.has_role("operator"))


def manages_studies(user: Any) -> bool:
    """Whether the user may design studies and run those in which they do not rate."""
    return bool(user.is_authenticated and (user.has_role("editor") or user.has_role("operator")))


def for_operators(view: View) -> View:
    """A view for operators: who is not signed in is asked to, everybody else learns nothing of it."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_operator(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded
