"""What an editor wrote at the import desk, as values: the rows of a page, and what all rows share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from submissions.content import MOST_ITEMS, text_of
from submissions.import_text import RowText, Shared
from submissions.models import DraftRow
from submissions.services.draft_rows import Edit

_TEXTS = ("name", "definition", "construct", "question", "hard_cases")


def edits_in(data: QueryDict, rows: Iterable[DraftRow]) -> dict[int, Edit]:
    """What was written into these rows, by their keys; rows that the form did not show are left out."""
    return {row.pk: _edit(data, row) for row in rows if f"version-{row.pk}" in data}


def shared_in(data: QueryDict) -> Shared | None:
    """What all rows share, or None where the form did not show it."""
    if "shared" not in data:
        return None
    texts = {name: text_of(data.get(name)).strip() for name in ("relevance", "reference", "link", "credit", "licence")}
    subareas = tuple(text_of(slug) for slug in data.getlist("subareas")[:MOST_ITEMS])
    return Shared(subareas=subareas, may_share="may_share" in data, **texts)


def _edit(data: QueryDict, row: DraftRow) -> Edit:
    before = RowText.from_json(row.content)
    texts: dict[str, Any] = {
        name: text_of(data.get(f"{name}-{row.pk}", getattr(before, name))).strip() for name in _TEXTS
    }
    polarity = data.get(f"polarity-{row.pk}", "")
    scenario = data.get(f"scenario-{row.pk}", before.scenario)
    text = replace(
        before,
        **texts,
        polarity=polarity if polarity in ("positive", "negative") else "",
        scenario=scenario if scenario in row.read.get("scenarios", ()) else "",
        examples_present=_examples(data, f"present-{row.pk}"),
        examples_absent=_examples(data, f"absent-{row.pk}"),
    )
    version = data.get(f"version-{row.pk}", "")
    return Edit(int(version) if version.isascii() and version.isdigit() else 0, text, f"ok-{row.pk}" in data)


def _examples(data: QueryDict, name: str) -> tuple[str, ...]:
    written = (text_of(text).strip() for text in data.getlist(name)[:MOST_ITEMS])
    return tuple(text for text in written if text)
