"""Files of a study for those who run it: items and ratings as CSV or workbooks, everything as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.models import Rating, Study
from evaluation.selectors.studies.decided import decisions_of
from evaluation.selectors.studies.frames import ITEM_COLUMNS, items_frame, submitted
from evaluation.selectors.studies.machine_frames import coverage_frame, judgments_frame
from evaluation.services.studies.rating import form_of
from evaluation.studies.kinds import KINDS
from evaluation.views.studies.access import managed_study
from impactbench.common.table_files import table_response

RATING_COLUMNS = ("item", "rater", "unit", "question", "value", "seconds", "submitted_at")


@never_cache
@require_safe
def items_table(request: HttpRequest, study: str, kind: str) -> HttpResponseBase:
    """One line an item, with the judge's verdict; `kind` is "csv" or "xlsx"."""
    found = managed_study(request, study)
    table = items_frame(found).astype(object)
    rows = table.where(table.notna(), None).itertuples(index=False, name=None)
    return table_response(kind, f"{found.public_id}-items", ITEM_COLUMNS, rows, about=_about(found))


@never_cache
@require_safe
def ratings_table(request: HttpRequest, study: str, kind: str) -> HttpResponseBase:
    """One line an answer of a submitted rating, under pseudonyms; `kind` is "csv" or "xlsx"."""
    found = managed_study(request, study)
    return table_response(kind, f"{found.public_id}-ratings", RATING_COLUMNS, _lines(found), about=_about(found))


@never_cache
@require_safe
def study_json(request: HttpRequest, study: str) -> HttpResponse:
    """Design, frame, items, ratings or judgments, decisions and analysis."""
    found = managed_study(request, study)
    table = items_frame(found).astype(object)
    response = JsonResponse(
        {
            "study": found.public_id,
            "kind": found.kind,
            "title": found.title,
            "state": found.state,
            "preset": found.preset or None,
            "design": found.design,
            "seed": found.seed,
            "frame": found.sampling_frame,
            "strata": found.drawn,
            "short": found.short,
            "items": table.where(table.notna(), None).to_dict("records"),
            "ratings": [_rating(rating) for rating in submitted(found)],
            "decisions": decisions_of(found),
            "analysis": found.analysis,
            **machine_tables_of(found),
        },
        json_dumps_params={"indent": 1},
    )
    response.headers["Content-Disposition"] = f'attachment; filename="{found.public_id}.json"'
    return response


def machine_tables_of(study: Study) -> dict[str, Any]:
    """The tables that a study by machine is analysed from, a record a row; {} of one by people."""
    if KINDS[study.kind].by_people:
        return {}
    return {
        "runs": dict(study.conditions.values_list("slug", "run__slug")),
        "judgments": judgments_frame(study).to_dict("records"),
        "coverage": coverage_frame(study).to_dict("records"),
    }


def _about(study: Study) -> list[tuple[str, str]]:
    return [("Study", f"{study.public_id}: {study.title}"), ("Kind", study.kind), ("State", study.state)]


def _rating(rating: Rating) -> dict[str, Any]:
    return {
        "item": rating.item.number,
        "rater": rating.rater.pseudonym,
        "may_be_released": rating.rater.consents_to_release,
        "unit": rating.item.unit,
        "answers": rating.answers,
        "seconds": rating.seconds,
        "submitted_at": rating.submitted_at.isoformat() if rating.submitted_at else None,
    }


def _lines(study: Study) -> Iterator[tuple[Any, ...]]:
    """Every question that was asked and answered; lists as JSON."""
    for rating in submitted(study):
        for question in (one.key for one in form_of(rating.item).questions if one.key in rating.answers):
            value = rating.answers[question]
            cell = json.dumps(value) if isinstance(value, list) else value
            at = rating.submitted_at.isoformat() if rating.submitted_at else None
            yield rating.item.number, rating.rater.pseudonym, rating.item.unit, question, cell, rating.seconds, at
