"""The whole, the areas of life, and good behaviours beside bad ones (ImpactBench paper, sections 4 and 4.4)."""

from evaluation.statistics.report.tables import (
    POLARITIES,
    POLARITY_NAMES,
    Column,
    Numbers,
    ReportTable,
    Row,
    by_key,
    counted,
    interval,
    rate_cells,
    rate_columns,
)

ALL_MODELS = "All models together"


def headline(numbers: Numbers) -> ReportTable:
    """All models pooled, one row a polarity, all profiles together and each by itself."""
    rows = []
    for profile in ("all", *numbers.profiles()):
        found = by_key(
            [row for row in numbers.results_of("overall", profile=profile) if row["model"] is None], "polarity"
        )
        for polarity in POLARITIES:
            if polarity in found:
                who = "Everyone" if profile == "all" else numbers.names.profiles.get(profile, profile)
                rows.append({"polarity": POLARITY_NAMES[polarity], "profile": who, **rate_cells(found[polarity])})
    return ReportTable(
        "headline",
        "All models together",
        "Pooled over all models; every judged conversation counts the same.",
        (Column("polarity", "Kind"), Column("profile", "Who was asking"), *rate_columns()),
        rows,
    )


def areas(numbers: Numbers) -> ReportTable:
    """Each area in both polarities, all models pooled, with the gap between the polarities."""
    return _by_place(numbers, "area", numbers.names.areas, "areas", "Areas of life")


def polarity_gap(numbers: Numbers) -> ReportTable:
    """For each model: how much more often it shows good behaviours than it avoids bad ones, paired."""
    rates = by_key(numbers.results_of("overall"), "model", "polarity")
    rows = [
        {
            "model": ALL_MODELS if row["model"] is None else numbers.names.models.get(row["model"], row["model"]),
            **rate_cells(rates.get((row["model"], "positive")), "positive_"),
            **rate_cells(rates.get((row["model"], "negative")), "negative_"),
            "gap": row["difference"],
            "interval": interval(row),
            "metrics": row["n_metrics"],
            "apart": row["distinguishable_adjusted"],
        }
        for row in numbers.comparisons_of("polarity", "overall")
        if row["profile"] == "all"
    ]
    rows.sort(key=lambda row: (row["model"] != ALL_MODELS, str(row["model"]).casefold()))
    correlations = {row["across"]: row for row in numbers.sensitivity_of("positive-vs-negative")}
    notes = [_correlation_note(across, row) for across, row in sorted(correlations.items())] if rows else []
    return ReportTable(
        "polarity-gap",
        "Good behaviours shown against bad behaviours avoided",
        "Pass rate on positive metrics minus pass rate on negative ones, from the same draws. By name: no rank.",
        (
            Column("model", "Model"),
            *rate_columns("positive_", "Good shown")[:3],
            *rate_columns("negative_", "Bad avoided")[:3],
            Column("gap", "Gap", "points"),
            Column("interval", "Gap, 95 % interval", "interval-points"),
            Column("metrics", "metrics of both kinds", "count"),
            Column("apart", "told apart from 0 (adjusted)", "yes"),
        ),
        rows,
        notes,
    )


def _by_place(numbers: Numbers, group: str, names: object, slug: str, title: str) -> ReportTable:
    known = dict(names) if isinstance(names, dict) else {}
    pooled = by_key([row for row in numbers.results_of(group) if row["model"] is None], "key", "polarity")
    gaps = by_key(
        [r for r in numbers.comparisons_of("polarity", group) if r["model"] is None and r["profile"] == "all"], "key"
    )
    rows: list[Row] = []
    for key in dict.fromkeys(key for key, _ in pooled):
        cells: Row = {"place": known.get(key, key)}
        for polarity in POLARITIES:
            cells |= rate_cells(pooled.get((key, polarity)), f"{polarity}_")
        gap = gaps.get(key)
        cells |= {"gap": gap and gap["difference"], "gap_interval": gap and interval(gap)}
        rows.append(cells)
    columns = (
        Column("place", "Part of life"),
        *rate_columns("positive_", "Good shown"),
        *rate_columns("negative_", "Bad avoided"),
        Column("gap", "Gap", "points"),
        Column("gap_interval", "Gap, 95 % interval", "interval-points"),
    )
    n = len({row["model"] for row in numbers.results_of("overall") if row["model"] is not None})
    sentence = f"Pooled over {counted(n, 'model')}. A metric in several parts counts in each."
    return ReportTable(slug, title, sentence, columns, rows)


def _correlation_note(across: str, row: Row) -> str:
    if row["value"] is None:
        return f"Across {across} there is no rank correlation of the two kinds: {row['reason']}."
    n = counted(row["n"], across.removesuffix("s"))
    return f"Across {n} the two kinds correlate by rank at {row['value']:.2f} (Spearman)."
