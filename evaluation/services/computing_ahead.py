"""What pages tell of a new release takes seconds to compute: done when it is published, not when somebody reads."""

from itertools import pairwise

from evaluation.models import Release
from evaluation.selectors.release_agreement import release_agreement
from evaluation.selectors.release_changes import overall_changes
from evaluation.selectors.release_report import release_report
from evaluation.selectors.same_metrics import same_metrics


def compute_ahead(release: Release) -> None:
    """Keep a published release's report and its judges' agreement, and how its models changed since earlier releases.

    `selectors.kept` computes anew what is lost, so this changes no number that anybody reads.
    """
    release_report(release)
    release_agreement(release)
    series = {model: list(model.releases.order_by("published_at", "pk")) for model in release.targets.all()}
    steps = {(older.pk, newer.pk): (older, newer) for members in series.values() for older, newer in pairwise(members)}
    overall_changes([pair for pair in steps.values() if release in pair])
    for model, members in series.items():
        if len(members) > 1:
            same_metrics(model, members)
