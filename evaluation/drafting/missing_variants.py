"""Variants that base scenarios of a benchmark lack, such as an adult twin: what is asked, and how drafts are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import QuerySet

from evaluation.drafting.briefs import anchors_json, draftable_versions, profile_brief
from evaluation.drafting.questions import Question
from evaluation.generation import variants
from evaluation.generation.prompts_of_drafting import prompt_hash
from evaluation.generation.review_flags import flags_of_copied_goals, flags_of_variant
from evaluation.generation.types import BaseDraft, ProfileBrief, VariantDraft
from evaluation.models import BaseScenario, Benchmark, DraftingQuestion, GeneratedDraft, Profile, Scenario
from evaluation.services.briefs import anchors_of

Kind, State = GeneratedDraft.Kind, GeneratedDraft.State
# In the content of a draft: the profile of the scenario that the model read, or nothing where it read the base itself.
DRAFTED_FROM = "drafted_from"


@dataclass(frozen=True, slots=True)
class MissingVariants:
    """`n_untold` base scenarios have no published goal or persona, so that nobody can adapt them."""

    questions: list[Question]
    n_untold: int


def missing_variants(benchmark: Benchmark, profiles: Sequence[Profile], *, again: bool = False) -> MissingVariants:
    """One question for each base scenario in use and each of the profiles that none of its scenarios is for.

    What was drafted is left out, also where a person removed it, unless `again`.
    """
    bases = BaseScenario.objects.filter(metric_version__in=draftable_versions(benchmark))
    questions, untold = [], set()
    known = _known(benchmark, again=again)
    for base in bases.select_related("metric_version__metric").prefetch_related("variants__profile"):
        there = {scenario.profile_id for scenario in base.variants.all()}
        for profile in profiles:
            if profile.pk in there or (*_identity(base), profile.pk) in known:
                continue
            source = _source(base)
            if source is None:
                untold.add(base.pk)
            else:
                questions.append(_question(benchmark, base, source, profile))
    return MissingVariants(questions, len(untold))


def drafts_beside(base: BaseScenario, profile: Profile | None) -> QuerySet[GeneratedDraft]:
    """The drafts for a profile of this base scenario, also of the same one in another version of its metric."""
    return GeneratedDraft.objects.filter(
        kind=Kind.VARIANT, profile=profile, base_scenario__goal=base.goal, base_scenario__number=base.number,
        base_scenario__metric_version__metric=base.metric_version.metric_id,
    )  # fmt: skip


def scenario_read(draft: GeneratedDraft) -> Scenario | None:
    """The scenario that a missing variant was drafted from; None where that is the base itself, or gone."""
    assert draft.base_scenario is not None
    slug = draft.content[DRAFTED_FROM]
    return next((one for one in draft.base_scenario.variants.all() if slug and one.profile.slug == slug), None)


def _known(benchmark: Benchmark, *, again: bool) -> set[tuple[int, int, str, int | None]]:
    """What was drafted and not taken over: what was taken over is there, or an import left it out again."""
    drafts = GeneratedDraft.objects.filter(
        benchmark=benchmark, kind=Kind.VARIANT, became="", base_scenario__isnull=False
    )
    return {
        (*_identity(draft.base_scenario), draft.profile_id)
        for draft in (drafts.exclude(state=State.REMOVED) if again else drafts).select_related(
            "base_scenario__metric_version"
        )
        if draft.base_scenario is not None
    }


def _identity(base: BaseScenario) -> tuple[int, int, str]:
    """The same base scenario in any version of its metric."""
    return base.metric_version.metric_id, base.number, base.goal


def _source(base: BaseScenario) -> tuple[BaseDraft, str] | None:
    """What the model reads, and the profile it is told for: the base, or else the first scenario that says something.

    None where the source published no goal or no persona.
    """
    told: BaseScenario | Scenario = base
    slug = ""
    if not base.persona:
        found = next((one for one in base.variants.all() if one.persona), None)
        if found is None:
            return None
        told, slug = found, found.profile.slug
    if not base.goal:
        return None
    read = BaseDraft(
        title=base.title, setting="", tone="", persona=told.persona, goal=base.goal,
        latent_adversarial_goal=base.latent_adversarial_goal, anchors=anchors_of(told.anchors),
    )  # fmt: skip
    return read, slug


def _question(benchmark: Benchmark, base: BaseScenario, source: tuple[BaseDraft, str], profile: Profile) -> Question:
    (read, slug), brief = source, profile_brief(profile)
    return Question(
        benchmark=benchmark,
        kind=Kind.VARIANT,
        place=f"{base} for {profile.slug}",
        prompt_hash=prompt_hash(variants.PROMPT),
        messages=variants.variant_messages(read, brief),
        ask=lambda model: variants.draft_variant(read, brief, model),
        keep=partial(_keep, base, profile, read, slug, brief),
        is_open=lambda: _is_open(base, profile),
    )


def _is_open(base: BaseScenario, profile: Profile) -> bool:
    if not BaseScenario.objects.filter(pk=base.pk).exists() or base.variants.filter(profile=profile).exists():
        return False
    return not drafts_beside(base, profile).filter(became="").exclude(state=State.REMOVED).exists()


def _keep(
    base: BaseScenario,
    profile: Profile,
    read: BaseDraft,
    slug: str,
    brief: ProfileBrief,
    asked: DraftingQuestion,
    drafts: Iterable[VariantDraft],
) -> None:
    for draft in drafts:
        # The goals are not kept here: they are the base scenario's.
        content = {"persona": draft.persona, "anchors": anchors_json(draft.anchors), DRAFTED_FROM: slug}
        GeneratedDraft.objects.create(
            question=asked, benchmark_id=asked.benchmark_id, kind=Kind.VARIANT, metric_version=base.metric_version,
            base_scenario=base, profile=profile, number=base.number, written=content, content=content,
            flags=flags_of_variant(draft, read, brief) + flags_of_copied_goals(read, brief),
        )  # fmt: skip
