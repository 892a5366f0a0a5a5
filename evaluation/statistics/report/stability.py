"""How far the results hold: between profiles, between benchmarks, and without any one benchmark."""

from collections import defaultdict

from evaluation.statistics.report.tables import (
    POLARITIES,
    POLARITY_NAMES,
    Column,
    Numbers,
    ReportTable,
    Row,
    by_key,
    counted,
    covered_models,
    interval,
    left_out_note,
    summary_cells,
)

_SUMMARY = (
    Column("n", "values", "count"),
    Column("minimum", "lowest", "number"),
    Column("median", "median", "number"),
    Column("maximum", "highest", "number"),
)


def profiles(numbers: Numbers) -> ReportTable:
    """Differences between profiles by benchmark, all models pooled, with paired intervals (paper, section 4.5)."""
    names = numbers.names
    rows = [
        {
            "place": "All benchmarks" if row["group"] == "overall" else names.benchmarks.get(row["key"], row["key"]),
            "polarity": POLARITY_NAMES[row["polarity"]],
            "a": names.profiles.get(row["a"], row["a"]),
            "b": names.profiles.get(row["b"], row["b"]),
            "difference": row["difference"],
            "interval": interval(row),
            "metrics": row["n_metrics"],
            "adjusted": row["distinguishable_adjusted"],
        }
        for group in ("overall", "benchmark")
        for row in numbers.comparisons_of("profile", group)
        if row["model"] is None
    ]
    columns = (
        Column("place", "Benchmark"),
        Column("polarity", "Kind"),
        Column("a", "In the scenarios of"),
        Column("b", "minus those of"),
        Column("difference", "Difference", "points"),
        Column("interval", "95 % interval", "interval-points"),
        Column("metrics", "metrics judged in both", "count"),
        Column("adjusted", "told apart", "yes"),
    )
    sentence = "Over the metrics judged in both profiles. A difference between scenarios, never an effect of age."
    return ReportTable("profiles", "Differences between profiles", sentence, columns, rows)


def correlations(numbers: Numbers) -> ReportTable:
    """How a benchmark orders the models against how all others do (paper, section 4.7), with the undefined ones."""
    found = numbers.sensitivity_of("benchmark-vs-rest")
    rows = [
        {
            "place": numbers.names.benchmarks.get(row["benchmark"], row["benchmark"]),
            "polarity": POLARITY_NAMES[row["polarity"]],
            "value": row["value"],
            "models": row["n"],
            "reason": row["reason"],
        }
        for row in found
    ]
    notes = [_summary_note(polarity, [r for r in found if r["polarity"] == polarity]) for polarity in POLARITIES]
    columns = (
        Column("place", "Benchmark"),
        Column("polarity", "Kind"),
        Column("value", "Spearman’s correlation", "number"),
        Column("models", "models", "count"),
        Column("reason", "Why there is none"),
    )
    sentence = (
        "Rank correlation over models of the rates on one benchmark and on all the others; average ranks for ties. "
        "So few models allow no useful interval, so none is given."
    )
    return ReportTable("correlations", "Benchmarks against the rest", sentence, columns, rows, [n for n in notes if n])


def consistency(numbers: Numbers) -> ReportTable:
    """For each model: whether it is strong on the same benchmarks in two profiles (paper, section 4.10)."""
    names = numbers.names
    found = numbers.sensitivity_of("profile-consistency")
    rows = [
        {
            "model": names.models.get(row["model"], row["model"]),
            "polarity": POLARITY_NAMES[row["polarity"]],
            "profiles": f"{names.profiles.get(row['profile_a'], row['profile_a'])}, "
            f"{names.profiles.get(row['profile_b'], row['profile_b'])}",
            "value": row["value"],
            "benchmarks": row["n"],
            "reason": row["reason"],
        }
        for row in found
    ]
    notes = [_summary_note(polarity, [r for r in found if r["polarity"] == polarity]) for polarity in POLARITIES]
    columns = (
        Column("model", "Model"),
        Column("polarity", "Kind"),
        Column("profiles", "Profiles"),
        Column("value", "Spearman’s correlation", "number"),
        Column("benchmarks", "benchmarks", "count"),
        Column("reason", "Why there is none"),
    )
    sentence = (
        "Rank correlation over benchmarks of a model’s rates in two profiles. The benchmarks were chosen, not drawn "
        "from many, so no interval is given."
    )
    return ReportTable("consistency", "Consistency between profiles", sentence, columns, rows, [n for n in notes if n])


def reversals(numbers: Numbers) -> ReportTable:
    """Pairs of models whose order turns round when one benchmark is left out (paper, section 5.1)."""
    pooled = by_key(numbers.results_of("overall"), "model", "polarity")
    without: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in numbers.sensitivity_of("leave-one-benchmark-out"):
        if row["value"] is not None:
            without[(row["benchmark"], row["polarity"])][row["model"]] = row["value"]
    rows: list[Row] = []
    covered = covered_models(numbers)
    looked_at = 0
    for pair in numbers.comparisons_of("model", "overall"):
        polarity, a, b = pair["polarity"], pair["a"], pair["b"]
        if pair["profile"] != "all" or not {a, b} <= covered[polarity]:
            continue
        looked_at += any(a in values and b in values for (_, of), values in without.items() if of == polarity)
        whole = pooled[(a, polarity)]["pass_rate"] - pooled[(b, polarity)]["pass_rate"]
        turned = [
            numbers.names.benchmarks.get(benchmark, benchmark)
            for (benchmark, of), values in sorted(without.items())
            if of == polarity and a in values and b in values and whole * (values[a] - values[b]) < 0
        ]
        if turned:
            models = numbers.names.models
            rows.append(
                {
                    "a": models.get(a, a),
                    "b": models.get(b, b),
                    "polarity": POLARITY_NAMES[polarity],
                    "difference": whole,
                    "interval": interval(pair),
                    "benchmarks": ", ".join(turned),
                    "n": len(turned),
                }
            )
    columns = (
        Column("a", "Model"),
        Column("b", "against"),
        Column("polarity", "Kind"),
        Column("difference", "Difference with all benchmarks", "points"),
        Column("interval", "95 % interval", "interval-points"),
        Column("n", "benchmarks that turn it round", "count"),
        Column("benchmarks", "Which"),
    )
    sentence = (
        "Each benchmark was left out in turn. A pair that is not listed keeps its order whichever one is left out."
    )
    notes = [f"Pairs that turn round: {len(rows):,} of {looked_at:,}."] if looked_at else []
    note = left_out_note(numbers) if looked_at else ""
    return ReportTable(
        "reversals", "Orders that hang on one benchmark", sentence, columns, rows, [*notes, note] if note else notes
    )


def _summary_note(polarity: str, rows: list[Row]) -> str:
    cells = summary_cells(row["value"] for row in rows)
    undefined = sum(row["value"] is None for row in rows)
    more = f" {undefined} undefined." if undefined else ""
    if not cells["n"]:
        return f"{POLARITY_NAMES[polarity]}: none is defined.{more}" if rows else ""
    return (
        f"{POLARITY_NAMES[polarity]}: from {cells['minimum']:.2f} to {cells['maximum']:.2f}, "
        f"median {cells['median']:.2f}, over {counted(cells['n'], 'value')}.{more}"
    )
