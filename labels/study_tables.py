"""The analysis of a published study as tables for reading: every number with its n and its interval, or why not."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import Study
from evaluation.studies.kinds import KINDS
from evaluation.studies.questions import Question
from labels.study_words import option_words, question_words
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
    "condition": gettext_lazy("Condition"),
    "target": gettext_lazy("Model"),
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
    "sensitivity": gettext_lazy("Good for the judge too, of 100"),
    "specificity": gettext_lazy("Bad for the judge too, of 100"),
    "changed": gettext_lazy("Verdicts not all alike, of 100"),
    "differ": gettext_lazy("Pairs that differ, of 100"),
}
_SHARES = {"upper", "pairwise", "unanimity", "agreement", "sensitivity", "specificity", "changed", "differ"}
# Said elsewhere on the page, or told by another column.
_LEFT_OUT = {"by", "key", "question", "counts", "level", "ci_method", "n_draws", "profile"}


@dataclass(frozen=True)
class StudyTable:
    """One table: an anchor, its heading, its columns, and rows whose first cell is their name."""

    slug: str
    title: str
    columns: list[str]
    rows: list[list[str]]


def study_tables(study: Study, analysis: Mapping[str, Any]) -> list[StudyTable]:
    """All tables of a public analysis, the judge's first; parts without a row are left out."""
    asked = {question.key: question for form in KINDS[study.kind].forms.values() for question in form.questions}
    return [table for part in PARTS for table in _tables(part, analysis.get(part) or [], asked)]


def estimate(found: Mapping[str, Any] | None, *, is_share: bool = False) -> str:
    """'3.21 (2.90 to 3.50)' or, of a share, '62 (51 to 73)'; the reason where it does not exist."""
    if found is None or found.get("value") is None:
        return str((found or {}).get("reason") or NO_DATA)
    value = _figure(found["value"], is_share=is_share)
    if found.get("low") is None:
        return _("%(value)s, no range") % {"value": value}
    ends = {name: _figure(found[name], is_share=is_share) for name in ("low", "high")}
    return _("%(value)s (%(low)s to %(high)s)") % {"value": value, **ends}


def group_name(row: Mapping[str, Any]) -> str:
    """The name of the group that a row is about."""
    names = {"positive": _("Good behaviour"), "negative": _("Harmful behaviour")}
    if row.get("by") == "all":
        return _("All")
    return names.get(row["key"], visible(row["key"]))


def _tables(part: str, rows: list[dict[str, Any]], asked: Mapping[str, Question]) -> Iterator[StudyTable]:
    keys = dict.fromkeys(row.get("question") for row in rows)
    for key in keys:
        question = asked.get(key or "")
        title = f"{PARTS[part]}: {question_words(question)}" if question else str(PARTS[part])
        of_key = _telling([row for row in rows if row.get("question") == key])
        yield _table(f"{part}-{key}" if key else part, title, of_key, asked)


def _table(slug: str, title: str, rows: list[dict[str, Any]], asked: Mapping[str, Question]) -> StudyTable:
    names = sorted((name for name in rows[0] if name not in _LEFT_OUT), key=_place)
    grouped = "by" in rows[0]
    columns = [str(_COLUMNS.get(name, name.replace("_", " ").capitalize())) for name in names]
    cells = [[_cell(name, row, asked) for name in names] for row in rows]
    if grouped:
        columns = [_("Group"), *columns]
        cells = [[group_name(row), *of] for row, of in zip(rows, cells, strict=True)]
    return StudyTable(slug, title, columns, cells)


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
    if name == "shares" and isinstance(value, dict):
        options = {option.value: option_words(option) for option in asked[row["question"]].options}
        return "; ".join(f"{options[key]}: {estimate(one, is_share=True)}" for key, one in value.items())
    if isinstance(value, dict) and "value" in value:
        return estimate(value, is_share=name in _SHARES)
    if isinstance(value, float):
        return _figure(value, is_share=False)
    if isinstance(value, dict | list):
        return "; ".join(f"{key}: {visible(str(one))}" for key, one in _pairs(value))
    return NO_DATA if value is None else visible(str(value))


def _pairs(value: dict[str, Any] | list[Any]) -> list[tuple[object, object]]:
    found = value.items() if isinstance(value, dict) else enumerate(value, start=1)
    return [(key, estimate(one) if isinstance(one, dict) and "value" in one else one) for key, one in found]


def _figure(value: float, *, is_share: bool) -> str:
    return hundred(value) if is_share else f"{value:.2f}"
