"""Reports of small verdict tables, as the pages and `analyse` make them."""

from evaluation.statistics.release_numbers import release_numbers
from evaluation.statistics.report.report import report
from evaluation.statistics.report.tables import Names, Numbers, ReportTable
from tests.support.verdicts import verdict_table

NO_NAMES = Names(models={}, benchmarks={}, areas={}, subareas={}, metrics={}, profiles={})


def numbers_of(*lines: str, resamples: int = 200) -> Numbers:
    """The numbers of `verdict_table(*lines)`: one area 'life', and each benchmark a subarea of its own."""
    table = verdict_table(*lines)
    metrics = sorted(table["metric"].unique())
    by_benchmark = {
        benchmark: [metric for metric in metrics if metric.startswith(f"{benchmark}/")]
        for benchmark in sorted(table["benchmark"].unique())
    }
    found = release_numbers(
        table,
        {"area": {"life": metrics}, "subarea": by_benchmark, "benchmark": by_benchmark},
        profiles=sorted(table["profile"].unique()),
        models=sorted(table["model"].unique()),
        resamples=resamples,
        seed=1,
    )
    return Numbers(found.results, found.comparisons, found.sensitivity, NO_NAMES)


def report_of(*lines: str) -> dict[str, ReportTable]:
    """The tables of the report by slug."""
    return {table.slug: table for table in report(numbers_of(*lines))}
