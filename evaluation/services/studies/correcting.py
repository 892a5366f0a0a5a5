"""Corrects the rates of a release by the labels of a published study, once: a release itself never changes.

Whichever of the two is published later makes them; the clock makes those of studies from before there were any.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import pandas as pd
from django.db import transaction

from evaluation.models import CorrectedRates, Release, Result, Study
from evaluation.selectors.studies.labelled import LABELLING, labels_of, release_verdicts, undecided
from evaluation.selectors.studies.published import published_studies
from evaluation.selectors.studies.uncorrected import runs_of, uncorrected_releases, uncorrected_studies
from evaluation.studies.analysis.estimates import Estimate
from evaluation.studies.labels import ADJUDICATED, CorrectedRate, corrected_rates
from impactbench.common import locking

NOT_ALL_RUNS = "the study drew from a part of these conversations only"
UNDECIDED = "raters saw the verdicts, and not all of their disagreements were decided"
# A study and a release that are published at one moment would not see each other.
_ONE_AFTER_THE_OTHER = "corrected rates"
NO_LABELS = "no conversation that counts in the release has a label"


def correct_rates_of_study(study: Study) -> list[CorrectedRates]:
    """What a study that is published now says of the releases that have conversations of its runs."""
    locking.wait_for(_ONE_AFTER_THE_OTHER)
    return _make((study, release) for release in uncorrected_releases(study))


def correct_rates_of_release(release: Release) -> list[CorrectedRates]:
    """What the studies that were published before say of a release that is published now."""
    locking.wait_for(_ONE_AFTER_THE_OTHER)
    return _make((study, release) for study in uncorrected_studies(release))


def correct_what_is_missing() -> int:
    """Make the rates of studies that were published before there were any, and return how many. Safe to run twice."""
    n_made = 0
    for study in published_studies().filter(kind__in=LABELLING).order_by("pk"):
        if uncorrected_releases(study).exists():
            with transaction.atomic():
                n_made += len(correct_rates_of_study(study))
    return n_made


def _make(pairs: Iterable[tuple[Study, Release]]) -> list[CorrectedRates]:
    return CorrectedRates.objects.bulk_create(_corrected(study, release) for study, release in pairs)


def _corrected(study: Study, release: Release) -> CorrectedRates:
    labels = labels_of(study)
    n_rated = study.items.filter(conversation__isnull=False).count()
    rates: list[dict[str, Any]] = []
    reason = UNDECIDED if study.kind == Study.Kind.JUDGMENT_REVIEW and undecided(study) else ""
    if not reason:
        rates = _rates(labels, release_verdicts(release), runs_of(study), release)
        reason = "" if rates else NO_LABELS
    return CorrectedRates(
        study=study,
        release=release,
        n_labels=len(labels),
        n_adjudicated=int((labels["source"] == ADJUDICATED).sum()),
        n_unlabelled=n_rated - len(labels),
        rates=rates,
        reason=reason,
    )


def _rates(labels: pd.DataFrame, verdicts: pd.DataFrame, runs: set[int], release: Release) -> list[dict[str, Any]]:
    """Labels say something of the conversations that the study could have drawn, and of no others."""
    beyond = verdicts[~verdicts["run"].isin(runs)]
    partly = {(polarity, target) for polarity, target in zip(beyond["polarity"], beyond["target"], strict=True)}
    partly |= {(polarity, None) for polarity in beyond["polarity"]}
    own = _own_rates(release)
    found = corrected_rates(labels, verdicts[verdicts["run"].isin(runs)])
    return [
        _row(one, own.get((one.polarity, one.target), Estimate(None, 0)), (one.polarity, one.target) in partly)
        for one in found
    ]


def _own_rates(release: Release) -> dict[tuple[str, str | None], Estimate]:
    """The rates that the release itself gives, by polarity and target."""
    rows = Result.objects.filter(release=release, group=Result.Group.OVERALL, profile="all").select_related("model")
    return {
        (row.polarity, row.model.slug if row.model else None): Estimate(
            row.pass_rate, row.n_judged, row.ci_low, row.ci_high, row.ci_method
        )
        for row in rows
    }


def _row(found: CorrectedRate, own: Estimate, is_partly: bool) -> dict[str, Any]:
    corrected = Estimate(None, found.rate.n_labelled, reason=NOT_ALL_RUNS) if is_partly else found.as_estimate()
    return {
        "polarity": found.polarity,
        "target": found.target,
        "labels": found.rate.n_labelled,
        "metrics_labelled": found.n_metrics_labelled,
        "judged": own.n,
        "judge": asdict(own),
        "corrected": asdict(corrected),
    }
