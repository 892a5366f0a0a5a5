"""A benchmark as the database holds it, in the records of a file: for comparing, and for export."""

from collections import defaultdict
from collections.abc import Iterable

from evaluation.importers.formats.types import Anchor, BenchmarkFile, MetricFile, ScenarioFile, Source
from evaluation.models import Benchmark, MetricVersion, Placement, Scenario
from evaluation.selectors.taxonomies import subareas_in_force


def latest_versions(benchmark: Benchmark) -> list[MetricVersion]:
    """The newest version of each metric of a benchmark, by local id."""
    versions = MetricVersion.objects.filter(metric__benchmark=benchmark).select_related("metric__benchmark")
    return list(versions.order_by("metric__local_id", "-number").distinct("metric__local_id"))


def stored_header(benchmark: Benchmark) -> BenchmarkFile:
    """The benchmark without its metrics and scenarios."""
    return BenchmarkFile(
        slug=benchmark.slug,
        name=benchmark.name,
        description=benchmark.description,
        sources=tuple(Source(**source) for source in benchmark.sources),
        licence=benchmark.licence or None,
        contributors=tuple(benchmark.contributors),
        user_context=benchmark.target_context or None,
        research_summary=benchmark.research_summary or None,
        content_notices=tuple(benchmark.content_notices),
    )


def stored_subareas(benchmark: Benchmark) -> dict[str, tuple[str, ...]]:
    """The subareas of the paper's taxonomy in force that each metric (local id) stands in, in the taxonomy's order."""
    placements = Placement.objects.filter(metric__benchmark=benchmark, subarea__in=subareas_in_force()).order_by(
        "subarea__area__order", "subarea__order", "subarea__slug"
    )
    found: dict[str, list[str]] = defaultdict(list)
    for local_id, subarea in placements.values_list("metric__local_id", "subarea__slug"):
        found[local_id].append(subarea)
    return {local_id: tuple(subareas) for local_id, subareas in found.items()}


def stored_metric(version: MetricVersion, subareas: tuple[str, ...]) -> MetricFile:
    """A metric version as a file would state it; the version must have a polarity and a definition."""
    if version.polarity not in ("positive", "negative"):
        raise ValueError(f"{version} has no polarity")
    return MetricFile(
        local_id=version.metric.local_id,
        name=version.name,
        polarity="positive" if version.polarity == "positive" else "negative",
        definition=version.definition,
        interpretive_clause=version.interpretive_clause or None,
        judge_question=version.judge_question or None,
        examples_present=tuple(version.examples_present),
        examples_absent=tuple(version.examples_absent),
        subareas=subareas,
        rationale=version.rationale or None,
        citations=tuple(version.citations),
        plain_name=version.plain_name or None,
        plain_definition=version.plain_definition or None,
    )


def stored_scenarios(versions: Iterable[MetricVersion]) -> dict[int, list[ScenarioFile]]:
    """The scenarios of metric versions, by the version's key, ordered by base and profile."""
    scenarios = Scenario.objects.filter(base__metric_version__in=list(versions)).select_related(
        "base__metric_version__metric", "profile"
    )
    found: dict[int, list[ScenarioFile]] = defaultdict(list)
    for scenario in scenarios.order_by("base__metric_version", "base__number", "profile__order", "profile__slug"):
        found[scenario.base.metric_version_id].append(_scenario(scenario))
    return found


def _scenario(scenario: Scenario) -> ScenarioFile:
    base = scenario.base
    return ScenarioFile(
        id=scenario.source_id,
        metric_id=base.metric_version.metric.local_id,
        base_number=base.number,
        persona=scenario.persona,
        goal=base.goal,
        latent_adversarial_goal=base.latent_adversarial_goal,
        anchors=tuple(Anchor(anchor["turn"], anchor["objective"]) for anchor in scenario.anchors),
        profile_slug=scenario.profile.slug,
        profile_name=scenario.profile.name,
        profile_attributes=scenario.profile.attributes,
        attributes=scenario.attributes,
        target_system_prompt=scenario.target_system_prompt or None,
        title=scenario.title or None,
        turns=scenario.turns,
    )
