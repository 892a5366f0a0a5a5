"""The analysis of a published study as tables for reading: every number with its n and its interval, or why not."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import Study
from evaluation.studies.kinds import KINDS
from evaluation.studies.questions import Question
from labels.study_words import caution_words, option_words, question_words
from labels.transcripts import visible
from labels.wording import NO_DATA, hundred

# The parts of an analysis in their order, with their headings; parts of a question get its words besides.
PARTS: dict[str, str | Promise] = {
    "judge": gettext_lazy("The judge beside the majority of the raters"),
    "repeatability": gettext_lazy("The judge asked again"),
    "scales": gettext_lazy("Marks"),
    "choices": gettext_lazy("Answers"),
    "agreement": gettext_lazy("How far they agree with each other"),
    "simulators": gettext_lazy("Simulated users"),
    "rates": gettext_lazy("What another judge would change"),
    "orders": gettext_lazy("The order of the models"),
    "conditions": gettext_lazy("Conditions"),
    "differences": gettext_lazy("Differences between conditions"),
    "changes": gettext_lazy("How often a verdict changes"),
}
# In the order in which columns stand; the database keeps none.
_COLUMNS: dict[str, str | Promise] = {
    "simulator": gettext_lazy("Simulated user"),
    "judge": gettext_lazy("Judge"),
    "measure": gettext_lazy("What was measured"),
    "condition": gettext_lazy("Condition"),
    "against": gettext_lazy("Beside"),
    "target": gettext_lazy("Model"),
    "kind": gettext_lazy("Who is compared"),
    "judge_a": gettext_lazy("First judge"),
    "judge_b": gettext_lazy("Second judge"),
    "coefficient_name": gettext_lazy("Coefficient"),
    "polarity": gettext_lazy("Kind"),
    "repeats": gettext_lazy("Times"),
    "n": gettext_lazy("Ratings"),
    "n_ratings": gettext_lazy("Ratings"),
    "n_raters": gettext_lazy("Raters"),
    "n_items": gettext_lazy("Items"),
    "n_metrics": gettext_lazy("Metrics"),
    "n_scenarios": gettext_lazy("Scenarios"),
    "n_conversations": gettext_lazy("Chats"),
    "n_complete": gettext_lazy("Chats with all readings"),
    "n_contexts": gettext_lazy("Scenarios with a model"),
    "n_targets": gettext_lazy("Models"),
    "n_pairs": gettext_lazy("Pairs"),
    "n_turned": gettext_lazy("Pairs turned round"),
    "n_without_majority": gettext_lazy("Without a majority"),
    "n_unjudged": gettext_lazy("Not judged"),
    "n_passed": gettext_lazy("Good outcome, say raters"),
    "n_failed": gettext_lazy("Bad outcome, say raters"),
    "mean": gettext_lazy("Mean"),
    "sd": gettext_lazy("Standard deviation"),
    "upper": gettext_lazy("Marks of 3 and 4, of 100"),
    "shares": gettext_lazy("Of 100 ratings"),
    "z": gettext_lazy("Mean, each rater’s severity taken out"),
    "pairwise": gettext_lazy("Pairs that agree, of 100"),
    "unanimity": gettext_lazy("All agree, of 100"),
    "alpha": gettext_lazy("Krippendorff’s alpha"),
    "agreement": gettext_lazy("Agreement, of 100"),
    "kappa": gettext_lazy("Kappa"),
    "coefficient": gettext_lazy("Agreement beyond chance"),
    "sensitivity": gettext_lazy("Good for the judge too, of 100"),
    "specificity": gettext_lazy("Bad for the judge too, of 100"),
    "changed": gettext_lazy("Verdicts not all alike, of 100"),
    "differ": gettext_lazy("Pairs that differ, of 100"),
    "value": gettext_lazy("Of 100"),
    "other": gettext_lazy("Beside it, of 100"),
    "difference": gettext_lazy("Difference, in points"),
    "spearman": gettext_lazy("How alike the orders are (Spearman)"),
}
_MEASURES: dict[str, str | Promise] = {
    "coverage": gettext_lazy("Objectives that the user covered"),
    "inconsistency": gettext_lazy("Pairs of repeats that cover other objectives"),
    "failures": gettext_lazy("Bad outcomes"),
    "pass rate": gettext_lazy("Good outcomes"),
}
_COMPARED: dict[str, str | Promise] = {
    "pair": gettext_lazy("Two judges"),
    "panel": gettext_lazy("All judges"),
    "judge-against-majority": gettext_lazy("One judge beside the others’ majority"),
}
_KINDS: dict[str | None, str | Promise] = {
    None: gettext_lazy("Both kinds"),
    "positive": gettext_lazy("Good behaviour"),
    "negative": gettext_lazy("Harmful behaviour"),
}
_SHARES = {
    "value",
    "other",
    "difference",
    "upper",
    "pairwise",
    "unanimity",
    "agreement",
    "sensitivity",
    "specificity",
    "changed",
    "differ",
}
# Groups of which there are many.
_SINGLE = ("metric", "benchmark")
# Said elsewhere on the page, or told by another column.
_LEFT_OUT = {"by", "key", "question", "counts", "level", "ci_method", "n_draws", "profile", "reason"}


@dataclass(frozen=True)
class StudyTable:
    """One table: an anchor, its heading, its columns, and rows whose first cell is their name.

    `more` are rows of single metrics and benchmarks, which are many and shown on request.
    """

    slug: str
    title: str
    columns: list[str]
    rows: list[list[str]]
    more: list[list[str]] = field(default_factory=list)


def study_tables(study: Study, analysis: Mapping[str, Any]) -> list[StudyTable]:
    """All tables of a public analysis, the judge's first; parts without a row are left out."""
    asked = {question.key: question for form in KINDS[study.kind].forms.values() for question in form.questions}
    tables = [table for part in PARTS for table in _tables(part, analysis.get(part) or [], asked)]
    return [*tables, *_by_metric(analysis.get("by_metric") or {})]


