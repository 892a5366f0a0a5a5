"""Publishes a study: its findings, one for each metric version and one for all, are made once and never change.

Named apart from `evaluation.services.publishing`, which makes releases.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.models import MetricVersion, Study, StudyFinding
from evaluation.selectors.studies.decided import decisions_of
from evaluation.selectors.studies.disclosed import told_by_study
from evaluation.selectors.studies.published import public_analysis
from evaluation.services.studies.correcting import correct_rates_of_study
from evaluation.services.studies.disclosing import note_disclosure, refuse_open_studies
from evaluation.services.studies.machine.analysing import BY_METRIC
from evaluation.services.studies.states import managed, move
from evaluation.services.studies.statuses import refresh_statuses_of
from impactbench.common import mail

# Of an analysis: the parts whose rows say which group they are about, `by` and `key`.
GROUPED = ("scales", "choices", "agreement", "judge")
_NOT_OF_ALL = ("metric", "rater")
_NO_NUMBERS = ("kind", "design", "disagreements", "times", BY_METRIC)


@transaction.atomic
def publish_study(study: Study, *, actor: Any, despite_open_studies: bool = False) -> Study:
    """Make the findings of a closed study, and show its analysis to everybody from here on.

    Labels that it gives to conversations of a release correct the rates of that one (`correcting`).
    Single ratings are released with it, under pseudonyms, of those raters who agreed (`frames.ratings_frame`).
    Raises NotAllowed, WrongState unless the study is closed, or OpenStudies where others rate the same conversations
    blind (unless `despite_open_studies`).
    """
    told = told_by_study(managed(study, actor))
    if not despite_open_studies:
        refuse_open_studies(told, way_on="tick that they may stay open")
    fresh = move(study, "publish", actor=actor, published_at=timezone.now())
    note_disclosure(told, actor=actor, other=fresh)
    StudyFinding.objects.bulk_create(_findings(fresh, public_analysis(fresh)))
    correct_rates_of_study(fresh)
    refresh_statuses_of(fresh, actor=actor)
    for rater in fresh.raters.all():
        mail.cancel(about=rater)
    return fresh


def _findings(study: Study, analysis: dict[str, Any]) -> list[StudyFinding]:
    run = study.runs.order_by("pk").first() if study.release_id is None else None
    shared = {"study": study, "kind": study.kind, "release_id": study.release_id, "run": run}
    versions = MetricVersion.objects.filter(study_items__study=study).distinct().select_related("metric")
    decided = decisions_of(study)
    of_metrics = [
        StudyFinding(metric_version=version, values=_of_metric(analysis, version.metric.slug, decided), **shared)
        for version in versions.order_by("pk")
    ]
    return [StudyFinding(metric_version=None, values=_of_all(analysis), **shared), *of_metrics]


def _of_all(analysis: dict[str, Any]) -> dict[str, Any]:
    """All numbers but those of single metrics, items and raters."""
    return {
        name: [row for row in part if row.get("by") not in _NOT_OF_ALL] if name in GROUPED else part
        for name, part in analysis.items()
        if name not in _NO_NUMBERS
    }


def _of_metric(analysis: dict[str, Any], metric: str, decided: list[dict[str, Any]]) -> dict[str, Any]:
    grouped = {
        part: [row for row in analysis.get(part, []) if row.get("by") == "metric" and row["key"] == metric]
        for part in GROUPED
    }
    return {
        **grouped,
        "disagreements": [row for row in analysis.get("disagreements", []) if row["metric"] == metric],
        "adjudications": [row for row in decided if row["metric"] == metric],
        # Under a name of its own: the parts of other findings are about all metrics of the study.
        "of_metric": analysis.get(BY_METRIC, {}).get(metric, {}),
    }
