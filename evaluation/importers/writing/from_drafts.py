"""Drafts of a foreign file as a benchmark that can be written; what is too incomplete is left out, and said."""

from collections import defaultdict
from collections.abc import Iterator

from evaluation.importers.formats import profiles
from evaluation.importers.formats.draft_types import BenchmarkDraft, MetricDraft, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.types import BenchmarkFile, MetricFile, ReadBenchmark, Remark, ScenarioFile

_PROFILES = {profile.slug: profile for profile in (profiles.TEEN, profiles.ADULT, profiles.CHILD)}
_NO_POLARITY = "nothing in the source says whether it is good or bad; decide it at the import desk"


def benchmark_of_drafts(read: ReadDrafts) -> ReadBenchmark:
    """Metrics with a proposed polarity, and scenarios with persona, goals, anchors and a profile of ours.

    Everything else is in `skipped` with the reason, every flag of a draft that is written in `flags`; the drafts'
    order and keys are kept, so that the same file gives the same benchmark.
    """
    draft = read.benchmark
    kept = [metric for metric in draft.metrics if metric.proposal.polarity]
    written = {metric.key for metric in kept}
    skipped = [Remark(f"metric {metric.key}", _NO_POLARITY) for metric in draft.metrics if metric.key not in written]
    skipped += _incomplete(draft)
    benchmark = BenchmarkFile(
        slug=draft.slug,
        name=draft.name,
        description=draft.description,
        sources=draft.sources,
        licence=draft.licence,
        contributors=draft.contributors,
        content_notices=draft.content_notices,
        metrics=tuple(map(_metric, kept)),
        scenarios=tuple(_scenarios(draft, written)),
    )
    return ReadBenchmark(benchmark, (*read.flags, *_flags(draft, kept)), (*read.skipped, *skipped))


def missing_in(scenario: ScenarioDraft) -> tuple[str, ...]:
    """What a scenario draft lacks before it can be played, in plain words."""
    stated = {
        "persona": scenario.persona,
        "goal": scenario.goal,
        "latent adversarial goal": scenario.latent_adversarial_goal,
        "anchors": scenario.anchors,
        "age within a profile": scenario.profile_slug,
    }
    return tuple(name for name, value in stated.items() if not value)


def _metric(draft: MetricDraft) -> MetricFile:
    assert draft.proposal.polarity is not None
    return MetricFile(
        local_id=draft.key,
        name=draft.name,
        polarity=draft.proposal.polarity,
        definition=draft.definition,
        interpretive_clause=draft.interpretive_clause,
        examples_present=draft.examples_present,
        examples_absent=draft.examples_absent,
        rationale=draft.rationale,
        citations=draft.citations,
    )


def _scenarios(draft: BenchmarkDraft, written: set[str]) -> Iterator[ScenarioFile]:
    numbers: dict[str, int] = defaultdict(int)
    for scenario in draft.scenarios:
        if missing_in(scenario):
            continue
        for metric in scenario.metric_keys:
            if metric in written:
                numbers[metric] += 1
                yield _scenario(scenario, metric, numbers[metric])


def _scenario(draft: ScenarioDraft, metric: str, number: int) -> ScenarioFile:
    profile = _PROFILES[draft.profile_slug or ""]
    return ScenarioFile(
        id=draft.key,
        metric_id=metric,
        base_number=number,
        persona=draft.persona or "",
        goal=draft.goal or "",
        latent_adversarial_goal=draft.latent_adversarial_goal or "",
        anchors=draft.anchors,
        profile_slug=profile.slug,
        profile_name=profile.name,
        profile_attributes=profile.attributes,
        target_system_prompt=draft.target_system_prompt,
        title=draft.title,
        turns=draft.turns,
    )


def _incomplete(draft: BenchmarkDraft) -> Iterator[Remark]:
    """One line for all scenarios that lack the same, with how many they are."""
    lacking: dict[tuple[str, ...], int] = defaultdict(int)
    for scenario in draft.scenarios:
        if missing := missing_in(scenario):
            lacking[missing] += 1
    for missing, count in lacking.items():
        yield Remark(f"{count} scenarios", f"the source has no {', '.join(missing)}; complete them at the import desk")


def _flags(draft: BenchmarkDraft, kept: list[MetricDraft]) -> Iterator[Remark]:
    if not draft.verified:
        yield Remark("file", "format not verified on a real file: compare what came of it with the source")
    for metric in kept:
        yield from (Remark(f"metric {metric.key}", flag) for flag in metric.flags)
