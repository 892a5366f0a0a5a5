"""Makes metrics, scenarios and clauses of the drafts that people stand by; by the same rules as an import."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.drafting.deciding import STANDING, Kind, State
from evaluation.drafting.scenario_rows import row_of_missing_variant, row_of_variant
from evaluation.importers.formats.draft_keys import key_of_words
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import MetricFile, ReadBenchmark, ScenarioFile
from evaluation.importers.writing.benchmarks import write_benchmark
from evaluation.importers.writing.stored import (
    latest_versions,
    stored_header,
    stored_metric,
    stored_scenarios,
    stored_subareas,
)
from evaluation.models import BaseScenario, Benchmark, GeneratedDraft, MetricVersion
from impactbench.common.errors import DomainError

_SOURCE = Path("drafts by language model")


@transaction.atomic
def take_over(benchmark: Benchmark, *, actor: Any) -> list[GeneratedDraft]:
    """Take over all drafts of a benchmark that people stand by, and give them back.

    A scenario is taken over when each of its variants is decided on and one stands; so are the variants of a scenario
    that was there before. A metric version that was tested keeps its scenarios and its wording; then the next version
    has the new ones. New metrics and versions are runnable
    and wait for a second editor. Raises DomainError where something cannot be stored.
    """
    try:
        return [*_metrics(benchmark, actor), *_of_versions(benchmark, actor)]
    except FileProblem as problem:
        raise DomainError(f"The drafts cannot be taken over: {problem.message}.") from problem


def _standing(benchmark: Benchmark, kind: str) -> list[GeneratedDraft]:
    drafts = GeneratedDraft.objects.filter(benchmark=benchmark, kind=kind, state__in=STANDING, became="")
    also = ("metric_version__metric", "profile", "base", "base_scenario__metric_version__metric")
    return list(drafts.select_for_update(of=("self",)).select_related(*also))


def _metrics(benchmark: Benchmark, actor: Any) -> list[GeneratedDraft]:
    drafts = _standing(benchmark, Kind.METRIC)
    for draft in drafts:
        content = draft.content
        stated = MetricFile(
            local_id=key_of_words(content["name"]),
            name=content["name"],
            polarity=content["polarity"],
            definition=content["definition"],
            examples_present=tuple(content["examples_present"]),
            examples_absent=tuple(content["examples_absent"]),
            rationale=content["rationale"],
        )
        if benchmark.metrics.filter(local_id=stated.local_id).exists():
            raise DomainError(f"The benchmark has a metric “{stated.name}” already. Give the draft another name.")
        _became([draft], _written(benchmark, stated, [], actor, is_runnable=True), "")
    return drafts


def _of_versions(benchmark: Benchmark, actor: Any) -> list[GeneratedDraft]:
    """Scenarios and clauses, metric by metric, both at once: one new version holds them."""
    found: dict[int, list[GeneratedDraft]] = defaultdict(list)
    for draft in [
        *_standing(benchmark, Kind.CLAUSE),
        *_ready_scenarios(benchmark),
        *_ready_missing_variants(benchmark),
    ]:
        assert draft.metric_version is not None
        found[draft.metric_version.metric_id].append(draft)
    newest = {version.metric_id: version for version in latest_versions(benchmark)}
    taken = [_take_over_for(benchmark, newest[metric], drafts, actor) for metric, drafts in sorted(found.items())]
    return [draft for drafts in taken for draft in drafts]


def _ready_scenarios(benchmark: Benchmark) -> list[GeneratedDraft]:
    variants = GeneratedDraft.objects.filter(benchmark=benchmark, kind=Kind.VARIANT)
    undecided = set(variants.filter(state=State.PROPOSED).values_list("base_id", flat=True))
    standing = set(variants.filter(state__in=STANDING).values_list("base_id", flat=True))
    ready = standing - undecided
    return [draft for draft in _standing(benchmark, Kind.SCENARIO) if draft.pk in ready]


def _ready_missing_variants(benchmark: Benchmark) -> list[GeneratedDraft]:
    waiting = GeneratedDraft.objects.filter(benchmark=benchmark, kind=Kind.VARIANT, state=State.PROPOSED)
    undecided = set(waiting.values_list("base_scenario_id", flat=True))
    standing = _standing(benchmark, Kind.VARIANT)
    return [draft for draft in standing if draft.base_scenario_id and draft.base_scenario_id not in undecided]


def _take_over_for(
    benchmark: Benchmark, version: MetricVersion, drafts: Sequence[GeneratedDraft], actor: Any
) -> list[GeneratedDraft]:
    stated = stored_metric(version, stored_subareas(benchmark).get(version.metric.local_id, ()))
    clauses = [draft for draft in drafts if draft.kind == Kind.CLAUSE]
    if clauses:
        stated = replace(stated, interpretive_clause=clauses[-1].content["clause"])
    rows = stored_scenarios([version]).get(version.pk, [])
    bases = {
        base.number: {"persona": base.persona, "anchors": base.anchors, "title": base.title}
        for base in version.base_scenarios.all()
    }
    free = (number for number in count(1) if number not in bases)
    scenarios = [(draft, next(free)) for draft in drafts if draft.kind == Kind.SCENARIO]
    made: list[tuple[GeneratedDraft, int]] = []
    for draft in drafts:
        if draft.kind == Kind.VARIANT:
            rows = [*rows, row_of_missing_variant(version, rows, draft)]
            made.append((draft, draft.number))
    for draft, number in scenarios:
        variants = list(draft.variants.filter(state__in=STANDING).select_related("profile"))
        rows = [*rows, *(row_of_variant(version, number, draft, variant) for variant in variants)]
        made += [(one, number) for one in (draft, *variants)]
        bases[number] = {key: draft.content[key] for key in ("persona", "anchors", "title")}
    written = _written(benchmark, stated, rows, actor, is_runnable=version.is_runnable)
    for number, fields in bases.items():
        # A file has no place for the base itself, so importing it does not write it.
        BaseScenario.objects.filter(metric_version=written, number=number).update(**fields)
    _became(clauses, written, " clause")
    for draft, number in made:
        _became([draft], written, f" scenario {number}{f' for {draft.profile.slug}' if draft.profile else ''}")
    return [*clauses, *(draft for draft, _ in made)]


def _written(
    benchmark: Benchmark, stated: MetricFile, rows: Sequence[ScenarioFile], actor: Any, *, is_runnable: bool
) -> MetricVersion:
    """The metric's newest version once this is stored; one that was made for it waits for a second editor."""
    versions = MetricVersion.objects.filter(metric__benchmark=benchmark, metric__local_id=stated.local_id)
    before = set(versions.values_list("pk", flat=True))
    file = replace(stored_header(benchmark), metrics=(stated,), scenarios=tuple(rows))
    write_benchmark(
        ReadBenchmark(file), actor=actor, file=_SOURCE, format_name="drafts", is_runnable=is_runnable, is_accepted=True
    )
    versions.exclude(pk__in=before).update(awaits_second_editor=is_runnable, approved_at=timezone.now())
    return versions.latest("number")


def _became(drafts: Sequence[GeneratedDraft], version: MetricVersion, what: str) -> None:
    for draft in drafts:
        draft.became = f"{version}{what}"
        draft.save(update_fields=["became"])
