"""The background work of the public pages; thin: what it does stands in `labels.snapshots`."""

import logging

from celery import shared_task

logger = logging.getLogger(__name__)


@shared_task(name="labels.keep_snapshots")
def keep_snapshots() -> None:
    """Make the files that releases lack, the newest first. Safe to run twice, and beside others."""
    from labels.snapshots.chosen import all_releases  # noqa: PLC0415  (the API; workers of runs do without)
    from labels.snapshots.keeping import keep_snapshot  # noqa: PLC0415

    for release in all_releases():
        try:
            keep_snapshot(release)
        except OSError:
            logger.exception("the files of a release cannot be written; the clock asks again")
