"""`/api/v1/docs/`: the reference for people, rendered on the server."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from labels.api.reference import addresses, shapes
from labels.api.schema import openapi_document


@require_safe
def index(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (a view's signature)
    """The API's root leads to its reference."""
    return redirect("api:docs")


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """All addresses and objects of the API."""
    document = openapi_document()
    context = {"addresses": addresses(document), "shapes": shapes(document)}
    return render(request, "api/reference.html", context)
