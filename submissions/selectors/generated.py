"""What language models drafted, for the editors who decide on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from evaluation.drafting.fields import FIELDS, texts_of
from evaluation.drafting.table import difference
from evaluation.models import Benchmark, GeneratedDraft
from submissions.advice.worddiff import Segment, diff

PAGE = 10
Kind, State = GeneratedDraft.Kind, GeneratedDraft.State
# What the address asks for: its states, and its name for people.
VIEWS: dict[str, tuple[tuple[str, ...], str]] = {
    "open": ((State.PROPOSED,), "To decide"),
    "kept": ((State.KEPT, State.REVISED), "Kept"),
    "out": ((State.REMOVED, State.MERGED), "Left out"),
}


@dataclass(frozen=True, slots=True)
class ShownDraft:
    """A draft as a page shows it: its fields as (name for people, text), and the lines that a person changed.

    The text of a variant is in pieces: what its base does not say is `added`, all else is `same`.
    """

    row: GeneratedDraft
    fields: tuple[tuple[str, tuple[Segment, ...]], ...]
    changed: tuple[str, ...]
    variants: tuple[ShownDraft, ...] = ()


def benchmarks_with_drafts() -> QuerySet[Benchmark]:
    """Benchmarks for which anything was drafted, with how many drafts there are and wait."""
    drafts = Benchmark.objects.annotate(
        n_drafts=Count("generated_drafts"),
        n_open=Count("generated_drafts", filter=Q(generated_drafts__state=State.PROPOSED)),
        n_standing=Count(
            "generated_drafts",
            filter=Q(generated_drafts__state__in=[State.KEPT, State.REVISED], generated_drafts__became=""),
        ),
    )
    return drafts.filter(n_drafts__gt=0).order_by("name", "slug")


def drafts_of(benchmark: Benchmark, view: str) -> QuerySet[GeneratedDraft]:
    """Metrics, clauses and base scenarios of a view; a base is open as long as it or any variant of it is."""
    states = VIEWS[view][0]
    tops = GeneratedDraft.objects.filter(benchmark=benchmark).exclude(kind=Kind.VARIANT)
    if view == "open":
        waits = Q(variants__state=State.PROPOSED) & ~Q(state__in=[State.REMOVED, State.MERGED])
        tops = tops.filter(Q(state__in=states) | waits).distinct()
    else:
        tops = tops.filter(state__in=states)
    variants = GeneratedDraft.objects.select_related("profile", "decided_by").order_by("profile__order", "pk")
    return tops.select_related("metric_version__metric", "decided_by", "merged_into").prefetch_related(
        Prefetch("variants", queryset=variants)
    )


def shown(row: GeneratedDraft, base: GeneratedDraft | None = None) -> ShownDraft:
    """A draft with its variants, for a page; `base` is what a variant is compared with."""
    before = texts_of(base.kind, base.content) if base else {}
    texts = texts_of(row.kind, row.content)
    return ShownDraft(
        row,
        tuple((FIELDS[row.kind][name], _pieces(text, before.get(name))) for name, text in texts.items()),
        tuple(difference(row.written, row.content)),
        tuple(shown(variant, row) for variant in row.variants.all()) if row.kind == Kind.SCENARIO else (),
    )


def merge_targets(row: GeneratedDraft) -> list[tuple[int, str]]:
    """Other drafts of the kind and benchmark that a draft can be merged into, as (key, name for people)."""
    others = GeneratedDraft.objects.filter(benchmark=row.benchmark, kind=row.kind).exclude(pk=row.pk)
    if row.kind in (Kind.VARIANT, Kind.CLAUSE):
        return []
    staying = others.exclude(state__in=[State.REMOVED, State.MERGED]).select_related("metric_version__metric")
    return [(other.pk, f"{other}: {_name(other.content)}") for other in staying]


def _pieces(text: str, before: str | None) -> tuple[Segment, ...]:
    if before is None:
        return (Segment("same", text),)
    return tuple(segment for segment in diff(before, text) if segment.kind != "removed")


def _name(content: dict[str, Any]) -> str:
    return str(content.get("title") or content.get("name") or "")[:80]
