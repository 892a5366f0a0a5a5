"""What imported results are about: models, benchmarks, metrics and scenarios, taken over or found again."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.importers.formats.notices_in_text import notices_in
from evaluation.importers.formats.result_types import ResultMetric, ResultModel, ResultScenario, ResultsFile
from evaluation.importers.formats.types import BenchmarkFile
from evaluation.importers.writing.bases import with_one_goal_each
from evaluation.importers.writing.profiles import ensured_profiles
from evaluation.importers.writing.scenario_texts import fill_texts, says_otherwise
from evaluation.importers.writing.storable import refuse_unstorable
from evaluation.importers.writing.wording import content_hash, version_fields
from evaluation.models import BaseScenario, Benchmark, LanguageModel, Metric, MetricVersion, Profile, Scenario


@dataclass(frozen=True)
class Definitions:
    """The rows that conversations refer to: models and metric versions by slug, scenarios by (metric, source id)."""

    models: dict[str, LanguageModel]
    versions: dict[str, MetricVersion]
    scenarios: dict[tuple[str, str], Scenario]


def written_definitions(results: ResultsFile) -> Definitions:
    """Write what is missing and find the rest again; nothing that is there already says anything else afterwards.

    A metric version is used again when its wording is the same and no scenario of the same number and profile says
    something else; only texts that were missing are filled in. Raises FileProblem.
    """
    rows, _ = with_one_goal_each(results.scenarios)
    stated = ((row.profile_slug, row.profile_name, row.profile_attributes) for row in rows)
    profiles = ensured_profiles(stated, results.source)
    models = _models(results)
    metrics = _metrics(results, _benchmarks(results))
    by_metric: dict[str, list[ResultScenario]] = defaultdict(list)
    for row in rows:
        by_metric[row.metric].append(row)
    versions = _versions(results, metrics, by_metric)
    return Definitions(models, versions, _scenarios(results, versions, by_metric, profiles))


def _models(results: ResultsFile) -> dict[str, LanguageModel]:
    """The models by slug; a known one keeps its row."""
    known = _by_slug(LanguageModel, [model.slug for model in results.models])
    new = [_model(model) for model in results.models if model.slug not in known]
    LanguageModel.objects.bulk_create(refuse_unstorable(new, results.source))
    return known | {model.slug: model for model in new}


def _model(model: ResultModel) -> LanguageModel:
    return LanguageModel(slug=model.slug, name=model.name, provider=model.provider or "", version=model.version or "")


def _benchmarks(results: ResultsFile) -> dict[str, Benchmark]:
    """The benchmarks by slug; a known one keeps its row, but a proper name replaces one spelled from the slug."""
    known = _by_slug(Benchmark, [benchmark.slug for benchmark in results.benchmarks])
    new = []
    for stated in results.benchmarks:
        row = known.get(stated.slug)
        if row is None:
            new.append(Benchmark(slug=stated.slug, name=stated.name, **_described(stated.definition)))
        elif row.name == stated.slug.replace("-", " ").capitalize() != stated.name:
            row.name = stated.name
            row.save(update_fields=["name"])
    Benchmark.objects.bulk_create(refuse_unstorable(new, results.source))
    return known | {benchmark.slug: benchmark for benchmark in new}


def _described(definition: BenchmarkFile | None) -> dict[str, Any]:
    if definition is None:
        return {}
    return {
        "description": definition.description,
        "sources": [vars(source) for source in definition.sources],
        "licence": definition.licence or "",
        "contributors": list(definition.contributors),
        "target_context": definition.user_context or "",
        "content_notices": list(definition.content_notices),
    }


def _metrics(results: ResultsFile, benchmarks: Mapping[str, Benchmark]) -> dict[str, Metric]:
    known = _by_slug(Metric, [metric.slug for metric in results.metrics])
    new = [
        Metric(benchmark=benchmarks[metric.benchmark], local_id=metric.local_id, slug=metric.slug)
        for metric in results.metrics
        if metric.slug not in known
    ]
    Metric.objects.bulk_create(refuse_unstorable(new, results.source))
    return known | {metric.slug: metric for metric in new}


def _versions(
    results: ResultsFile, metrics: Mapping[str, Metric], rows: Mapping[str, Sequence[ResultScenario]]
) -> dict[str, MetricVersion]:
    """A fitting version of each metric, found or made."""
    stored: dict[str, list[MetricVersion]] = defaultdict(list)
    for version in MetricVersion.objects.filter(metric__in=metrics.values()).select_related("metric"):
        stored[version.metric.slug].append(version)
    scenarios = _stored_scenarios(version for versions in stored.values() for version in versions)
    chosen: dict[str, MetricVersion] = {}
    new: list[MetricVersion] = []
    for stated in results.metrics:
        fields = _version_fields(stated, results)
        fitting = [
            version
            for version in stored[stated.slug]
            if version.content_hash == content_hash(fields)
            and not _conflicts(version, scenarios[version.pk], rows.get(stated.slug, ()))
        ]
        if not fitting:
            before = max(stored[stated.slug], key=lambda old: old.number, default=None)
            new.append(_new_version(metrics[stated.slug], before, fields, rows.get(stated.slug, ())))
        chosen[stated.slug] = fitting[0] if fitting else new[-1]
    MetricVersion.objects.bulk_create(refuse_unstorable(new, results.source))
    return chosen


def _new_version(
    metric: Metric, before: MetricVersion | None, fields: Mapping[str, Any], rows: Sequence[ResultScenario]
) -> MetricVersion:
    """The version after `before`, which hands on what editors said of hard content.

    Of the first one words decide until an editor does: a painful chat that opens by itself cannot be taken back.
    """
    return MetricVersion(
        metric=metric,
        number=before.number + 1 if before else 1,
        is_imported_result=True,
        content_hash=content_hash(fields),
        content_notices=before.content_notices if before else list(notices_in(_words(fields, rows))),
        **fields,
    )


def _words(fields: Mapping[str, Any], rows: Sequence[ResultScenario]) -> list[str]:
    """What is told of a metric and of the people in its scenarios."""
    told = [fields["name"], fields["definition"], fields.get("rationale", "")]
    return [*told, *(text or "" for row in rows for text in (row.title, row.goal, row.persona))]


def _version_fields(stated: ResultMetric, results: ResultsFile) -> dict[str, Any]:
    """The columns of a metric version: what the benchmark's own file says of it, and the results' own words."""
    files = (benchmark.definition for benchmark in results.benchmarks if benchmark.slug == stated.benchmark)
    told = (metric for file in files if file for metric in file.metrics if metric.local_id == stated.local_id)
    metric = next(told, None)
    fields = version_fields(metric) if metric else {}
    fields |= {"name": stated.name, "polarity": stated.polarity, "definition": stated.definition or ""}
    if stated.why_it_matters:
        fields["rationale"] = stated.why_it_matters
    return {**fields, "contributor": stated.contributor or ""}


def _conflicts(
    version: MetricVersion, stored: Mapping[tuple[int, str], Scenario], rows: Sequence[ResultScenario]
) -> bool:
    """Whether these scenarios cannot hang on a version: one says something else, or a runnable one would get more."""
    for row in rows:
        scenario = stored.get((row.base_number, row.profile_slug))
        if scenario is None:
            if not version.is_imported_result:
                return True
        elif scenario.source_id != row.source_id or says_otherwise(scenario, row):
            return True
    return False


def _scenarios(
    results: ResultsFile,
    versions: Mapping[str, MetricVersion],
    rows: Mapping[str, Sequence[ResultScenario]],
    profiles: Mapping[str, Profile],
) -> dict[tuple[str, str], Scenario]:
    stored = _stored_scenarios(versions.values())
    bases = {
        (base.metric_version_id, base.number): base
        for base in BaseScenario.objects.filter(metric_version__in=versions.values())
    }
    new_bases: list[BaseScenario] = []
    new: list[Scenario] = []
    found: list[tuple[Scenario, ResultScenario]] = []
    scenarios = {}
    for metric, version in versions.items():
        for row in rows.get(metric, ()):
            scenario = stored[version.pk].get((row.base_number, row.profile_slug))
            if scenario is None:
                base = bases.get((version.pk, row.base_number))
                if base is None:
                    base = _base(version, row)
                    bases[version.pk, row.base_number] = base
                    new_bases.append(base)
                scenario = _variant(base, profiles[row.profile_slug], row)
                new.append(scenario)
            else:
                found.append((scenario, row))
            scenarios[metric, row.source_id] = scenario
    BaseScenario.objects.bulk_create(refuse_unstorable(new_bases, results.source))
    Scenario.objects.bulk_create(refuse_unstorable(new, results.source))
    fill_texts(found)
    return scenarios


def _base(version: MetricVersion, row: ResultScenario) -> BaseScenario:
    return BaseScenario(
        metric_version=version,
        number=row.base_number,
        title=row.title or "",
        goal=row.goal or "",
        latent_adversarial_goal=row.latent_adversarial_goal or "",
    )


def _variant(base: BaseScenario, profile: Profile, row: ResultScenario) -> Scenario:
    return Scenario(
        base=base,
        profile=profile,
        source_id=row.source_id,
        title=row.title or "",
        persona=row.persona or "",
        anchors=[vars(anchor) for anchor in row.anchors or ()],
        attributes=dict(row.attributes),
        target_system_prompt=row.target_system_prompt or "",
    )


def _stored_scenarios(versions: Iterable[MetricVersion]) -> dict[int, dict[tuple[int, str], Scenario]]:
    found: dict[int, dict[tuple[int, str], Scenario]] = defaultdict(dict)
    scenarios = Scenario.objects.filter(base__metric_version__in=list(versions)).select_related("base", "profile")
    for scenario in scenarios:
        found[scenario.base.metric_version_id][scenario.base.number, scenario.profile.slug] = scenario
    return found


def _by_slug(model: Any, slugs: Sequence[str]) -> dict[str, Any]:
    return {row.slug: row for row in model.objects.filter(slug__in=slugs)}
