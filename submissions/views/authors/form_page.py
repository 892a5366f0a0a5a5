"""The whole form as one page: everything that its template shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from evaluation.selectors.taxonomies import areas_in_force
from impactbench.common.moments import when_in
from submissions.checks import CREDITS, LICENCES, Problem
from submissions.composition import MOST_TURNS, READERS, rubrics
from submissions.content import FIELD_NAMES, MOST_ITEMS, Content
from submissions.models import Submission
from submissions.selectors.trials import trial_panel
from submissions.selectors.turns import answer_due
from submissions.services.attachments import attachments_of
from submissions.services.calls import days_left, window_of
from submissions.services.coauthors import co_authors_of
from submissions.services.sending import problems_of
from submissions.services.trials import trial_summary
from submissions.states import State
from submissions.views.authors.advising import kept_advice, marker_advice, neighbours_of, reading_of
from submissions.views.authors.fields import line_fields, text_fields
from submissions.views.authors.local_copies import local_key, take_settled
from submissions.views.authors.outline import outline
from submissions.views.authors.places import ROW_OF, id_of


def form_page(
    request: HttpRequest,
    submission: Submission,
    content: Content,
    *,
    refused: Sequence[Problem] = (),
    notes: Mapping[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The form with this content. `refused` are the problems of a refused sending, `notes` what else is to be said:
    `file_error`, `invite_error`, `invite_email`, `invite_name`, `unsaved`, `closed` (a `Window`)."""
    context = {**advice_context(request, submission, content, refused=bool(refused)), **(notes or {})}
    errors = {id_of(problem, content): problem.message for problem in reversed(refused)}
    window = window_of(submission)
    context |= {
        "section": "submit",
        "texts": text_fields(content, errors),
        "lines": line_fields(content, errors),
        "errors": errors,
        "problems": [(id_of(problem, content), _summary(problem)) for problem in refused],
        "readers": READERS,
        "areas": areas_in_force().prefetch_related("subareas"),
        "credits": CREDITS,
        "licences": LICENCES,
        "most_turns": MOST_TURNS,
        "most_items": MOST_ITEMS,
        "co_authors": co_authors_of(submission),
        "attachments": attachments_of(submission),
        "window": window,
        "deadline": deadline(request, submission),
        "is_owner": submission.owner_id == request.user.pk,
        "is_answering": submission.state == State.CHANGES_REQUESTED,
        "next_number": submission.revisions.count() + 1,
        "local_key": local_key(request.user),
        "settled": take_settled(request, submission),
        "panel": trial_panel(submission, request.user),
    }
    return render(request, "submissions/authors/form.html", context, status=status)


def advice_context(
    request: HttpRequest, submission: Submission, content: Content, *, refused: bool = False
) -> dict[str, Any]:
    """What a saved draft changes beside its fields: outline, linter, rubric, near metrics, and what is missing."""
    missing = problems_of(content)
    reading = reading_of(content, kept_advice(request, submission))
    trial = trial_summary(submission, content)
    tried = _tried(trial)
    return {
        "submission": submission,
        "content": content,
        "saved_at": submission.saved_at,
        "parts": outline(content, missing, n_looks=len(reading.items), tried=tried, refused=refused),
        "n_missing": len(missing),
        "go_on": ROW_OF.get(missing[0].field, "send") if missing else "send",
        "reading": reading,
        "near": neighbours_of(submission, content),
        "markers": marker_advice(content),
        "rubrics": rubrics(content),
        "trial": trial,
        "tried": tried,
    }


def deadline(request: HttpRequest, submission: Submission) -> dict[str, Any] | None:
    """The end in the call's zone and the reader's, with a countdown in days; None without an end."""
    window = window_of(submission)
    end = answer_due(submission) if submission.state == State.CHANGES_REQUESTED else window.closes_at
    if end is None:
        return None
    zone = window.call.time_zone if window.call else "UTC"
    left = days_left(end, timezone.now())
    return {"at": end, "zone": zone, "days": left, "words": when_in(end, _zone_of(request)), "until": window.until}


def _zone_of(request: HttpRequest) -> str:
    return getattr(request.user, "time_zone", "") or "UTC"


def _tried(trial: Mapping[str, Any] | None) -> str:
    if not trial:
        return ""
    n, differ, unjudged = trial["n_examples"], trial["n_differ"], trial["n_unjudged"]
    if differ:
        return f"{differ} of {n} differ{'s' if differ == 1 else ''}"
    return f"{unjudged} of {n} not judged" if unjudged else f"all {n} agree"


def _summary(problem: Problem) -> str:
    """A line of the summary: the field's name in front, unless the message begins with it."""
    name = FIELD_NAMES.get(problem.field, "")
    return problem.message if not name or problem.message.startswith(name) else f"{name}: {problem.message}"
