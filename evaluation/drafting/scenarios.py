"""Which base scenarios and variants of a benchmark are still to be drafted, and how they are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial

from django.db.models import Max

from evaluation.drafting.briefs import (
    anchors_json,
    base_draft,
    benchmark_brief,
    draftable_versions,
    metric_sheet,
    profile_brief,
)
from evaluation.drafting.questions import Question
from evaluation.generation import base_scenarios, variants
from evaluation.generation.prompts_of_drafting import prompt_hash
from evaluation.generation.review_flags import flags_of_base, flags_of_variant
from evaluation.generation.types import BaseDraft, ProfileBrief, VariantDraft
from evaluation.models import Benchmark, DraftingQuestion, GeneratedDraft, MetricVersion, Profile

Kind, State = GeneratedDraft.Kind, GeneratedDraft.State
GONE = (State.REMOVED, State.MERGED)


def base_questions(benchmark: Benchmark, *, turns: int, count: int, again: bool = False) -> list[tuple[Question, int]]:
    """One question for each metric that lacks drafted base scenarios, and how many it asks for: as many as lack.

    What was drafted once is not asked for again, also when a person removed it, unless `again`.
    """
    return [
        (_base_question(benchmark, version, turns=turns, count=lacking, again=again, wanted=count), lacking)
        for version in draftable_versions(benchmark)
        if (lacking := count - _n_bases(version, again=again)) > 0
    ]


def variant_questions(benchmark: Benchmark, profiles: Sequence[Profile], *, again: bool = False) -> list[Question]:
    """One question for each drafted base scenario and profile without a variant."""
    versions = draftable_versions(benchmark)
    bases = GeneratedDraft.objects.filter(kind=Kind.SCENARIO, metric_version__in=versions).exclude(state__in=GONE)
    made = GeneratedDraft.objects.filter(kind=Kind.VARIANT, base__in=bases)
    known = set((made.exclude(state=State.REMOVED) if again else made).values_list("base_id", "profile_id"))
    return [
        _variant_question(benchmark, base, profile)
        for base in bases.select_related("metric_version__metric")
        for profile in profiles
        if (base.pk, profile.pk) not in known
    ]


def _base_question(
    benchmark: Benchmark, version: MetricVersion, *, turns: int, count: int, again: bool, wanted: int
) -> Question:
    brief, sheet = benchmark_brief(benchmark), metric_sheet(version)
    return Question(
        benchmark=benchmark,
        kind=Kind.SCENARIO,
        place=str(version),
        prompt_hash=prompt_hash(base_scenarios.PROMPT),
        messages=base_scenarios.base_scenario_messages(brief, sheet, turns=turns, count=count),
        ask=lambda model: base_scenarios.draft_base_scenarios(brief, sheet, model, turns=turns, count=count),
        keep=partial(_keep_bases, version),
        is_open=lambda: _n_bases(version, again=again) + count <= wanted,
    )


def _variant_question(benchmark: Benchmark, row: GeneratedDraft, profile: Profile) -> Question:
    base, brief = base_draft(row.content), profile_brief(profile)
    return Question(
        benchmark=benchmark,
        kind=Kind.VARIANT,
        place=f"{row.metric_version} drafted scenario {row.number} for {profile.slug}",
        prompt_hash=prompt_hash(variants.PROMPT),
        messages=variants.variant_messages(base, brief),
        ask=lambda model: variants.draft_variant(base, brief, model),
        keep=partial(_keep_variant, row, profile, base, brief),
        is_open=lambda: not row.variants.filter(profile=profile).exclude(state=State.REMOVED).exists(),
    )


def _n_bases(version: MetricVersion, *, again: bool) -> int:
    drafts = GeneratedDraft.objects.filter(kind=Kind.SCENARIO, metric_version=version)
    return (drafts.exclude(state__in=GONE) if again else drafts).count()


def _keep_bases(version: MetricVersion, asked: DraftingQuestion, drafts: Iterable[BaseDraft]) -> None:
    known = GeneratedDraft.objects.filter(kind=Kind.SCENARIO, metric_version=version)
    first = (known.aggregate(last=Max("number"))["last"] or 0) + 1
    for number, draft in enumerate(drafts, start=first):
        content = {**asdict(draft), "anchors": anchors_json(draft.anchors)}
        GeneratedDraft.objects.create(
            question=asked, benchmark_id=asked.benchmark_id, kind=Kind.SCENARIO, metric_version=version, number=number,
            written=content, content=content, flags=flags_of_base(draft),
        )  # fmt: skip


def _keep_variant(
    row: GeneratedDraft,
    profile: Profile,
    base: BaseDraft,
    brief: ProfileBrief,
    asked: DraftingQuestion,
    drafts: Iterable[VariantDraft],
) -> None:
    for draft in drafts:
        # The goals are not kept here: they are the base's, also after a person revised them.
        content = {"persona": draft.persona, "anchors": anchors_json(draft.anchors)}
        GeneratedDraft.objects.create(
            question=asked, benchmark_id=asked.benchmark_id, kind=Kind.VARIANT, metric_version=row.metric_version,
            base=row, profile=profile, number=row.number, written=content, content=content,
            flags=flags_of_variant(draft, base, brief),
        )  # fmt: skip
