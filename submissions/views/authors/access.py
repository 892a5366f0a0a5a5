"""What all pages of an author begin with: who is signed in, which submission, nothing kept by a cache."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from impactbench.accounts.models import User
from submissions.models import Submission
from submissions.selectors.visible import submission_for
from submissions.standing import Standing

View = Callable[..., HttpResponse]


def authors_only(*methods: str) -> Callable[[View], View]:
    """A view `(request, submission, ...)` for the authors of a submission; 404 for everybody else."""

    def decorator(view: View) -> View:
        @wraps(view)
        def inner(request: HttpRequest, public_id: str, **rest: Any) -> HttpResponse:
            submission, _ = submission_for(request.user, public_id, Standing.AUTHOR)
            return view(request, submission, **rest)

        return for_people(*methods)(inner)

    return decorator


def for_people(*methods: str) -> Callable[[View], View]:
    """A view for people who are signed in; no cache keeps what it shows."""

    def decorator(view: View) -> View:
        return login_required(never_cache(require_http_methods(list(methods))(view)))

    return decorator


def person(request: HttpRequest) -> User:
    """Who is signed in."""
    return cast(User, request.user)


def to_page(submission: Submission, anchor: str = "") -> HttpResponse:
    """Back to the page of a submission."""
    response = redirect("submissions:submission", public_id=submission.public_id)
    response["Location"] += f"#{anchor}" if anchor else ""
    return response


def to_form(submission: Submission, anchor: str = "") -> HttpResponse:
    """Back to the form of a submission, at the element of that id."""
    response = redirect("submissions:edit", public_id=submission.public_id)
    response["Location"] += f"#{anchor}" if anchor else ""
    return response
