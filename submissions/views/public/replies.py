"""What a model's provider says of its results: the part of a model's page with its replies."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from evaluation.models import LanguageModel
from submissions.selectors.provider_replies import replies_about


@login_not_required
@require_safe
def replies(request: HttpRequest, model: str) -> HttpResponse:
    """The replies of a tested model's provider, the newest first; a page of its own for who came without a script."""
    found = LanguageModel.objects.filter(slug=model.replace("\x00", ""), releases__isnull=False).distinct().first()
    if found is None:
        raise Http404
    context = {"model": found, "replies": replies_about(found)}
    is_part = bool(request.headers.get("HX-Request"))
    template = "_replies.html" if is_part else "replies.html"
    response = render(request, f"submissions/public/{template}", context)
    patch_vary_headers(response, ["HX-Request"])
    return response
