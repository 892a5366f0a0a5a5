"""What the names in a plan stand for: looked up in the database, checked, and not yet written."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from evaluation.engine.types import ConversationSettings
from evaluation.engine.user_simulator import simulator_messages
from evaluation.importers.formats.problems import FileProblem
from evaluation.llm.pricing import likely_cost, price_of
from evaluation.models import Benchmark, LanguageModel, Metric, MetricVersion, Profile, Scenario, Suite
from evaluation.plans import MODEL_SETTINGS, Plan, PlannedModel, Word, turn_limit
from evaluation.services.briefs import metric_brief, scenario_brief
from evaluation.services.model_configurations import configuration_of

SCENARIO_ORDER = ("base__number", "base__metric_version__metric__slug", "profile__order", "pk")
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class ResolvedPlan:
    """A plan with the rows behind its names. Models that are new to the database are not saved yet."""

    plan: Plan
    planned_models: tuple[LanguageModel, ...]
    user_simulator: LanguageModel
    judges: tuple[LanguageModel, ...]
    targets: tuple[LanguageModel, ...]
    metric_versions: tuple[MetricVersion, ...]
    scenarios: tuple[Scenario, ...]

    @property
    def models(self) -> dict[str, LanguageModel]:
        """Every model that takes part, by slug."""
        return {model.slug: model for model in (self.user_simulator, *self.judges, *self.targets)}

    @property
    def n_conversations(self) -> int:
        return len(self.scenarios) * len(self.targets) * self.plan.samples


def resolve(plan: Plan, *, scenarios: Sequence[Scenario] | None = None) -> ResolvedPlan:
    """The rows that `plan` names. Writes nothing. Raises FileProblem with the place of what is wrong.

    `scenarios` are those of a suite that is yet to be made.
    """
    models = planned_models(plan.file, plan.models)
    if scenarios is None:
        versions = _metric_versions(plan)
        scenarios = _scenarios(plan, versions)
    else:
        of_scenarios = {scenario.base.metric_version_id: scenario.base.metric_version for scenario in scenarios}
        versions = _runnable_only(plan, list(of_scenarios.values()), plan.suite or Word(plan.name, 1, 1))
    resolved = ResolvedPlan(
        plan=plan,
        planned_models=tuple(models.values()),
        user_simulator=_model(plan, plan.user_simulator, models),
        judges=tuple(_model(plan, word, models) for word in plan.judges),
        targets=tuple(_model(plan, word, models) for word in plan.targets),
        metric_versions=versions,
        scenarios=tuple(scenarios),
    )
    _check_turns(plan, scenarios)
    _check_budget(resolved)
    return resolved


def missing_keys(models: Iterable[LanguageModel], known: Collection[str] | None = None) -> list[str]:
    """One sentence for each model whose environment variable with the key is not set.

    `known` are the variables that standing workers have; None means that the keys of this process count.
    """
    where = "" if known is None else " in any worker"
    return [
        f"the environment variable {model.api_key_env} of model {model.slug} is not set{where}"
        for model in models
        if model.api_key_env and not _is_set(model.api_key_env, known)
    ]


def _is_set(variable: str, known: Collection[str] | None) -> bool:
    return bool(os.environ.get(variable, "").strip()) if known is None else variable in known


def planned_models(file: Path, planned: Sequence[PlannedModel]) -> dict[str, LanguageModel]:
    """The rows of models described in `file`, by slug: known ones, and new ones that are not saved yet.

    Raises FileProblem where a known model is described with other settings, or one cannot be called as described.
    """
    known = LanguageModel.objects.in_bulk([model.slug.text for model in planned], field_name="slug")
    return {model.slug.text: _planned_model(file, model, known) for model in planned}


def _planned_model(file: Path, planned: PlannedModel, known: dict[str, LanguageModel]) -> LanguageModel:
    slug, place = planned.slug.text, (planned.slug.line, planned.slug.column)
    new = LanguageModel(slug=slug, accessed_on=timezone.now().date(), **planned.settings)
    try:
        configuration_of(new)
    except ValueError as problem:
        raise FileProblem(file, str(problem), *place) from problem
    if slug not in known:
        return new
    differences = [
        f"{key} {_shown(getattr(known[slug], key))} is {_shown(planned.settings[key])} here"
        for key in MODEL_SETTINGS
        if getattr(known[slug], key) != planned.settings[key]
    ]
    if differences:
        message = "; ".join(differences)
        raise FileProblem(file, f"model {slug!r} is known with other settings: {message}; give it another slug", *place)
    return known[slug]


def _shown(value: Any) -> str:
    text = "null" if value is None else repr(value) if isinstance(value, str | dict) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _model(plan: Plan, word: Word, planned: dict[str, LanguageModel]) -> LanguageModel:
    model = planned.get(word.text) or LanguageModel.objects.filter(slug=word.text).first()
    if model is None:
        slugs = [*planned, *LanguageModel.objects.values_list("slug", flat=True)]
        plan.refuse(_unknown("model", word, slugs), word)
    if not model.litellm_model:
        plan.refuse(
            f"model {word.text!r} comes from imported results and cannot be called; "
            "describe it under models, with another slug",
            word,
        )
    return model


def _unknown(kind: str, word: Word, known: Iterable[str]) -> str:
    near = get_close_matches(word.text, sorted(set(known)), n=2, cutoff=0.6)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"there is no {kind} {word.text!r}{hint}"


def _metric_versions(plan: Plan) -> tuple[MetricVersion, ...]:
    if plan.suite is not None:
        return _runnable_only(plan, list(_suite(plan, plan.suite).metric_versions.select_related("metric")), plan.suite)
    found: dict[int, MetricVersion] = {}
    for word in plan.benchmarks:
        benchmark = Benchmark.objects.filter(slug=word.text).first()
        if benchmark is None:
            plan.refuse(_unknown("benchmark", word, Benchmark.objects.values_list("slug", flat=True)), word)
        metrics = Metric.objects.filter(benchmark=benchmark)
        found |= {version.pk: version for version in _newest_runnable(plan, metrics, word)}
    for word in plan.metrics:
        metrics = Metric.objects.filter(slug=word.text)
        if not metrics.exists():
            plan.refuse(_unknown("metric", word, Metric.objects.values_list("slug", flat=True)), word)
        found |= {version.pk: version for version in _newest_runnable(plan, metrics, word)}
    return tuple(sorted(found.values(), key=lambda version: version.metric.slug))


def _suite(plan: Plan, word: Word) -> Suite:
    slug, _, version = word.text.partition("@")
    suites = Suite.objects.filter(slug=slug).order_by("-version")
    if version:
        suites = suites.filter(version=int(version)) if version.isdecimal() else suites.none()
    suite = suites.first()
    if suite is None:
        plan.refuse(_unknown("suite", word, [str(known) for known in Suite.objects.all()]), word)
    return suite


def _newest_runnable(plan: Plan, metrics: QuerySet[Metric], word: Word) -> Sequence[MetricVersion]:
    """The newest runnable version of each metric; refuses where a metric has none."""
    slugs = set(metrics.values_list("slug", flat=True))
    versions = MetricVersion.objects.filter(metric__in=metrics, is_runnable=True).select_related("metric")
    newest = {version.metric.slug: version for version in versions.order_by("metric__slug", "number")}
    drafts = slugs - newest.keys()
    if drafts or not slugs:
        _refuse_drafts(plan, drafts, word)
    return list(newest.values())


def _runnable_only(plan: Plan, versions: list[MetricVersion], word: Word) -> tuple[MetricVersion, ...]:
    drafts = {version.metric.slug for version in versions if not version.is_runnable}
    if drafts or not versions:
        _refuse_drafts(plan, drafts, word)
    return tuple(sorted(versions, key=lambda version: version.metric.slug))


def _refuse_drafts(plan: Plan, drafts: set[str], word: Word) -> None:
    if not drafts:
        plan.refuse(f"{word.text} has no metric", word)
    named = ", ".join(sorted(drafts)[:_MOST_NAMED]) + (" and others" if len(drafts) > _MOST_NAMED else "")
    plan.refuse(f"not runnable yet: {named}; an editor must accept the draft first", word)


def _scenarios(plan: Plan, versions: Sequence[MetricVersion]) -> tuple[Scenario, ...]:
    profiles = _profiles(plan)
    scenarios = Scenario.objects.filter(base__metric_version__in=versions).select_related(
        "base__metric_version__metric", "profile"
    )
    if plan.suite is not None:
        chosen = _suite(plan, plan.suite).scenarios.all()
        scenarios = scenarios.filter(pk__in=chosen) if chosen.exists() else scenarios
    if profiles:
        scenarios = scenarios.filter(profile__in=profiles)
    found = tuple(scenarios.order_by(*SCENARIO_ORDER))
    covered = {scenario.base.metric_version_id for scenario in found}
    for version in versions:
        if version.pk not in covered:
            of_profiles = f" for {' or '.join(profile.slug for profile in profiles)}" if profiles else ""
            plan.refuse(f"metric {version.metric.slug} has no scenario{of_profiles}", "profiles")
    return found


def _profiles(plan: Plan) -> list[Profile]:
    known = Profile.objects.in_bulk(field_name="slug")
    for word in plan.profiles:
        if word.text not in known:
            plan.refuse(_unknown("profile", word, known), word)
    return [known[word.text] for word in plan.profiles]


def _check_turns(plan: Plan, scenarios: Sequence[Scenario]) -> None:
    if not plan.anchors:
        return
    for scenario in scenarios:
        last, limit = _last_anchor(scenario), turn_limit(plan.turns, scenario.turns)
        if last > limit:
            version = scenario.base.metric_version
            plan.refuse(
                f"{limit} turns end before the last anchor (turn {last}) of scenario {scenario.base.number} "
                f"({scenario.source_id or scenario.profile.slug}) of metric {version.metric.slug}; "
                f"{_more_turns(scenario, scenarios)}",
                "turns",
            )


def _more_turns(scenario: Scenario, scenarios: Sequence[Scenario]) -> str:
    """What lets all anchors come to their turn: a number for the plan, unless the scenario itself ends before."""
    if scenario.turns is not None and scenario.turns < _last_anchor(scenario):
        return "the scenario itself ends so early: correct it, or plan without anchors"
    needed = max(_last_anchor(one) for one in scenarios)
    return f"give {needed} turns, which is enough for all scenarios of this plan, or plan without anchors"


def _last_anchor(scenario: Scenario) -> int:
    return max((int(anchor["turn"]) for anchor in scenario.anchors), default=0)


def _check_budget(resolved: ResolvedPlan) -> None:
    """A budget that does not even let the first message be written is a slip of the pen."""
    plan = resolved.plan
    if plan.budget_usd is None:
        return
    model, scenario = resolved.user_simulator, resolved.scenarios[0]
    first = simulator_messages(
        metric_brief(scenario.base.metric_version),
        scenario_brief(scenario),
        ConversationSettings(turns=turn_limit(plan.turns, scenario.turns)),
        [],
    )
    price, most = price_of(configuration_of(model)), model.parameters.get("max_tokens")
    usd = likely_cost(price, first, most, unpriced_usd=plan.unpriced_call_usd)
    if usd > plan.budget_usd:
        plan.refuse(
            f"a budget of ${plan.budget_usd:f} does not pay for the first call, which may cost ${usd:.6f}; "
            "set a higher one, or none for no limit",
            "budget_usd",
        )
