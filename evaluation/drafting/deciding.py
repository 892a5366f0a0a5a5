"""What people decide about drafts: keep, revise, merge, remove, and take that back until a draft was taken over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from evaluation.drafting.briefs import base_draft
from evaluation.drafting.missing_variants import drafts_beside
from evaluation.engine.parsing import ReplyError, clean_values
from evaluation.generation.base_scenarios import read_anchors, read_base
from evaluation.generation.clauses import read_clause
from evaluation.generation.metrics import read_metric
from evaluation.generation.review_flags import flags_of_base
from evaluation.models import GeneratedDraft
from evaluation.plans import MOST_TURNS
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

LONGEST_REASON = 500
Kind, State = GeneratedDraft.Kind, GeneratedDraft.State
STANDING = (State.KEPT, State.REVISED)


@transaction.atomic
def keep(draft: GeneratedDraft, *, actor: Any) -> GeneratedDraft:
    """Stand by a draft as it reads now. Raises DomainError once it was taken over."""
    row = _held(draft)
    return _decide(row, State.KEPT if row.content == row.written else State.REVISED, actor)


@transaction.atomic
def revise(draft: GeneratedDraft, content: Mapping[str, Any], *, actor: Any) -> GeneratedDraft:
    """Stand by a draft in other words; those of the model are kept beside them. `content` may be a part of it.

    Raises DomainError where the words cannot be used, by the same rules as a model's, or once it was taken over.
    """
    row = _held(draft)
    changed = usable_content(row, content)
    row.content = changed
    if row.kind == Kind.SCENARIO:
        row.flags = flags_of_base(base_draft(changed))
    return _decide(row, State.KEPT if changed == row.written else State.REVISED, actor)


def usable_content(row: GeneratedDraft, content: Mapping[str, Any], *, act: str = "kept") -> dict[str, Any]:
    """The draft's content with these parts of it changed. Raises DomainError where it cannot be `act`."""
    unknown = sorted(set(content) - set(row.written))
    if unknown:
        raise DomainError(f"A draft of this kind has no {', '.join(unknown)}.")
    changed = clean_values({**row.content, **content})
    try:
        _refuse_unusable(row, changed)
    except ReplyError as problem:
        raise DomainError(f"This cannot be {act}: {problem}.") from problem
    return changed


def refuse_taken_over(row: GeneratedDraft) -> None:
    """Raises DomainError once a draft was taken over."""
    if row.became:
        raise DomainError(f"This draft was taken over already: it is {row.became}.")


@transaction.atomic
def remove(draft: GeneratedDraft, *, reason: str, actor: Any) -> GeneratedDraft:
    """Leave a draft out, with the reason that the table of drafts gives. A base's variants go with it."""
    words = " ".join(reason.split())[:LONGEST_REASON]
    if not words:
        raise DomainError("Say in a few words why it is removed. The table of drafts tells it.")
    row = _held(draft)
    for variant in row.variants.exclude(state=State.REMOVED):
        _decide(_held(variant), State.REMOVED, actor, reason=f"its base was removed: {words}"[:LONGEST_REASON])
    return _decide(row, State.REMOVED, actor, reason=words)


@transaction.atomic
def merge(draft: GeneratedDraft, into: GeneratedDraft, *, actor: Any) -> GeneratedDraft:
    """Leave a draft out because another one of its kind and benchmark says what it said. A base's variants go too."""
    row, other = _held(draft), _held(into)
    if row.pk == other.pk or (row.kind, row.benchmark_id) != (other.kind, other.benchmark_id):
        raise DomainError("Choose another draft of the same kind and benchmark to merge into.")
    if other.state in (State.REMOVED, State.MERGED):
        raise DomainError("The draft to merge into is left out itself. Choose one that stays.")
    for variant in row.variants.exclude(state=State.REMOVED):
        _decide(_held(variant), State.REMOVED, actor, reason="its base was merged into another one")
    return _decide(row, State.MERGED, actor, merged_into=other)


@transaction.atomic
def reopen(draft: GeneratedDraft, *, actor: Any) -> GeneratedDraft:
    """Take a decision back, the words with it; DomainError where another draft took its place meanwhile."""
    row = _held(draft)
    taken = GeneratedDraft.objects.filter(kind=row.kind, metric_version=row.metric_version).exclude(pk=row.pk)
    if row.kind == Kind.CLAUSE and taken.exclude(state__in=[State.REMOVED, State.MERGED]).exists():
        raise DomainError("There is another draft of this clause by now. Remove that one first.")
    if row.kind == Kind.VARIANT and _beside(row).exclude(pk=row.pk).exclude(state=State.REMOVED).exists():
        raise DomainError("There is another draft of this variant by now. Remove that one first.")
    row.content, row.decided_by, row.decided_at = row.written, None, None
    row.state, row.reason, row.merged_into = State.PROPOSED, "", None
    row.save()
    record(actor=actor, action="draft-reopened", target=row)
    return row


def _beside(row: GeneratedDraft) -> QuerySet[GeneratedDraft]:
    """The drafts of the same variant."""
    if row.base_scenario is not None:
        return drafts_beside(row.base_scenario, row.profile).filter(became="")
    return GeneratedDraft.objects.filter(kind=Kind.VARIANT, base=row.base, profile=row.profile)


def _held(draft: GeneratedDraft) -> GeneratedDraft:
    row = GeneratedDraft.objects.select_for_update(of=("self",)).select_related("base").get(pk=draft.pk)
    refuse_taken_over(row)
    return row


def _decide(
    row: GeneratedDraft, state: str, actor: Any, *, reason: str = "", merged_into: GeneratedDraft | None = None
) -> GeneratedDraft:
    row.state, row.reason, row.merged_into = state, reason, merged_into
    row.decided_by, row.decided_at = actor, timezone.now()
    row.save()
    record(actor=actor, action=f"draft-{state}", target=row)
    return row


def _refuse_unusable(row: GeneratedDraft, content: dict[str, Any]) -> None:
    if row.kind == Kind.SCENARIO:
        read_base({**content, "user_goal": content["goal"]}, row.number, MOST_TURNS)
    elif row.kind == Kind.VARIANT:
        read_anchors(content["anchors"], MOST_TURNS, "")
        if not str(content["persona"]).strip():
            raise ReplyError("the persona says nothing")
    elif row.kind == Kind.CLAUSE:
        read_clause(content)
    else:
        read_metric(content, row.number, 0)
