"""Verdict tables for tests of the statistics, built from short lines."""

import pandas as pd

COLUMNS = ["conversation", "benchmark", "metric", "polarity", "model", "profile", "ended", "present", "reason"]


def verdict_table(*lines: str) -> pd.DataFrame:
    """One line 'metric polarity model profile marks' for several conversations.

    `metric` is '<benchmark>/<local id>', `polarity` is + - or ?, and each mark is one conversation: y present,
    n absent, u unjudged ('judge-empty'), s unjudged ('split'), p planned but not ended.
    """
    rows: list[tuple[object, ...]] = []
    for line in lines:
        metric, sign, model, profile, marks = line.split()
        polarity = {"+": "positive", "-": "negative", "?": None}[sign]
        for mark in marks:
            present = {"y": True, "n": False}.get(mark)
            reason = {"u": "judge-empty", "s": "split"}.get(mark, "")
            benchmark = metric.split("/")[0]
            rows.append((len(rows), benchmark, metric, polarity, model, profile, mark != "p", present, reason))
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.astype({"present": "boolean", "ended": "bool", "polarity": "object"})
