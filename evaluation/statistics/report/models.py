"""The models side by side: pooled, with equal benchmarks, by area, and which can be told apart."""

from evaluation.statistics.report.tables import (
    POLARITIES,
    POLARITY_NAMES,
    Column,
    Numbers,
    ReportTable,
    Row,
    by_key,
    interval,
    is_covered,
    rate_cells,
    rate_columns,
)
from evaluation.statistics.sensitivity import Share, halves


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
    sentence = "Pooled rates count every conversation the same, means of benchmarks every benchmark. By name: no rank."
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
    pooled = by_key(numbers.results_of("overall"), "model", "polarity")
    slugs = [slug for slug in _slugs(numbers) if all(_is_covered(pooled.get((slug, p))) for p in POLARITIES)]
    rows: list[Row] = []
    shares = {p: [Share(pooled[(slug, p)]["pass_rate"], 1) for slug in slugs] for p in POLARITIES}
    if not slugs:
        return ReportTable("spans", "Span of the models", "No model has enough metrics of both kinds.", (), [])
    upper, lower = halves(shares["negative"])
    for polarity in POLARITIES:
        values = [share.value or 0.0 for share in shares[polarity]]
        rows.append(
            {
                "polarity": POLARITY_NAMES[polarity],
                "models": len(slugs),
                "lowest": min(values),
                "highest": max(values),
                "span": max(values) - min(values),
                "upper": _mean(values, upper),
                "lower": _mean(values, lower),
                "between": _difference(_mean(values, upper), _mean(values, lower)),
            }
        )
    columns = (
        Column("polarity", "Kind"),
        Column("models", "models", "count"),
        Column("lowest", "Lowest model", "rate"),
        Column("highest", "Highest model", "rate"),
        Column("span", "Span", "points"),
        Column("upper", "Mean of the upper half", "rate"),
        Column("lower", "Mean of the lower half", "rate"),
        Column("between", "Between the halves", "points"),
    )
    sentence = (
        "Over models with at least 80 % of the metrics. The halves are those of the rate of bad behaviours avoided. "
        "Descriptive: differences of extremes have no interval here; the pairs below have."
    )
    return ReportTable("spans", "Span of the models", sentence, columns, rows)


def pairs(numbers: Numbers) -> ReportTable:
    """All pairs of models, overall and by polarity, with paired intervals (paper, section 4.10)."""
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
        if row["profile"] == "all"
    ]
    columns = (
        Column("a", "Model"),
        Column("b", "against"),
        Column("polarity", "Kind"),
        Column("difference", "Difference", "points"),
        Column("interval", "95 % interval", "interval"),
        Column("metrics", "metrics judged for both", "count"),
        Column("apart", "interval leaves out 0", "yes"),
        Column("adjusted", "told apart (Holm)", "yes"),
    )
    sentence = (
        "Differences over the metrics judged for both, from the same draws. Adjusted over all pairs of a kind by Holm."
    )
    return ReportTable("pairs", "Which models can be told apart", sentence, columns, rows)


def _slugs(numbers: Numbers) -> list[str]:
    found = {row["model"] for row in numbers.results_of("overall") if row["model"] is not None}
    return sorted(found, key=lambda slug: numbers.names.models.get(slug, slug).casefold())


def _is_covered(row: Row | None) -> bool:
    return row is not None and is_covered(row)


def _mean(values: list[float], members: list[int]) -> float | None:
    return sum(values[index] for index in members) / len(members) if members else None


def _difference(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a - b
