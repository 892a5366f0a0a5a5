"""Sets and withdraws content notices: they are about showing, so a version that was used in a test may get them.

No judge reads them, no content hash holds them and no trigger freezes them; the audit trail is their history.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from evaluation.content_notices import in_order, kept
from evaluation.models import Benchmark, Metric, MetricVersion
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from impactbench.common.models import AuditEvent

ACTION = "content-notices-set"
LONGEST = 80
MOST = 12
LONGEST_REASON = 2_000


class ChangedMeanwhile(DomainError):
    """Somebody else set the notices since the page was opened; nothing was written."""


@transaction.atomic
def set_on_metric(metric: Metric, notices: Sequence[str], *, seen: Sequence[str], reason: str, actor: Any) -> bool:
    """Give every version of a metric these notices, at once for all readers; False when it had them already.

    `seen` is what the editor was shown as set. Raises ChangedMeanwhile, or DomainError for what cannot be kept.
    """
    wanted = _checked(notices, reason)
    versions = list(MetricVersion.objects.select_for_update().filter(metric=metric).order_by("pk"))
    before = in_order([notice for version in versions for notice in kept(version)])
    _refuse_changed(before, seen)
    changed = [version for version in versions if kept(version) != wanted]
    MetricVersion.objects.filter(pk__in=[version.pk for version in changed]).update(content_notices=wanted)
    return _told(metric, before, wanted, reason, actor) if changed else False


@transaction.atomic
def set_on_benchmark(
    benchmark: Benchmark, notices: Sequence[str], *, seen: Sequence[str], reason: str, actor: Any
) -> bool:
    """Give a whole benchmark these notices: all its metrics have them, also those to come. See `set_on_metric`."""
    wanted = _checked(notices, reason)
    fresh = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    before = in_order(kept(fresh))
    _refuse_changed(before, seen)
    if before == wanted:
        return False
    Benchmark.objects.filter(pk=fresh.pk).update(content_notices=wanted)
    return _told(fresh, before, wanted, reason, actor)


def notices_of_metric(metric: Metric) -> list[str]:
    """What is set on a metric itself: the notices of all its versions together."""
    return in_order([notice for version in metric.versions.order_by("number") for notice in kept(version)])


def changes_of(row: Metric | Benchmark) -> list[AuditEvent]:
    """How its notices came to be, newest first: details are `before`, `after` and `reason`."""
    events = AuditEvent.objects.filter(action=ACTION, target_type=row._meta.label_lower, target_id=str(row.pk))
    return list(events.select_related("actor").order_by("-at", "-pk"))


def is_set_by_editor(benchmark: Benchmark) -> bool:
    """Whether an editor has had a word on the benchmark's notices: then no file changes them any more."""
    return bool(changes_of(benchmark))


def _checked(notices: Sequence[str], reason: str) -> list[str]:
    """The notices in order. Raises DomainError."""
    wanted = in_order([" ".join(notice.split()) for notice in notices if notice.strip()])
    long = next((notice for notice in wanted if len(notice) > LONGEST), None)
    if long is not None:
        raise DomainError(f"Shorten “{long[:40]}…” to {LONGEST} characters: a notice is a word or two.")
    if len(wanted) > MOST:
        raise DomainError(f"Keep to {MOST} notices; readers stop reading longer lists.")
    if any(not character.isprintable() for notice in wanted for character in notice):
        raise DomainError("A notice holds characters that cannot be seen. Type it anew.")
    if not reason.strip():
        raise DomainError("Say why; other editors read it in the history.")
    if len(reason) > LONGEST_REASON:
        raise DomainError(f"Shorten the reason to {LONGEST_REASON:,} characters.")
    return wanted


def _refuse_changed(before: Sequence[str], seen: Sequence[str]) -> None:
    if list(before) != in_order(list(seen)):
        now = ", ".join(before) or "none"
        raise ChangedMeanwhile(f"Another editor set the notices meanwhile. They are now: {now}. Look, and save again.")


def _told(row: Metric | Benchmark, before: list[str], after: list[str], reason: str, actor: Any) -> bool:
    record(actor=actor, action=ACTION, target=row, details={"before": before, "after": after, "reason": reason.strip()})
    return True
