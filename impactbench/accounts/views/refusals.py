"""What people see who are not let in, and forms that come too late: nothing that was typed is lost."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import REASON_BAD_ORIGIN, REASON_BAD_REFERER, REASON_NO_REFERER
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

SIGNED_OUT = "You have been signed out"
NEVER_ECHOED = ("csrfmiddlewaretoken", "password", "secret", "credential")
# A form that another site sent is not shown: its text is not the visitor's.
FROM_ELSEWHERE = tuple(reason.split("%")[0] for reason in (REASON_BAD_ORIGIN, REASON_BAD_REFERER, REASON_NO_REFERER))


@dataclass(frozen=True, slots=True)
class Field:
    """One posted text, ready to be sent again."""

    name: str
    text: str

    @property
    def rows(self) -> int:
        return min(20, max(1, self.text.count("\n") + 1 + len(self.text) // 80))


def is_part_of_a_page(request: HttpRequest) -> bool:
    """Whether a script asked, and not a person: by htmx, or for JSON."""
    return "HX-Request" in request.headers or request.headers.get("Accept", "").startswith("application/json")


def keeps_text(request: HttpRequest) -> bool:
    """Whether forms under this address hold somebody's own words."""
    return request.path.startswith(tuple(settings.TEXT_IS_KEPT_UNDER))


def signed_out(request: HttpRequest) -> HttpResponse:
    """401 for a script: a small fragment or JSON, never a page to sign in on."""
    if "HX-Request" in request.headers:
        response = render(request, "accounts/_signed_out.html", status=401)
    else:
        response = JsonResponse({"error": "signed-out", "message": SIGNED_OUT}, status=401)
    add_never_cache_headers(response)
    return response


def second_factor_missing(request: HttpRequest) -> HttpResponse:
    """403 for a script whose person must set up a second factor first."""
    if "HX-Request" in request.headers:
        return render(request, "accounts/_second_factor_missing.html", status=403)
    return JsonResponse({"error": "second-factor-missing", "message": "Set up a second factor first."}, status=403)


def signed_out_with_text(request: HttpRequest) -> HttpResponse:
    """403 with everything that was sent, to be sent again after signing in."""
    return _send_again(request, signed_out=True)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without a valid token: says what happened and, where people write, gives the text back."""
    if "HX-Request" in request.headers:
        return render(request, "accounts/_page_too_old.html", status=403)
    if is_part_of_a_page(request):
        return JsonResponse({"error": "page-too-old", "message": "This page is too old. Load it again."}, status=403)
    if keeps_text(request) and not reason.startswith(FROM_ELSEWHERE):
        return _send_again(request, signed_out=not request.user.is_authenticated)
    response = render(request, "accounts/form_too_old.html", status=403)
    add_never_cache_headers(response)
    return response


def _send_again(request: HttpRequest, *, signed_out: bool) -> HttpResponse:
    fields = [
        Field(name, text)
        for name, texts in request.POST.lists()
        if not any(word in name.lower() for word in NEVER_ECHOED)
        for text in texts
    ]
    context = {
        "fields": fields,
        "files": sorted(request.FILES),
        "address": request.get_full_path(),
        "signed_out": signed_out,
    }
    response = render(request, "accounts/send_again.html", context, status=403)
    add_never_cache_headers(response)
    return response
