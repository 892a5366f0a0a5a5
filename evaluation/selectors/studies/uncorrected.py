"""Which rates wait for the labels of a published study: of its runs' releases, those without corrected rates by it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from evaluation.models import CorrectedRates, Release, Study
from evaluation.selectors.studies.labelled import LABELLING
from evaluation.selectors.studies.published import published_studies


def runs_of(study: Study) -> set[int]:
    """The keys of the runs that the study drew from."""
    runs = study.release.runs if study.release is not None else study.runs
    return set(runs.values_list("pk", flat=True))


def uncorrected_releases(study: Study) -> QuerySet[Release]:
    """Releases with conversations of the runs of a published study that gives labels; none of any other study."""
    if study.kind not in LABELLING or study.state != Study.State.PUBLISHED:
        return Release.objects.none()
    known = CorrectedRates.objects.filter(study=study, release=OuterRef("pk"))
    return Release.objects.filter(~Exists(known), runs__in=runs_of(study)).distinct().order_by("pk")


def uncorrected_studies(release: Release) -> QuerySet[Study]:
    """Published studies that gave labels to conversations of the runs of a release."""
    runs = release.runs.all()
    known = CorrectedRates.objects.filter(release=release, study=OuterRef("pk"))
    labelling = published_studies().filter(~Exists(known), kind__in=LABELLING)
    found = labelling.filter(runs__in=runs) | labelling.filter(release__runs__in=runs)
    return found.distinct().order_by("pk")
