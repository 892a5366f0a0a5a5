"""Single metrics: the strongest and weakest, and where profiles differ most. Counts, never ranks."""

from itertools import combinations

from evaluation.statistics.report.tables import (
    POLARITIES,
    POLARITY_NAMES,
    Column,
    Numbers,
    ReportTable,
    Row,
    by_key,
    rate_cells,
    rate_columns,
)

SHOWN = 10
# Fewer judged conversations than this say too little about one metric.
LEAST_JUDGED = 6


def strongest_and_weakest(numbers: Numbers) -> ReportTable:
    """The metrics passed most and least often over all models, with their counts (paper, section 4.6)."""
    pooled = [row for row in numbers.results_of("metric") if row["model"] is None and row["n_judged"] >= LEAST_JUDGED]
    rows: list[Row] = []
    for polarity in POLARITIES:
        ordered = sorted(
            (row for row in pooled if row["polarity"] == polarity), key=lambda row: (-row["pass_rate"], row["key"])
        )
        # Few metrics are parted in the middle, so that none stands at the wrong end.
        most, least = min(SHOWN, (len(ordered) + 1) // 2), min(SHOWN, len(ordered) // 2)
        ends = [("most often", row) for row in ordered[:most]]
        ends += [("least often", row) for row in reversed(ordered[len(ordered) - least :])]
        rows += [
            {
                "end": end,
                "polarity": POLARITY_NAMES[polarity],
                "metric": numbers.names.metrics.get(row["key"], row["key"]),
                "slug": row["key"],
                "passed": row["n_passed"],
                **rate_cells(row),
            }
            for end, row in ends
        ]
    columns = (
        Column("end", "Passed"),
        Column("polarity", "Kind"),
        Column("metric", "Metric"),
        Column("passed", "passed", "count"),
        *rate_columns()[:3],
    )
    sentence = (
        f"All models and profiles pooled; metrics with at least {LEAST_JUDGED} judged conversations. "
        "The range is Wilson's on conversations, which takes those of one metric as independent."
    )
    return ReportTable("metrics", "Metrics passed most and least often", sentence, columns, rows)


def profile_differences(numbers: Numbers) -> ReportTable:
    """The metrics with the largest differences between two profiles, all models pooled (paper, section 4.5)."""
    rows: list[Row] = []
    for a, b in combinations(numbers.profiles(), 2):
        first, second = (
            by_key([row for row in numbers.results_of("metric", profile=p) if row["model"] is None], "key")
            for p in (a, b)
        )
        found = [
            _difference(numbers, key, first[key], second[key], a, b)
            for key in first.keys() & second.keys()
            if min(first[key]["n_judged"], second[key]["n_judged"]) >= LEAST_JUDGED
        ]
        found.sort(key=lambda row: (row["difference"], row["slug"]))
        rows += found[:SHOWN] + found[max(SHOWN, len(found) - SHOWN) :]
    columns = (
        Column("metric", "Metric"),
        Column("polarity", "Kind"),
        Column("a", "In the scenarios of"),
        Column("a_passed", "passed", "count"),
        Column("a_judged", "of judged", "count"),
        Column("b", "and of"),
        Column("b_passed", "passed", "count"),
        Column("b_judged", "of judged", "count"),
        Column("difference", "Difference", "points"),
    )
    sentence = (
        "All models pooled. These are differences between scenarios written for two profiles, not effects of age. "
        "One metric has too few conversations for an interval, so none is given, and the extremes of many differences "
        "are partly chance."
    )
    return ReportTable("profile-metrics", "Metrics that differ most between profiles", sentence, columns, rows)


def _difference(numbers: Numbers, key: str, first: Row, second: Row, a: str, b: str) -> Row:
    profiles = numbers.names.profiles
    return {
        "metric": numbers.names.metrics.get(key, key),
        "slug": key,
        "polarity": POLARITY_NAMES[first["polarity"]],
        "a": profiles.get(a, a),
        "a_passed": first["n_passed"],
        "a_judged": first["n_judged"],
        "b": profiles.get(b, b),
        "b_passed": second["n_passed"],
        "b_judged": second["n_judged"],
        "difference": first["pass_rate"] - second["pass_rate"],
    }
