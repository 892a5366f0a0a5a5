"""What was decided about items on which raters disagree, and the items that wait for it."""

from __future__ import annotations

from typing import Any

from evaluation.models import Adjudication, MetricVersion, Study


def adjudications_of(study: Study) -> dict[int, list[Adjudication]]:
    """All decisions by the item's number, the oldest first."""
    found: dict[int, list[Adjudication]] = {}
    rows = Adjudication.objects.filter(item__study=study).select_related("item", "by").order_by("made_at", "pk")
    for row in rows:
        found.setdefault(row.item.number, []).append(row)
    return found


def contested_on(version: MetricVersion, studies: list[int]) -> list[Adjudication]:
    """The decisions that count, where they leave an item of these studies contested, by item."""
    rows = Adjudication.objects.filter(item__study__in=studies, item__metric_version=version).select_related("item")
    newest = {row.item_id: row for row in rows.order_by("made_at", "pk")}
    contested = [row for row in newest.values() if row.outcome == Adjudication.Outcome.CONTESTED]
    return sorted(contested, key=lambda row: row.item.number)


def decisions_of(study: Study) -> list[dict[str, Any]]:
    """The decision that counts for each item that has one, as findings and exports tell it; nobody is named."""
    rows = Adjudication.objects.filter(item__study=study).select_related("item__metric_version__metric")
    newest = {row.item.number: row for row in rows.order_by("made_at", "pk")}
    return [
        {
            "item": number,
            "metric": row.item.metric_version.metric.slug,
            "outcome": row.outcome,
            "reasons": row.reasons,
            "made_at": row.made_at.isoformat(),
        }
        for number, row in sorted(newest.items())
    ]
