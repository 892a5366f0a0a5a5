"""Begins a draft from what there is: a new version of a published metric, or a copy."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from impactbench.common.errors import DomainError
from submissions.models import Submission
from submissions.selectors.visible import submission_for
from submissions.services import new_versions
from submissions.standing import Standing


@login_required
@require_POST
def clone(request: HttpRequest, public_id: str) -> HttpResponse:
    """Copy a submission of one's own into a new draft."""
    return _begun(request, public_id, new_versions.clone, "This is a copy. The other one stays as it is.")


@login_required
@require_POST
def new_version(request: HttpRequest, public_id: str) -> HttpResponse:
    """Begin the next version of a published metric."""
    told = "This is the published text. Its page stays as it is until the new version is published."
    return _begun(request, public_id, new_versions.new_version_of, told)


def _begun(request: HttpRequest, public_id: str, begin: Callable[..., Submission], told: str) -> HttpResponse:
    submission, _ = submission_for(request.user, public_id, Standing.AUTHOR)
    try:
        draft = begin(submission, actor=request.user)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("submissions:submission", submission.public_id)
    messages.success(request, told)
    return redirect("submissions:submission", draft.public_id)
