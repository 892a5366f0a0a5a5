"""Shows metrics to the public, and takes them out of use without taking anything away."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from evaluation.models import MetricVersion
from impactbench.common.errors import DomainError

Status = MetricVersion.Status


@transaction.atomic
def publish_versions(versions: Iterable[MetricVersion]) -> list[MetricVersion]:
    """Give each version its public page, 'no results yet' until a release has it. Published ones stay as they are."""
    fresh = _locked(versions)
    for version in fresh:
        if not version.is_published:
            version.is_published, version.published_at = True, timezone.now()
            version.awaits_second_editor = False
            version.save(update_fields=["is_published", "published_at", "awaits_second_editor"])
    return fresh


@transaction.atomic
def retire_versions(versions: Iterable[MetricVersion], reason: str) -> list[MetricVersion]:
    """Take versions, and the older ones of their metrics, out of use: page, history and results stay.

    Raises DomainError without a reason.
    """
    if not reason.strip():
        raise DomainError("Say why it is retired; readers of its page see the reason.")
    fresh = _locked(versions)
    for version in fresh:
        MetricVersion.objects.filter(metric=version.metric, number__lte=version.number).update(is_runnable=False)
        if version.status != Status.RETIRED:
            version.status_before, version.status = version.status, Status.RETIRED
        version.retired_at, version.retirement_reason, version.is_runnable = timezone.now(), reason.strip(), False
        version.save(update_fields=["status", "status_before", "retired_at", "retirement_reason", "is_runnable"])
    return fresh


@transaction.atomic
def reinstate_versions(versions: Iterable[MetricVersion]) -> list[MetricVersion]:
    """Put retired versions back into use, with the status they had."""
    fresh = _locked(versions)
    for version in fresh:
        if version.status == Status.RETIRED:
            version.status = version.status_before or Status.DRAFT
            version.status_before, version.retired_at, version.retirement_reason = "", None, ""
            version.is_runnable = not version.is_imported_result
            version.save(update_fields=["status", "status_before", "retired_at", "retirement_reason", "is_runnable"])
    return fresh


def _locked(versions: Iterable[MetricVersion]) -> list[MetricVersion]:
    keys = [version.pk for version in versions]
    return list(MetricVersion.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
