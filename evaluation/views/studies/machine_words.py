"""The analysis of a study by machine as tables for reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evaluation.models import Study
from evaluation.studies.designs import design_of
from evaluation.studies.machine.conditions import AS_SET, conditions_of
from evaluation.views.studies.analysis_words import NOTHING, Table, estimate_words

_POLARITY = {None: "Both kinds", "positive": "Good behaviour", "negative": "Bad behaviour"}
_MEASURES = {
    "coverage": "Objectives covered",
    "inconsistency": "Repetitions that differ in what they cover",
    "failures": "Conversations that fail",
}
_COEFFICIENTS = {"cohen-kappa": "Cohen’s kappa", "krippendorff-alpha": "Krippendorff’s alpha"}
Row = Mapping[str, Any]


def machine_tables(study: Study, data: Mapping[str, Any]) -> list[Table]:
    """All tables of an analysis by machine; those without a row are left out."""
    conditions = conditions_of(design_of(study.kind, study.design))
    names = {condition.slug: condition.name for condition in conditions}
    made = [
        _repeatability(data.get("repeatability", [])),
        _repeatability_of_metrics(data.get("by_metric", {})),
        _agreement(data.get("agreement", [])),
        _rates(data.get("rates", [])),
        _orders(data.get("orders", [])),
        _conditions(data.get("conditions", []), names),
        _differences(data.get("differences", []), names),
        _changes(data.get("changes", [])),
        _changes_of_metrics(data.get("by_metric", {})),
    ]
    return [table for table in made if table.rows]


def _polarity(row: Row) -> str:
    return _POLARITY[row["polarity"]]


def _agreements(row: Row) -> tuple[str, str, str]:
    return (
        estimate_words(row["unanimity"], is_share=True),
        estimate_words(row["pairwise"], is_share=True),
        estimate_words(row["kappa"]),
    )


def _repeatability(rows: Iterable[Row]) -> Table:
    columns = ("Judge and kind", "Times", "Conversations", "Metrics", "All alike", "Pairs that agree", "Fleiss’ kappa")
    return Table(
        "repeatability",
        "The judge on the same conversations",
        columns,
        tuple(
            (
                f"{row['judge']}: {_polarity(row)}",
                str(row["repeats"]),
                str(row["n_conversations"]),
                str(row["n_metrics"]),
                *_agreements(row),
            )
            for row in rows
        ),
    )


def _repeatability_of_metrics(by_metric: Mapping[str, Any]) -> Table:
    return Table(
        "repeatability-metrics",
        "The judge on the same conversations, by metric",
        ("Metric", "Judge", "Conversations", "All alike", "Pairs that agree", "Fleiss’ kappa"),
        tuple(
            (metric, row["judge"], str(row["n_conversations"]), *_agreements(row))
            for metric, parts in by_metric.items()
            for row in parts.get("repeatability", [])
            if row["polarity"] is None
        ),
    )


def _agreement(rows: Iterable[Row]) -> Table:
    return Table(
        "agreement",
        "Judges with each other",
        ("Judges", "Kind", "Conversations", "Metrics", "Agreement", "Beyond chance"),
        tuple(
            (
                _who(row),
                _polarity(row),
                str(row["n"]),
                str(row["n_metrics"]),
                estimate_words(_flat(row, "agreement", "agreement_ci_"), is_share=True),
                _coefficient(row),
            )
            for row in rows
        ),
    )


def _coefficient(row: Row) -> str:
    name = _COEFFICIENTS.get(row["coefficient_name"], row["coefficient_name"])
    return f"{name}: {estimate_words(_flat(row, 'coefficient', 'ci_'))}"


def _who(row: Row) -> str:
    if row["judge_a"] is None:
        return "All judges"
    return f"{row['judge_a']} and {row['judge_b'] or 'the majority of the others'}"


def _flat(row: Row, name: str, ends: str) -> dict[str, Any]:
    """An estimate that stands in several fields of its row."""
    return {"value": row[name], "low": row[f"{ends}low"], "high": row[f"{ends}high"], "reason": row["reason"]}


def _rates(rows: Iterable[Row]) -> Table:
    return Table(
        "rates",
        "What another judge would change in pass rates",
        ("Model", "Kind", "Judge", "Contexts", "By this judge", "By the first", "Difference"),
        tuple(
            (
                row["target"] or "All models",
                _polarity(row["change"]),
                f"{row['change']['condition']} beside {row['change']['against']}",
                str(row["change"]["n_contexts"]),
                *_sides(row["change"]),
            )
            for row in rows
        ),
    )


def _sides(row: Row) -> tuple[str, ...]:
    shares = (estimate_words(row[side], is_share=True) for side in ("value", "other"))
    return *shares, estimate_words(row["difference"], is_share=True).replace(" in 100", " points", 1)


def _orders(rows: Iterable[Row]) -> Table:
    return Table(
        "orders",
        "The order of the models by either judge",
        ("Judge", "Kind", "Models", "Pairs", "Pairs turned round", "Spearman"),
        tuple(
            (
                f"{row['judge']} beside {row['against']}",
                _polarity(row),
                str(row["n_targets"]),
                str(row["n_pairs"]),
                str(row["n_turned"]),
                _correlation(row["spearman"]),
            )
            for row in rows
        ),
    )


def _correlation(found: Row) -> str:
    value = found.get("value")
    return f"{value:.2f}" if isinstance(value, float | int) else str(found.get("reason") or NOTHING)


def _conditions(rows: Iterable[Row], names: Mapping[str, str]) -> Table:
    return Table(
        "conditions",
        "Conditions",
        ("Condition", "What", "Kind", "Contexts", "Metrics", "Share (95 % interval)"),
        tuple(
            (
                names[row["condition"]],
                _MEASURES[row["measure"]],
                _polarity(row),
                str(row["n_contexts"]),
                str(row["n_metrics"]),
                estimate_words(row["value"], is_share=True),
            )
            for row in rows
        ),
    )


def _differences(rows: Iterable[Row], names: Mapping[str, str]) -> Table:
    return Table(
        "differences",
        f"Each condition beside “{names.get(AS_SET, AS_SET)}”, on the same contexts",
        ("Condition", "What", "Kind", "Contexts", "In this one", "In the other", "Difference"),
        tuple(
            (
                names[row["condition"]],
                _MEASURES[row["measure"]],
                _polarity(row),
                str(row["n_contexts"]),
                *_sides(row),
            )
            for row in rows
        ),
    )


def _changes(rows: Iterable[Row]) -> Table:
    return Table(
        "changes",
        "How often a verdict changes when the conversation is held again",
        ("Model", "Kind", "Times", "Contexts", "Not all alike", "Pairs that differ", "Fleiss’ kappa"),
        tuple(
            (
                row["target"] or "All models",
                _polarity(row),
                str(row["repeats"]),
                str(row["n_contexts"]),
                estimate_words(row["changed"], is_share=True),
                estimate_words(row["differ"], is_share=True),
                estimate_words(row["kappa"]),
            )
            for row in rows
        ),
    )


def _changes_of_metrics(by_metric: Mapping[str, Any]) -> Table:
    return Table(
        "changes-metrics",
        "How often a verdict changes, by metric",
        ("Metric", "Contexts", "Not all alike", "Pairs that differ"),
        tuple(
            (
                metric,
                str(row["n_contexts"]),
                estimate_words(row["changed"], is_share=True),
                estimate_words(row["differ"], is_share=True),
            )
            for metric, parts in by_metric.items()
            for row in parts.get("changes", [])
            if row["target"] is None and row["polarity"] is None
        ),
    )
