"""The board of all submissions that an editor may handle."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def page(request: HttpRequest) -> HttpResponse:
    """The list, or the tab that the address names."""
    return render(request, "submissions/editors/board.html", {"section": "review", "tab": "all"})


board = page