def estimate(found: Mapping[str, Any] | None, *, is_share: bool = False) -> str:
    """'3.21 (2.90 to 3.50)' or, of a share, '62 (51 to 73)', with its caution; the reason where it does not exist."""
    if found is None or not isinstance(found.get("value"), int | float):
        return str((found or {}).get("reason") or NO_DATA)
    value = _figure(found["value"], is_share=is_share)
    said = caution_words(found.get("reason") or "")
    if found.get("low") is None:
        words = _("%(value)s, no range: %(reason)s") if said else _("%(value)s, no range")
        return words % {"value": value, "reason": said}
    ends = {name: _figure(found[name], is_share=is_share) for name in ("low", "high")}
    words = _("%(value)s (%(low)s to %(high)s; %(caution)s)") if said else _("%(value)s (%(low)s to %(high)s)")
    return words % {"value": value, **ends, "caution": said}


def group_name(row: Mapping[str, Any]) -> str:
    """The name of the group that a row is about."""
    if row.get("by") == "all":
        return _("All")
    return str(_KINDS.get(row["key"]) or visible(row["key"]))


def kind_words(polarity: str | None) -> str:
    """The kind of behaviour."""
    return str(_KINDS.get(polarity) or visible(polarity))


def _by_metric(found: Mapping[str, Any]) -> Iterator[StudyTable]:
    """What single metrics have of a study by machine: of each the row over everything."""
    for part in ("repeatability", "changes"):
        of_part = [(metric, rows[part][0]) for metric, rows in sorted(found.items()) if rows.get(part)]
        if of_part:
            grouped = [{"by": "metric", "key": metric, **row} for metric, row in of_part]
            title = _("%(what)s, by metric") % {"what": PARTS[part]}
            yield _table(f"{part}-metrics", title, grouped, {})


