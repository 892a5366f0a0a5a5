"""Gives metrics the status that follows from published studies and open disputes, by the rules in the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import transaction

from evaluation.models import MetricVersion, Study
from evaluation.studies.status import Evidence, Status, StatusRules, status_of
from impactbench.common.audit import record

# By the keys of metrics: how many disputes from the public are open on each.
Disputes = Callable[[Iterable[int]], dict[int, int]]
_disputes: list[Disputes] = []


def register_disputes(count: Disputes) -> None:
    """Let the app that takes disputes from the public count the open ones; evaluation may not import it."""
    _disputes[:] = [count]


def status_rules() -> StatusRules:
    """The rules of this site."""
    return StatusRules(**settings.STATUS_RULES)


@transaction.atomic
def refresh_statuses(versions: Iterable[MetricVersion], *, actor: Any = None) -> list[MetricVersion]:
    """Bring the statuses of these versions up to date; the ones that changed, each with an audit event.

    A retired version stays retired and comes back with the new one. What no release has is a draft, not machine-judged.
    """
    keys = [version.pk for version in versions]
    held = MetricVersion.objects.select_for_update(of=("self",)).filter(pk__in=keys).select_related("metric")
    found = list(held.order_by("pk"))
    return [version for version, status in _statuses(found).items() if _set(version, status, actor)]


def refresh_statuses_of(study: Study, *, actor: Any = None) -> list[MetricVersion]:
    """The same for every metric version that a study is about."""
    return refresh_statuses(MetricVersion.objects.filter(study_items__study=study).distinct(), actor=actor)


def versions_in_dispute() -> list[tuple[MetricVersion, int]]:
    """Published versions with open disputes from readers, by slug, and how many each has."""
    disputed = MetricVersion.objects.filter(status=MetricVersion.Status.DISPUTED, is_published=True)
    versions = list(disputed.select_related("metric").order_by("metric__slug", "number"))
    counts = _open_disputes(versions)
    return [(version, counts[version.pk]) for version in versions if version.pk in counts]


def _statuses(versions: list[MetricVersion]) -> dict[MetricVersion, Status]:
    # It takes pandas, and every process has this module, as the apps register here what they know of disputes.
    from evaluation.selectors.studies.published import evidence_for  # noqa: PLC0415

    evidence, disputes, rules = evidence_for(versions), _open_disputes(versions), status_rules()
    return {
        version: status_of(replace(evidence.get(version.pk, Evidence()), n_disputes=disputes.get(version.pk, 0)), rules)
        for version in versions
    }


def _open_disputes(versions: list[MetricVersion]) -> dict[int, int]:
    """By the version's key; a dispute is about the newest published wording of a metric."""
    if not _disputes:
        return {}
    newest = MetricVersion.objects.filter(metric__in=[one.metric_id for one in versions], is_published=True)
    keys = dict(newest.order_by("metric", "-number").distinct("metric").values_list("metric", "pk"))
    return {keys[metric]: n for metric, n in _disputes[0](list(keys)).items() if metric in keys}


def _set(version: MetricVersion, found: Status, actor: Any) -> bool:
    status = found.status
    if status == MetricVersion.Status.MACHINE_JUDGED and not version.releases.exists():
        status = MetricVersion.Status.DRAFT
    column = "status_before" if version.status == MetricVersion.Status.RETIRED else "status"
    before = getattr(version, column)
    if before == status:
        return False
    setattr(version, column, status)
    version.save(update_fields=[column])
    details = {"from": before, "to": status, "reasons": list(found.reasons)}
    record(actor=actor, action="metric-status-changed", target=version, details=details)
    return True
