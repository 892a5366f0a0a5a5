"""The analysis of a study as tables for reading: every number with its n and its interval, or the reason why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.models import Study
from evaluation.studies.kinds import KINDS
from evaluation.studies.questions import Question

GROUP_WORDS = {"all": "All", "metric": "Metric", "benchmark": "Benchmark", "polarity": "Kind", "rater": "Rater"}
_POLARITY = {"positive": "Good behaviour", "negative": "Bad behaviour"}
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its heading, the words of its columns, and rows whose first cell is their name.

    `more` are the rows of single metrics, benchmarks and raters, which are many and shown on request.
    """

    slug: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    more: tuple[tuple[str, ...], ...] = ()


def analysis_tables(study: Study, data: Mapping[str, Any]) -> list[Table]:
    """All tables of an analysis by people; those without a row are left out."""
    asked = {question.key: question for form in KINDS[study.kind].forms.values() for question in form.questions}
    made = [
        *_by_question(data.get("scales", []), asked, _scale_table),
        *_by_question(data.get("choices", []), asked, _choice_table),
        *_by_question(data.get("agreement", []), asked, _agreement_table),
        _judge_table(data.get("judge", [])),
        _simulator_table(data.get("simulators", [])),
        _times_table(data.get("times", [])),
    ]
    return [table for table in made if table.rows]


def estimate_words(found: Mapping[str, Any] | None, *, is_share: bool = False) -> str:
    """'3.21 (2.90 to 3.50)' or, of a share, '62 in 100 (51 to 73)', and a caution; the reason if there is none."""
    if found is None:
        return NOTHING
    if found["value"] is None:
        return f"none: {found['reason']}" if found["reason"] else NOTHING
    words = _share(found["value"]) + " in 100" if is_share else f"{found['value']:.2f}"
    if found["low"] is None:
        return f"{words} ({found['reason']})" if found["reason"] else words
    ends = (_share(end) if is_share else f"{end:.2f}" for end in (found["low"], found["high"]))
    caution = f"; {found['reason']}" if found["reason"] else ""
    return f"{words} ({' to '.join(ends)}{caution})"


def group_words(row: Mapping[str, Any]) -> str:
    """The name of a row's group."""
    if row["by"] == "all":
        return "All"
    key = _POLARITY.get(row["key"], row["key"])
    return key if row["by"] in ("polarity", "rater") else f"{GROUP_WORDS[row['by']]} {key}"


def _whole_and_parts(
    rows: list[dict[str, Any]], cells: Callable[[dict[str, Any]], tuple[str, ...]]
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """The rows over everything and by kind of behaviour, and those of single metrics, benchmarks and raters."""
    whole = [row for row in rows if row["by"] in ("all", "polarity")]
    parts = [row for row in rows if row["by"] not in ("all", "polarity")]
    return tuple(map(cells, whole)), tuple(map(cells, parts))


def _share(value: float) -> str:
    return f"{round(100 * value)}"


def _by_question(rows: list[dict[str, Any]], asked: Mapping[str, Question], made: Any) -> list[Table]:
    keys = dict.fromkeys(row["question"] for row in rows)
    return [made(asked[key], [row for row in rows if row["question"] == key]) for key in keys]


def _scale_table(question: Question, rows: list[dict[str, Any]]) -> Table:
    return Table(
        f"scale-{question.key}",
        question.words,
        ("Group", "Ratings", "Items", "Mean (95 % interval)", "SD", "Share of 3 and 4"),
        *_whole_and_parts(
            rows,
            lambda row: (
                group_words(row),
                str(row["n"]),
                str(row["n_items"]),
                estimate_words(row["mean"]),
                NOTHING if row["sd"] is None else f"{row['sd']:.2f}",
                estimate_words(row["upper"], is_share=True),
            ),
        ),
    )


def _choice_table(question: Question, rows: list[dict[str, Any]]) -> Table:
    return Table(
        f"choice-{question.key}",
        question.words,
        ("Group", "Ratings", *(option.words for option in question.options)),
        *_whole_and_parts(
            rows,
            lambda row: (
                group_words(row),
                str(row["n"]),
                *(
                    f"{row['counts'][option.value]}: {estimate_words(row['shares'][option.value], is_share=True)}"
                    for option in question.options
                ),
            ),
        ),
    )


def _agreement_table(question: Question, rows: list[dict[str, Any]]) -> Table:
    return Table(
        f"agreement-{question.key}",
        f"Raters with each other: {question.words}",
        ("Group", "Items", "Ratings", "Raters", "Pairs that agree", "All agree", "Krippendorff’s alpha"),
        *_whole_and_parts(
            rows,
            lambda row: (
                group_words(row),
                str(row["n_items"]),
                str(row["n_ratings"]),
                str(row["n_raters"]),
                estimate_words(row["pairwise"], is_share=True),
                estimate_words(row["unanimity"], is_share=True),
                estimate_words(row["alpha"]),
            ),
        ),
    )


def _judge_table(rows: list[dict[str, Any]]) -> Table:
    return Table(
        "judge",
        "The judge beside the strict majority of the raters",
        (
            "Group",
            "Items",
            "Left out: no majority",
            "Left out: not judged",
            "Agreement",
            "Kappa",
            "Passed by raters and by the judge",
            "Failed by raters and by the judge",
        ),
        *_whole_and_parts(
            rows,
            lambda row: (
                group_words(row),
                str(row["n_items"]),
                str(row["n_without_majority"]),
                str(row["n_unjudged"]),
                estimate_words(row["agreement"], is_share=True),
                estimate_words(row["kappa"]),
                f"{estimate_words(row['sensitivity'], is_share=True)}, of {row['n_passed']}",
                f"{estimate_words(row['specificity'], is_share=True)}, of {row['n_failed']}",
            ),
        ),
    )


def _simulator_table(rows: list[dict[str, Any]]) -> Table:
    return Table(
        "simulators",
        "Simulated users",
        ("Simulated user", "Ratings", "Raters", "Scenarios", "Mean of z within raters", "Mean"),
        tuple(
            (
                row["simulator"],
                str(row["n"]),
                str(row["n_raters"]),
                str(row["n_scenarios"]),
                estimate_words(row["z"]),
                estimate_words(row["mean"]),
            )
            for row in rows
        ),
    )


def _times_table(rows: list[dict[str, Any]]) -> Table:
    return Table(
        "times",
        "Time taken",
        ("Rater", "Ratings", "Median", "In all"),
        tuple(
            (row["rater"] or "All", str(row["n"]), _minutes(row["median_seconds"]), _minutes(row["sum_seconds"]))
            for row in rows
        ),
    )


def _minutes(seconds: float | None) -> str:
    if seconds is None:
        return NOTHING
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
