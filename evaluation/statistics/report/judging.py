"""What the verdicts say about the judge and about single metrics: repeatability, and metrics that need work."""

from collections.abc import Mapping, Sequence

from evaluation.statistics.metric_quality import (
    AGAINST_THE_REST,
    ALL_FAILED,
    ALL_PASSED,
    NO_VARIANCE,
    SCENARIOS_DIFFER,
    MetricQuality,
)
from evaluation.statistics.repeatability import Estimate, Repeatability
from evaluation.statistics.report.tables import POLARITY_NAMES, Column, ReportTable, Row, counted

FLAGS = {
    NO_VARIANCE: "the same for every model",
    ALL_PASSED: "passed every time",
    ALL_FAILED: "passed never",
    SCENARIOS_DIFFER: "differs between its scenarios by more than chance",
    AGAINST_THE_REST: "runs against the rest of its benchmark",
}


def repeatability_table(found: Sequence[Repeatability], judges: Mapping[str, str]) -> ReportTable:
    """How far each judge agrees with itself, overall and by polarity (paper, section 3.5.3)."""
    rows = [
        {
            "judge": judges.get(one.judge, one.judge),
            "polarity": "Both kinds" if one.polarity is None else POLARITY_NAMES[one.polarity],
            "repeats": one.repeats,
            "conversations": one.n_conversations,
            "metrics": one.n_metrics,
            **_estimate("unanimity", one.unanimity),
            **_estimate("pairwise", one.pairwise),
            **_estimate("kappa", one.kappa),
            "complete": one.n_complete,
        }
        for one in found
    ]
    columns = (
        Column("judge", "Judge"),
        Column("polarity", "Kind"),
        Column("repeats", "judgments of each", "count"),
        Column("conversations", "conversations judged twice or more", "count"),
        Column("metrics", "metrics", "count"),
        Column("unanimity", "All alike", "rate"),
        Column("unanimity_interval", "All alike, 95 % interval", "interval"),
        Column("pairwise", "Mean agreement of pairs", "rate"),
        Column("pairwise_interval", "Pairs, 95 % interval", "interval"),
        Column("kappa", "Fleiss’ kappa", "number"),
        Column("kappa_interval", "Kappa, 95 % interval", "interval-number"),
        Column("complete", "conversations with all judgments", "count"),
    )
    sentence = (
        "The same judge on the same conversations. Intervals draw metrics again, all conversations of a metric "
        "together. A judge that agrees with itself may still be wrong."
    )
    return ReportTable("repeatability", "Does the judge repeat itself", sentence, columns, rows)


def quality_table(found: Sequence[MetricQuality], names: Mapping[str, str]) -> ReportTable:
    """The metrics that say little or contradict themselves, so that editors see which need work."""
    flagged = [one for one in found if one.flags]
    rows: list[Row] = [
        {
            "metric": names.get(one.metric, one.metric),
            "slug": one.metric,
            "passed": one.n_passed,
            "judged": one.n_judged,
            "item_rest": one.item_rest,
            "scenario_p": one.scenario_p,
            "flags": "; ".join(FLAGS[flag] for flag in one.flags),
        }
        for one in flagged
    ]
    columns = (
        Column("metric", "Metric"),
        Column("passed", "passed", "count"),
        Column("judged", "of judged", "count"),
        Column("item_rest", "Correlation with the rest", "number"),
        Column("scenario_p", "p of no difference between scenarios", "small"),
        Column("flags", "Why to look at it"),
    )
    sentence = (
        "All models pooled. Correlation: over models, of the metric’s rate with that of the rest of its benchmark in "
        "the same kind. With many metrics, some are listed by chance alone; a listed metric is no wrong one."
    )
    notes = [f"{len(flagged):,} of {counted(len(found), 'metric')} are listed."] if found else []
    return ReportTable("metric-quality", "Metrics that need a look", sentence, columns, rows, notes)


def _estimate(name: str, estimate: Estimate) -> Row:
    has_range = estimate.low is not None and estimate.high is not None
    return {name: estimate.value, f"{name}_interval": (estimate.low, estimate.high) if has_range else None}