def _tables(part: str, rows: list[dict[str, Any]], asked: Mapping[str, Question]) -> Iterator[StudyTable]:
    rows = [_flat(row) for row in rows if not _mixes_kinds(row)]
    keys = dict.fromkeys(row.get("question") for row in rows)
    for key in keys:
        question = asked.get(key or "")
        title = f"{PARTS[part]}: {question_words(question)}" if question else str(PARTS[part])
        of_key = _telling([row for row in rows if row.get("question") == key])
        yield _table(f"{part}-{key}" if key else part, title, of_key, asked)


def _mixes_kinds(row: Mapping[str, Any]) -> bool:
    """Good outcomes of both kinds of behaviour are never added."""
    return row.get("measure") in ("failures", "pass rate") and row.get("polarity") is None


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A change stands in its row as a record of its own; judges’ agreement has its ranges in columns beside it."""
    found = {**row.get("change", {}), **{name: row[name] for name in row if name != "change"}}
    if "agreement_ci_low" not in row:
        return found
    ranges = {"agreement": "agreement_ci", "coefficient": "ci"}
    for name, end in ranges.items():
        low, high = found.pop(f"{end}_low"), found.pop(f"{end}_high")
        found[name] = {"value": found[name], "low": low, "high": high, "reason": found["reason"]}
    return {**found, "n_conversations": found.pop("n")}


def _table(slug: str, title: str, rows: list[dict[str, Any]], asked: Mapping[str, Question]) -> StudyTable:
    names = sorted((name for name in rows[0] if name not in _LEFT_OUT), key=_place)
    grouped = "by" in rows[0]
    columns = [str(_COLUMNS.get(name, name.replace("_", " ").capitalize())) for name in names]
    cells = [[_cell(name, row, asked) for name in names] for row in rows]
    if grouped:
        columns = [_("Group"), *columns]
        cells = [[group_name(row), *of] for row, of in zip(rows, cells, strict=True)]
    is_more = [row.get("by") in _SINGLE and not slug.endswith("-metrics") for row in rows]
    whole, more = (
        [cell for cell, single in zip(cells, is_more, strict=True) if single is wanted] for wanted in (False, True)
    )
    return StudyTable(slug, title, columns, whole, more)


def _name(column: str, value: str | None) -> str:
    if column == "polarity":
        return kind_words(value)
    if column == "kind":
        return str(_COMPARED.get(value or "") or visible(value))
    if column == "measure":
        return str(_MEASURES.get(value or "") or visible(value))
    return _("All") if value is None else visible(value)


def _place(name: str) -> tuple[int, str]:
    """Known columns in their order, then others by name."""
    known = list(_COLUMNS)
    return (known.index(name), "") if name in known else (len(known), name)


def _telling(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without groupings of one group: it is the same as all."""
    groups = Counter(row.get("by") for row in rows)
    return [row for row in rows if row.get("by") in (None, "all") or groups[row["by"]] > 1]


def _cell(name: str, row: Mapping[str, Any], asked: Mapping[str, Question]) -> str:
    value = row.get(name)
    if name in ("measure", "polarity", "target", "judge", "kind"):
        return _name(name, value)
    if name == "shares" and isinstance(value, dict):
        options = {option.value: option_words(option) for option in asked[row["question"]].options}
        return "; ".join(f"{options[key]}: {estimate(one, is_share=True)}" for key, one in value.items())
    if isinstance(value, dict) and "value" in value:
        return estimate(value, is_share=name in _SHARES)
    if isinstance(value, float):
        return _figure(value, is_share=name in _SHARES)
    if isinstance(value, dict | list):
        return "; ".join(f"{key}: {visible(str(one))}" for key, one in _pairs(value))
    return NO_DATA if value is None else visible(str(value))


def _pairs(value: dict[str, Any] | list[Any]) -> list[tuple[object, object]]:
    found = value.items() if isinstance(value, dict) else enumerate(value, start=1)
    return [(key, estimate(one) if isinstance(one, dict) and "value" in one else one) for key, one in found]


def _figure(value: float, *, is_share: bool) -> str:
    if not is_share:
        return f"{value:.2f}"
    return hundred(value) if value >= 0 else f"\N{MINUS SIGN}{hundred(-value)}"
