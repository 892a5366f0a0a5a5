"""The parts of a metric version: the wording that judges rely on, which never changes, and what merely goes with it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from evaluation.importers.formats.types import MetricFile

# What a database trigger freezes as well; another wording is another version.
WORDING = (
    "name",
    "polarity",
    "definition",
    "judge_question",
    "interpretive_clause",
    "examples_present",
    "examples_absent",
)
# What may be corrected in place: no verdict depends on it.
COMPANIONS = ("rationale", "citations", "plain_name", "plain_definition")


def version_fields(metric: MetricFile) -> dict[str, Any]:
    """The columns of a MetricVersion that a file states."""
    return {
        "name": metric.name,
        "polarity": metric.polarity,
        "definition": metric.definition,
        "judge_question": metric.judge_question or "",
        "interpretive_clause": metric.interpretive_clause or "",
        "examples_present": list(metric.examples_present),
        "examples_absent": list(metric.examples_absent),
        "rationale": metric.rationale or "",
        "citations": list(metric.citations),
        "plain_name": metric.plain_name or "",
        "plain_definition": metric.plain_definition or "",
    }


def content_hash(fields: Mapping[str, Any]) -> str:
    """sha256 over the wording in `fields` (columns of a MetricVersion; missing ones count as empty)."""
    wording = {name: fields.get(name) or None for name in WORDING}
    text = json.dumps(wording, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
