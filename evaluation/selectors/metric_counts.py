"""The frozen counts of releases, metric by metric: enough to compute anew over part of the metrics, and few rows."""

from collections.abc import Sequence

import pandas as pd

from evaluation.models import LanguageModel, Release, Result

FIELDS = ("release_id", "key", "model__slug", "profile", "polarity", "n_passed", "n_judged")
COLUMNS = [
    "release", "metric", "model", "profile", "polarity", "passed", "judged", "version", "benchmark",
]  # fmt: skip
POOLED = "all"


def metric_counts(releases: Sequence[Release], *, model: LanguageModel | None = None) -> pd.DataFrame:
    """A row for each release (key), metric, model and profile with a judged conversation; of one model, or of all.

    Two queries, however many releases; columns `COLUMNS`, where `version` is the key of the metric's version.
    """
    results = Result.objects.filter(release__in=releases, group=Result.Group.METRIC, n_judged__gt=0)
    results = results.filter(model=model) if model else results.filter(model__isnull=False)
    rows = results.exclude(profile=POOLED).order_by("pk").values_list(*FIELDS)
    members = Release.metric_versions.through.objects.filter(release__in=releases).values_list(
        "release_id", "metricversion__metric__slug", "metricversion_id", "metricversion__metric__benchmark__slug"
    )
    versions = {(release, metric): (version, benchmark) for release, metric, version, benchmark in members}
    # The release's list of versions rules: a metric that left it has no wording to compare.
    known = [(*row, *versions[row[0], row[1]]) for row in rows if (row[0], row[1]) in versions]
    return pd.DataFrame(known, columns=COLUMNS)
