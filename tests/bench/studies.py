"""Every number of an exported study by people computed once more, in plain Python and in another way.

    python -m tests.bench.studies study.json

reads what `/studies/ID/` exports as JSON, and compares its frozen analysis with the ratings and items beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import isclose
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

Key = tuple[str, str, str, str, str]
Row = dict[str, Any]

# Questions whose answers have an order.
MARKS = ("quality", "realism", "pressure", "justification", "relevance", "confidence", "realism_10")
SEVERAL = ("influences",)
CHOICES = (
    "verdict",
    "outcome",
    "plausible",
    "tests_metric",
    "difficulty",
    "label_change",
    "examples",
    "coverage",
    "suffices",
)


def numbers_of(export: Mapping[str, Any]) -> dict[Key, float | None]:
    """Each number by (part, question, by, key, name), from the ratings and items alone."""
    items = {item["item"]: item for item in export["items"]}
    said = [
        {**items[rating["item"]], "rater": rating["rater"], "question": question, "value": value}
        for rating in export["ratings"]
        for question, value in rating["answers"].items()
    ]
    found: dict[Key, float | None] = {}
    for question in (*MARKS, *CHOICES, *SEVERAL):
        asked = [row for row in said if row["question"] == question]
        for by, key, rows in _groups(asked):
            for part, name, value in _numbers(question, by, rows):
                found[part, question, by, key, name] = value
    if export["kind"] == "simulator-selection":
        found |= {("simulators", "", "", name, "z"): z for name, z in _scores(said).items()}
    return found


def reported(analysis: Mapping[str, Any]) -> dict[Key, float | None]:
    """The same numbers as the analysis has them."""
    found: dict[Key, float | None] = {}
    for row in analysis["scales"]:
        for name, value in (("mean", row["mean"]["value"]), ("sd", row["sd"]), ("n", row["n"])):
            found["scales", row["question"], row["by"], row["key"], name] = value
        if row["upper"] is not None:
            found["scales", row["question"], row["by"], row["key"], "upper"] = row["upper"]["value"]
    for row in analysis["choices"]:
        for name, share in row["shares"].items():
            found["choices", row["question"], row["by"], row["key"], name] = share["value"]
    for row in analysis["agreement"]:
        for name in ("pairwise", "unanimity", "alpha"):
            found["agreement", row["question"], row["by"], row["key"], name] = row[name]["value"]
    for row in analysis["judge"]:
        for name in ("agreement", "kappa", "sensitivity", "specificity"):
            found["judge", "outcome", row["by"], row["key"], name] = row[name]["value"]
        found["judge", "outcome", row["by"], row["key"], "left out"] = row["n_without_majority"]
    for row in analysis["simulators"]:
        found["simulators", "", "", row["simulator"], "z"] = row["z"]["value"]
    return found


def differences(export: Mapping[str, Any]) -> list[str]:
    """A sentence for each number that the two computations do not agree on. A share of 0 need not be reported."""
    one, other = numbers_of(export), reported(export["analysis"])
    wrong = []
    for key in sorted(set(one) | set(other)):
        a, b = one.get(key), other.get(key)
        is_unused = key[0] == "choices" and key not in one and b == 0
        is_same = a == b or (a is not None and b is not None and isclose(a, b, abs_tol=1e-9))
        if not (is_same or is_unused):
            wrong.append(f"{' / '.join(part for part in key if part)}: {a} here, {b} in the analysis")
    return wrong


def _groups(rows: Sequence[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    if rows:
        yield "all", "", list(rows)
    for by in ("metric", "benchmark", "polarity", "rater"):
        parts: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            parts[row[by]].append(row)
        for key, part in parts.items():
            yield by, key, part


def _numbers(question: str, by: str, rows: Sequence[Row]) -> Iterator[tuple[str, str, float | None]]:
    values = [row["value"] for row in rows]
    if question in MARKS:
        yield "scales", "mean", fmean(values)
        yield "scales", "sd", stdev(values) if len(values) > 1 else None
        yield "scales", "n", len(values)
        if question != "realism_10":
            yield "scales", "upper", sum(value in (3, 4) for value in values) / len(values)
    else:
        chosen = Counter(one for value in values for one in (value if isinstance(value, list) else [value]))
        for value, n in chosen.items():
            yield "choices", value, n / len(values)
    if by != "rater" and question not in SEVERAL:
        units = [unit for unit in _by_item(rows).values() if len(unit) > 1]
        if units:
            for name, number in _agreement(units, is_ordered=question in MARKS):
                yield "agreement", name, number
    if question == "outcome":
        for name, number in _judge(rows):
            yield "judge", name, number


def _by_item(rows: Sequence[Row]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        found[row["item"]].append(row["value"])
    return found


def _agreement(units: Sequence[Sequence[Any]], *, is_ordered: bool) -> Iterator[tuple[str, float | None]]:
    yield "pairwise", fmean(fmean(a == b for a, b in combinations(unit, 2)) for unit in units)
    yield "unanimity", fmean(len(set(unit)) == 1 for unit in units)
    yield "alpha", _alpha(units, is_ordered=is_ordered)


def _alpha(units: Sequence[Sequence[Any]], *, is_ordered: bool) -> float | None:
    """Krippendorff's alpha from differences of pairs: those within units beside those of all values."""
    values = [value for unit in units for value in unit]
    n_of = Counter(values)

    def difference(a: Any, b: Any) -> float:
        if not is_ordered:
            return float(a != b)
        low, high = min(a, b), max(a, b)
        between = sum(n for value, n in n_of.items() if low <= value <= high)
        return (between - (n_of[low] + n_of[high]) / 2) ** 2 if low != high else 0.0

    within = sum(sum(difference(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units)
    everywhere = sum(n_of[a] * n_of[b] * difference(a, b) for a in n_of for b in n_of) / (len(values) - 1)
    return 1 - within / everywhere if everywhere else None


def _judge(rows: Sequence[Row]) -> Iterator[tuple[str, float | None]]:
    judged = {row["item"]: row["judged_passed"] for row in rows}
    table: Counter[tuple[bool, bool]] = Counter()
    left_out = 0
    for item, given in _by_item(rows).items():
        side = next((side for side in ("pass", "fail") if given.count(side) > len(given) / 2), None)
        if side is None:
            left_out += 1
        elif judged[item] is not None:
            table[bool(judged[item]), side == "pass"] += 1
    n = table.total()
    right = table[True, True] + table[False, False]
    by_judge, by_raters = table[True, True] + table[True, False], table[True, True] + table[False, True]
    chance = by_judge * by_raters + (n - by_judge) * (n - by_raters)
    yield "agreement", right / n if n else None
    yield "kappa", (n * right - chance) / (n * n - chance) if n * n > chance else None
    yield "sensitivity", table[True, True] / by_raters if by_raters else None
    yield "specificity", table[False, False] / (n - by_raters) if n > by_raters else None
    yield "left out", left_out


def _scores(said: Sequence[Row]) -> dict[str, float | None]:
    marks: dict[str, list[int]] = defaultdict(list)
    asked = [row for row in said if row["question"] == "realism_10"]
    for row in asked:
        marks[row["rater"]].append(row["value"])
    z: dict[str, list[float]] = {row["target"]: [] for row in asked}
    for row in asked:
        own = marks[row["rater"]]
        if len(set(own)) > 1:
            z[row["target"]].append((row["value"] - fmean(own)) / stdev(own))
    return {target: fmean(values) if values else None for target, values in z.items()}


def main() -> int:
    """Compares one export and says what differs; exit 1 where something does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export", type=Path)
    export = json.loads(parser.parse_args().export.read_text(encoding="utf-8"))
    if not export.get("analysis"):
        sys.stderr.write("This study has no frozen analysis yet: close it first.\n")
        return 2
    wrong = differences(export)
    same = f"{len(numbers_of(export))} numbers are the same in both computations."
    sys.stdout.write("\n".join(wrong or [same]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
