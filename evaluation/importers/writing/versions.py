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


def loses_drafted_bases(version: MetricVersion, rows: Sequence[ScenarioFile]) -> bool:
    """Whether the rows lack a base scenario of the version for which a variant was drafted."""
    stated = {_identity(row, row.base_number) for row in rows}
    drafted = version.base_scenarios.filter(drafted_variants__isnull=False)
    return any(_identity(base, base.number) not in stated for base in drafted)


def replace_scenarios(
    version: MetricVersion, rows: Sequence[ScenarioFile], profiles: Mapping[str, Profile], file: Path
) -> None:
    """The rows in place of the version's scenarios; a base scenario of the same number and goals stays what it is."""
    stated = {_identity(row, row.base_number): row for row in reversed(rows)}
    Scenario.objects.filter(base__metric_version=version).delete()
    kept = [base for base in version.base_scenarios.all() if _identity(base, base.number) in stated]
    version.base_scenarios.exclude(pk__in=[base.pk for base in kept]).delete()
    for base in kept:
        base.title = stated[_identity(base, base.number)].title or ""
    BaseScenario.objects.bulk_update(refuse_unstorable(kept, file), ["title"])
    write_scenarios(version, rows, profiles, file, kept)


def write_scenarios(
    version: MetricVersion,
    rows: Sequence[ScenarioFile],
    profiles: Mapping[str, Profile],
    file: Path,
    kept: Sequence[BaseScenario] = (),
) -> None:
    """The rows as base scenarios of the version, but for those that are `kept`, and their variants; `profiles` are by
    slug."""
    bases = {base.number: base for base in kept}
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
    new = [base for base in bases.values() if base.pk is None]
    BaseScenario.objects.bulk_create(refuse_unstorable(new, file))
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


def _identity(stated: ScenarioFile | BaseScenario, number: int) -> tuple[int, str, str]:
    return number, stated.goal, stated.latent_adversarial_goal


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
