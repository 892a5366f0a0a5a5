"""What language models drafted, for the editors who decide on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from evaluation.drafting.fields import FIELDS, texts_of
from evaluation.drafting.missing_variants import scenario_read
from evaluation.drafting.table import difference
from evaluation.models import Benchmark, GeneratedDraft
from submissions.advice.worddiff import Segment, diff

PAGE = 10
# What the name of an existing base scenario needs.
EXISTING = ("base_scenario__metric_version__metric__benchmark",)
Kind, State = GeneratedDraft.Kind, GeneratedDraft.State
# What the address asks for: its states, and its name for people.
VIEWS: dict[str, tuple[tuple[str, ...], str]] = {
    "open": ((State.PROPOSED,), "To decide"),
    "kept": ((State.KEPT, State.REVISED), "Kept"),
    "out": ((State.REMOVED, State.MERGED), "Left out"),
}


@dataclass(frozen=True, slots=True)
class ShownScenario:
    """A scenario that there is already, or a base scenario, as (name for people, text)."""

    name: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownDraft:
    """A draft as a page shows it: its fields as (name for people, text), and the lines that a person changed.

    The text of a variant is in pieces: what its base does not say is `added`, all else is `same`. `beside` is the
    existing scenario that it was drafted from, where it is not the variant of another draft.
    """

    row: GeneratedDraft
    fields: tuple[tuple[str, tuple[Segment, ...]], ...]
    changed: tuple[str, ...]
    variants: tuple[ShownDraft, ...] = ()
    beside: ShownScenario | None = None


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
    """Metrics, clauses, base scenarios and variants of existing ones, of a view.

    A base is open as long as it or any variant of it is.
    """
    states = VIEWS[view][0]
    tops = GeneratedDraft.objects.filter(benchmark=benchmark).filter(base=None)
    if view == "open":
        waits = Q(variants__state=State.PROPOSED) & ~Q(state__in=[State.REMOVED, State.MERGED])
        tops = tops.filter(Q(state__in=states) | waits).distinct()
    else:
        tops = tops.filter(state__in=states)
    variants = GeneratedDraft.objects.select_related("profile", "decided_by").order_by("profile__order", "pk")
    also = ("metric_version__metric", "decided_by", "merged_into", "profile", *EXISTING)
    return tops.select_related(*also).prefetch_related(
        Prefetch("variants", queryset=variants), "base_scenario__variants__profile"
    )


def shown(row: GeneratedDraft, base: GeneratedDraft | None = None) -> ShownDraft:
    """A draft with its variants, for a page; `base` is what a variant is compared with."""
    told = existing_content(row) if row.base_scenario else base.content if base else None
    before = texts_of(row.kind, told) if told else {}
    texts = texts_of(row.kind, row.content)
    return ShownDraft(
        row,
        tuple((FIELDS[row.kind][name], _pieces(text, before.get(name))) for name, text in texts.items()),
        tuple(difference(row.written, row.content)),
        tuple(shown(variant, row) for variant in row.variants.all()) if row.kind == Kind.SCENARIO else (),
        _beside(row) if row.base_scenario else None,
    )


def existing_content(row: GeneratedDraft) -> dict[str, Any]:
    """The existing scenario that a variant was drafted from, in the fields of a draft."""
    base, read = row.base_scenario, scenario_read(row)
    assert base is not None
    told = read or base
    return {
        "title": told.title or base.title,
        "goal": base.goal,
        "latent_adversarial_goal": base.latent_adversarial_goal,
        "persona": told.persona,
        "anchors": told.anchors,
    }


def _beside(row: GeneratedDraft) -> ShownScenario:
    content, titles = existing_content(row), FIELDS[Kind.SCENARIO]
    texts = {**content, "anchors": texts_of(Kind.VARIANT, content)["anchors"]}
    shown_texts = tuple((titles[name], text) for name, text in texts.items() if text)
    return ShownScenario(str(scenario_read(row) or row.base_scenario), shown_texts)


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
