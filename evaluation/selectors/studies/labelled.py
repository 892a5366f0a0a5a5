"""The conversations that a study by people has labelled, and the verdicts of a release that labels stand beside."""

from __future__ import annotations

import pandas as pd

from evaluation.models import Release, Study, Verdict
from evaluation.selectors.studies.decided import decisions_of
from evaluation.selectors.studies.frames import items_frame, ratings_frame
from evaluation.studies.labels import expert_labels, reviewed_labels

LABELLING = (Study.Kind.EXPERT_REVIEW, Study.Kind.JUDGMENT_REVIEW)
VERDICT_COLUMNS = ("conversation", "metric", "polarity", "target", "passed", "run")
_ROWS_AT_ONCE = 10_000


def labels_of(study: Study) -> pd.DataFrame:
    """The labels of an expert review or a judgment review, as `evaluation.studies.labels` gives them."""
    make = expert_labels if study.kind == Study.Kind.EXPERT_REVIEW else reviewed_labels
    return make(ratings_frame(study), items_frame(study), settled(study))


def settled(study: Study) -> dict[int, str]:
    """By item, the decision that counts."""
    return {row["item"]: row["outcome"] for row in decisions_of(study)}


def undecided(study: Study) -> int:
    """How many items wait for a decision on their verdict: raters differ, or most disagree with it."""
    open_items = {row["item"] for row in (study.analysis or {})["disagreements"] if row["question"] == "verdict"}
    return len(open_items - settled(study).keys())


def release_verdicts(release: Release) -> pd.DataFrame:
    """One row (VERDICT_COLUMNS) for each conversation of a release that has an outcome."""
    rows = Verdict.objects.filter(release=release, passed__isnull=False).values_list(
        "conversation__public_id",
        "metric_version__metric__slug",
        "metric_version__polarity",
        "model__slug",
        "passed",
        "conversation__run",
    )
    return pd.DataFrame(rows.iterator(chunk_size=_ROWS_AT_ONCE), columns=list(VERDICT_COLUMNS))
