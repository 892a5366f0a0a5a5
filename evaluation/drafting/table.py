"""What became of every draft, as rows for the methods section of a paper."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import Any

from evaluation.drafting.missing_variants import DRAFTED_FROM
from evaluation.models import Benchmark, GeneratedDraft

COLUMNS = (
    "id", "kind", "benchmark", "metric", "metric_version", "number", "profile", "based_on", "model", "prompt_hash",
    "drafted_at", "was_repaired", "state", "reason", "merged_into", "decided_by", "decided_at", "became", "flags",
    "written", "content", "difference",
)  # fmt: skip


def rows_of_drafts(benchmark: Benchmark) -> Iterator[dict[str, Any]]:
    """One row for each draft, in a fixed order, with what was written, what it says now and the lines that differ.

    People are named as `account 17`, never by name or address.
    """
    drafts = GeneratedDraft.objects.filter(benchmark=benchmark).select_related(
        "question__language_model", "metric_version__metric", "profile", "decided_by",
        "base_scenario__metric_version__metric__benchmark",
    )  # fmt: skip
    for draft in drafts:
        version, question = draft.metric_version, draft.question
        yield {
            "id": draft.pk,
            "kind": draft.kind,
            "benchmark": benchmark.slug,
            "metric": version.metric.slug if version else "",
            "metric_version": version.number if version else None,
            "number": draft.number,
            "profile": draft.profile.slug if draft.profile else "",
            "based_on": based_on(draft),
            "model": question.language_model.slug,
            "prompt_hash": question.prompt_hash,
            "drafted_at": question.asked_at.isoformat(),
            "was_repaired": question.outcome == "repaired",
            "state": draft.state,
            "reason": draft.reason,
            "merged_into": draft.merged_into_id,
            "decided_by": str(draft.decided_by) if draft.decided_by else "",
            "decided_at": draft.decided_at.isoformat() if draft.decided_at else "",
            "became": draft.became,
            "flags": draft.flags,
            "written": draft.written,
            "content": draft.content,
            "difference": "\n".join(difference(draft.written, draft.content)),
        }


def based_on(draft: GeneratedDraft) -> str:
    """What a variant was drafted from: the draft of its base, or a scenario that was there; nothing for all else."""
    if draft.base_scenario is not None:
        slug = draft.content[DRAFTED_FROM]
        return f"{draft.base_scenario} for {slug}" if slug else str(draft.base_scenario)
    return f"draft {draft.base_id}" if draft.base_id else ""


def csv_rows(benchmark: Benchmark) -> Iterator[list[object]]:
    """The same rows for a CSV file, in the order of `COLUMNS`; lists and contents are JSON."""
    for row in rows_of_drafts(benchmark):
        yield [_cell(row[name]) for name in COLUMNS]


def difference(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The lines that differ, '-' before those of the model and '+' before those of the person; empty without any."""
    lines = difflib.unified_diff(_lines(before), _lines(after), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _lines(content: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for name, value in content.items():
        items = value if isinstance(value, list) else [value]
        found += [
            f"{name}: {item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)}" for item in items
        ]
    return found
