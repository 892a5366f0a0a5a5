"""All tables of a report, in the order in which they are read."""

from collections.abc import Callable

from evaluation.statistics.report import metrics, models, overview, places, stability
from evaluation.statistics.report.tables import Numbers, ReportTable

TABLES: tuple[Callable[[Numbers], ReportTable], ...] = (
    overview.headline,
    overview.areas,
    places.subareas,
    overview.polarity_gap,
    models.models,
    models.models_by_area,
    models.spans,
    models.pairs,
    places.benchmarks,
    metrics.strongest_and_weakest,
    stability.profiles,
    metrics.profile_differences,
    stability.correlations,
    stability.consistency,
    stability.reversals,
)


def report(numbers: Numbers) -> list[ReportTable]:
    """The tables that say something: rows, or a note where finding nothing is the finding."""
    return [table for make in TABLES for table in [make(numbers)] if table.rows or table.notes]
