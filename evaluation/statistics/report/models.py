"""The models side by side: pooled, with equal benchmarks, by area, and which can be told apart."""

from collections.abc import Mapping

from evaluation.statistics.report.tables import (
    POLARITIES,
    POLARITY_NAMES,
    Column,
    Numbers,
    ReportTable,
    Row,
    by_key,
    covered_models,
    interval,
    is_covered,
    left_out_note,
    rate_cells,
    rate_columns,
)
from evaluation.statistics.sensitivity import Share, halves

LEAST_FOR_A_SPAN = 2


def models(numbers: Numbers) -> ReportTable:
    """Each model: pooled and equal-benchmark rates by polarity (paper, tables 1 and 3), by name."""
    pooled = by_key(numbers.results_of("overall"), "model", "polarity")
    equal = by_key(numbers.sensitivity_of("equal-benchmark"), "model", "polarity")
    rows: list[Row] = []
    for slug in _slugs(numbers):
        cells: Row = {"model": numbers.names.models.get(slug, slug)}
        for polarity in POLARITIES:
            row = pooled.get((slug, polarity))
            share = equal.get((slug, polarity))
            cells |= rate_cells(row, f"{polarity}_")
            cells[f"{polarity}_equal"] = share and share["value"]
            cells[f"{polarity}_benchmarks"] = share and share["n"]
            cells[f"{polarity}_coverage"] = row and row["coverage"]
        rows.append(cells)
    columns: list[Column] = [Column("model", "Model")]
    for polarity in POLARITIES:
        lead = POLARITY_NAMES[polarity]
        columns += rate_columns(f"{polarity}_", lead)
        columns += [
            Column(f"{polarity}_equal", f"{lead}: mean of benchmarks", "rate"),
            Column(f"{polarity}_benchmarks", f"{lead}: benchmarks", "count"),
            Column(f"{polarity}_coverage", f"{lead}: share of metrics", "rate"),
        ]
    sentence = (
        "Pooled rates count every conversation the same, means of benchmarks every benchmark. By name: no rank. "
        "Means of benchmarks have no interval: the benchmarks were chosen, not drawn from many."
    )
    return ReportTable("models", "Models", sentence, tuple(columns), rows)


def models_by_area(numbers: Numbers) -> ReportTable:
    """Each model in each area and polarity (paper, table 1)."""
    results = [row for row in numbers.results_of("area") if row["model"] is not None]
    rows = [
        {
            "model": numbers.names.models.get(row["model"], row["model"]),
            "place": numbers.names.areas.get(row["key"], row["key"]),
            "polarity": POLARITY_NAMES[row["polarity"]],
            **rate_cells(row),
            "coverage": row["coverage"],
        }
        for row in results
    ]
    rows.sort(key=lambda row: (str(row["model"]), str(row["place"]), row["polarity"] != POLARITY_NAMES["positive"]))
    columns = (
        Column("model", "Model"),
        Column("place", "Area"),
        Column("polarity", "Kind"),
        *rate_columns(),
        Column("coverage", "share of metrics", "rate"),
    )
    return ReportTable(
        "models-by-area", "Models by area", "Each model over its own judged conversations.", columns, rows
    )


def spans(numbers: Numbers) -> ReportTable:
    """How far apart the models are in each polarity, and the upper half against the lower (paper, section 4.4)."""
    rates: dict[str, dict[str, float]] = {
        polarity: {
            row["model"]: row["pass_rate"]
            for row in numbers.results_of("overall")
            if row["model"] is not None and row["polarity"] == polarity and is_covered(row)
        }
        for polarity in POLARITIES
    }
    upper, lower = _halves(rates)
    rows: list[Row] = []
    for polarity, of in rates.items():
        if len(of) < LEAST_FOR_A_SPAN:
            continue
        above, below = (_mean([of[model] for model in half]) for half in (upper, lower))
        rows.append(
            {
                "polarity": POLARITY_NAMES[polarity],
                "models": len(of),
                "lowest": min(of.values()),
                "highest": max(of.values()),
                "span": max(of.values()) - min(of.values()),
                "upper": above,
                "lower": below,
                "half": len(upper),
                "between": _difference(above, below),
            }
        )
    columns = (
        Column("polarity", "Kind"),
        Column("models", "models", "count"),
        Column("lowest", "Lowest model", "rate"),
        Column("highest", "Highest model", "rate"),
        Column("span", "Span", "size"),
        Column("half", "models in each half", "count"),
        Column("upper", "Mean of the upper half", "rate"),
        Column("lower", "Mean of the lower half", "rate"),
        Column("between", "Between the halves", "points"),
    )
    sentence = (
        "Over models with at least 80 % of the metrics. The halves are those of the rate of bad behaviours avoided. "
        "Descriptive: differences of extremes have no interval here; the pairs below have."
    )
    note = left_out_note(numbers)
    return ReportTable("spans", "Span of the models", sentence, columns, rows, [note] if note and rows else [])


def _halves(rates: Mapping[str, Mapping[str, float]]) -> tuple[list[str], list[str]]:
    """The models of the upper and lower half of the negative rate, of those with rates of both polarities."""
    slugs = sorted(rates["positive"].keys() & rates["negative"].keys())
    upper, lower = halves([Share(rates["negative"][slug], 1) for slug in slugs])
    return [slugs[index] for index in upper], [slugs[index] for index in lower]


def pairs(numbers: Numbers) -> ReportTable:
    """All pairs of models, overall and by polarity, with paired intervals (paper, section 4.10)."""
    covered = covered_models(numbers)
    rows = [
        {
            "a": numbers.names.models.get(row["a"], row["a"]),
            "b": numbers.names.models.get(row["b"], row["b"]),
            "polarity": POLARITY_NAMES[row["polarity"]],
            "difference": row["difference"],
            "interval": interval(row),
            "metrics": row["n_metrics"],
            "apart": row["distinguishable"],
            "adjusted": row["distinguishable_adjusted"],
        }
        for row in numbers.comparisons_of("model", "overall")
        if row["profile"] == "all" and {row["a"], row["b"]} <= covered[row["polarity"]]
    ]
    columns = (
        Column("a", "Model"),
        Column("b", "against"),
        Column("polarity", "Kind"),
        Column("difference", "Difference", "points"),
        Column("interval", "95 % interval", "interval-points"),
        Column("metrics", "metrics judged for both", "count"),
        Column("apart", "interval leaves out 0", "yes"),
        Column("adjusted", "told apart (Holm)", "yes"),
    )
    sentence = (
        "Differences over the metrics judged for both, from the same draws. Adjusted over all pairs of a kind by Holm."
    )
    note = left_out_note(numbers)
    return ReportTable(
        "pairs", "Which models can be told apart", sentence, columns, rows, [note] if note and rows else []
    )


def _slugs(numbers: Numbers) -> list[str]:
    found = {row["model"] for row in numbers.results_of("overall") if row["model"] is not None}
    return sorted(found, key=lambda slug: numbers.names.models.get(slug, slug).casefold())


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _difference(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a - b
