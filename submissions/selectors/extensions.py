"""Who may answer a question for more time; it can come from a draft, of which editors see nothing else."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from submissions.models import Extension
from submissions.selectors.visible import for_editing, kept_from
from submissions.states import EDITABLE


def waiting_extensions(user: Any) -> QuerySet[Extension]:
    """The questions that the user may answer as an editor, oldest first: none of their own, none with a conflict."""
    return answerable_extensions(user).filter(answered_at=None)


def answerable_extensions(user: Any) -> QuerySet[Extension]:
    """Those and the ones answered already."""
    if not (user.is_authenticated and user.is_active and user.has_role("editor")):
        return Extension.objects.none()
    asked = Extension.objects.filter(submission__state__in=EDITABLE).exclude(submission__in=kept_from(user))
    # A sent one is for those who may handle it; nobody handles a draft yet.
    seen = asked.filter(submission__in=for_editing(user)) | asked.filter(submission__state="draft")
    return seen.select_related("submission__owner", "submission__call").order_by("asked_at", "pk").distinct()
