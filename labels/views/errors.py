"""The page for addresses that lead nowhere; `handler404` of the site."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from labels.errors import PageNotFound


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 with one sentence on why and, where the view knew any, links that are near to what was asked."""
    context: dict[str, object] = {}
    if isinstance(exception, PageNotFound):
        context = {
            "message": exception.message,
            "links": exception.links,
            "links_title": exception.links_title,
        }
    return render(request, "404.html", context, status=404)
