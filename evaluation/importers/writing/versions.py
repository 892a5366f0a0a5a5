"""Writes one version of a metric with its scenarios, and the metric's places in the paper's taxonomy."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from evaluation.importers.formats.types import MetricFile, ScenarioFile
from evaluation.importers.writing.storable import refuse_unstorable
from evaluation.importers.writing.subareas import known_subareas
from evaluation.importers.writing.wording import content_hash, version_fields
from evaluation.models import BaseScenario, Benchmark, Metric, MetricVersion, Placement, Profile, Scenario


def new_metric(benchmark: Benchmark, local_id: str, file: Path) -> Metric:
    """A metric without a version yet. Raises FileProblem for an id that cannot be stored."""
    metric = Metric(benchmark=benchmark, local_id=local_id, slug=f"{benchmark.slug}/{local_id}")
    refuse_unstorable([metric], file)
    metric.save()
    return metric


def new_version(
    metric: Metric,
    number: int,
    stated: MetricFile,
    rows: Sequence[ScenarioFile],
    profiles: Mapping[str, Profile],
    file: Path,
    **columns: object,
) -> MetricVersion:
    """The version `number` of a metric as stated, with its scenarios; `columns` are those that no file states."""
    fields = version_fields(stated)
    version = MetricVersion(metric=metric, number=number, content_hash=content_hash(fields), **fields, **columns)
    refuse_unstorable([version], file)
    version.save()
    write_scenarios(version, rows, profiles, file)
    return version


def write_scenarios(
    version: MetricVersion, rows: Sequence[ScenarioFile], profiles: Mapping[str, Profile], file: Path
) -> None:
    """The rows as base scenarios of the version and their variants; `profiles` are by slug."""
    bases: dict[int, BaseScenario] = {}
    for row in rows:
        bases.setdefault(
            row.base_number,
            BaseScenario(
                metric_version=version,
                number=row.base_number,
                title=row.title or "",
                goal=row.goal,
                latent_adversarial_goal=row.latent_adversarial_goal,
            ),
        )
    BaseScenario.objects.bulk_create(refuse_unstorable(bases.values(), file))
    variants = (
        Scenario(
            base=bases[row.base_number],
            profile=profiles[row.profile_slug],
            source_id=row.id,
            title=row.title or "",
            persona=row.persona,
            anchors=[vars(anchor) for anchor in row.anchors],
            attributes=dict(row.attributes),
            target_system_prompt=row.target_system_prompt or "",
            turns=row.turns,
        )
        for row in rows
    )
    Scenario.objects.bulk_create(refuse_unstorable(variants, file))


def place(metric: Metric, before: Collection[str], after: Collection[str]) -> bool:
    """Move the metric from the subareas `before` of the paper's taxonomy to those `after`; True when that differs."""
    if set(before) == set(after):
        return False
    subareas = known_subareas()
    gone = [subareas[slug] for slug in set(before) - set(after)]
    Placement.objects.filter(metric=metric, subarea__in=gone).delete()
    new = (subareas[slug] for slug in set(after) - set(before))
    Placement.objects.bulk_create(Placement(metric=metric, subarea=subarea) for subarea in new)
    return True
