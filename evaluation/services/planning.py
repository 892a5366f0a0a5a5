"""Makes a run of a plan: freezes what it names, and lays out every conversation that it asks for."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.db import transaction

from evaluation.engine.prompt_files import prompt_hashes
from evaluation.importers.formats.problems import FileProblem
from evaluation.models import Conversation, LanguageModel, Run, Scenario
from evaluation.plans import DEFAULT_TURNS, MODEL_SETTINGS, Word, read_plan
from evaluation.services import locking
from evaluation.services.code_version import code_version
from evaluation.services.plan_resolving import ResolvedPlan, resolve
from evaluation.services.prompts import judge_configuration
from impactbench.common.audit import record
from impactbench.common.errors import UnusableInput

# Recorded with the run; a later version of the code may go on with it.
_NO_CHANGE_OF_PLAN = frozenset({"code_version"})
_ROWS_AT_ONCE = 2000
_MOST_CHANGES_NAMED = 6


def load_plan(path: Path) -> ResolvedPlan:
    """The plan in a file with the rows behind its names. Raises UnusableInput with file, line and column."""
    try:
        return resolve(read_plan(path))
    except FileProblem as problem:
        raise UnusableInput(str(problem)) from problem


def _with_models_of_others(resolved: ResolvedPlan) -> ResolvedPlan:
    """The plan resolved again when nobody else can add models: another command may have added the same ones."""
    locking.wait_for("new models")
    try:
        return resolve(resolved.plan)
    except FileProblem as problem:
        raise UnusableInput(str(problem)) from problem


def freeze(resolved: ResolvedPlan) -> tuple[Run, bool]:
    """The run of a plan, and whether it is new; the same plan again gives the same run.

    All or nothing: new models, the run and its conversations. Writes an audit event for a new run. Raises
    UnusableInput when a run of that name has another plan, naming what changed.
    """
    with transaction.atomic():
        # Two commands with one plan at the same moment: the second waits and finds the run of the first.
        locking.wait_for(f"run {resolved.plan.name}")
        if any(model.pk is None for model in resolved.planned_models):
            resolved = _with_models_of_others(resolved)
        spec = freezable_spec(resolved)
        known = Run.objects.filter(slug=resolved.plan.name).first()
        if known is not None:
            _check_same(known, spec)
        _save_new_models(resolved)
        if known is not None:
            return known, False
        return _create(resolved, spec), True


def freezable_spec(resolved: ResolvedPlan) -> dict[str, Any]:
    """Everything that decides what a run measures, in plain JSON; models without keys, lists in a fixed order."""
    plan = resolved.plan
    return {
        "name": plan.name,
        "suite": plan.suite.text if plan.suite else None,
        "benchmarks": _sorted(plan.benchmarks),
        "metrics": _sorted(plan.metrics),
        "user_simulator": resolved.user_simulator.slug,
        "judge": _sorted(plan.judges),
        "targets": _sorted(plan.targets),
        "turns": plan.turns,
        "samples": plan.samples,
        "anchors": plan.anchors,
        "adversarial_guidance": plan.adversarial_guidance,
        "typing_edits": plan.typing_edits,
        "profiles": _sorted(plan.profiles),
        "judge_repeats": plan.judge_repeats,
        "seed": plan.seed,
        "concurrency": plan.concurrency,
        "budget_usd": None if plan.budget_usd is None else f"{plan.budget_usd.normalize():f}",
        "allow_cut_replies": plan.allow_cut_replies,
        "structured_simulator": plan.structured_simulator,
        "demonstration": plan.demonstration,
        "models": {slug: _settings_of(model) for slug, model in sorted(resolved.models.items())},
        "metric_versions": {
            version.metric.slug: {"number": version.number, "content_hash": version.content_hash}
            for version in resolved.metric_versions
        },
        "scenarios": {
            "n": len(resolved.scenarios),
            "content_hash": _hash([_scenario_content(scenario) for scenario in resolved.scenarios]),
        },
        "prompt_hashes": dict(prompt_hashes()),
        "code_version": code_version(),
    }


def scenario_key(scenario: Scenario) -> str:
    """The name of a scenario that stays the same in every database: metric, version, number, profile."""
    version = scenario.base.metric_version
    return f"{version.metric.slug}@{version.number}/{scenario.base.number}/{scenario.profile.slug}"


def conversation_key(scenario: str, target: str, sample: int) -> str:
    """What names a conversation for the seeds of its typing edits: the same on every re-run, in every run."""
    return f"{scenario}/{target}/{sample}"


def _create(resolved: ResolvedPlan, spec: dict[str, Any]) -> Run:
    plan = resolved.plan
    run = Run.objects.create(
        slug=plan.name,
        spec=spec,
        spec_hash=_hash(_comparable(spec)),
        user_simulator=resolved.user_simulator,
        turns=plan.turns or DEFAULT_TURNS,
        seed=plan.seed,
        prompt_hashes=spec["prompt_hashes"],
        code_version=spec["code_version"],
        budget_usd=plan.budget_usd,
        is_demonstration=plan.demonstration,
    )
    run.metric_versions.set(resolved.metric_versions)
    run.targets.set(resolved.targets)
    run.judges.set([judge_configuration(model) for model in resolved.judges])
    _lay_out(run, resolved)
    record(actor=None, action="run-planned", target=run, details={"conversations": resolved.n_conversations})
    return run


def _save_new_models(resolved: ResolvedPlan) -> None:
    for model in resolved.planned_models:
        if model.pk is None:
            model.save()
            record(actor=None, action="model-added", target=model)


def _lay_out(run: Run, resolved: ResolvedPlan) -> None:
    """Scenario by scenario through all targets, so that a run stopped early has the same scenarios of every model."""
    rows = (
        Conversation(
            public_id=_public_id(run.slug, conversation_key(scenario_key(scenario), target.slug, sample)),
            run=run,
            scenario=scenario,
            target=target,
            sample=sample,
        )
        for sample in range(1, resolved.plan.samples + 1)
        for scenario in resolved.scenarios
        for target in resolved.targets
    )
    Conversation.objects.bulk_create(rows, batch_size=_ROWS_AT_ONCE)


def _public_id(run: str, key: str) -> str:
    digest = hashlib.sha256(f"{run}\x1f{key}".encode()).digest()
    return base64.b32encode(digest)[:16].decode().lower()


def _check_same(run: Run, spec: dict[str, Any]) -> None:
    if run.kind != Run.Kind.EVALUATION:
        raise UnusableInput(f"the name {run.slug} belongs to imported results; give the plan another name")
    changes = list(_changes(_comparable(run.spec), _comparable(spec)))
    if changes:
        more = "; and more" if len(changes) > _MOST_CHANGES_NAMED else ""
        budget = (
            f", or set another budget with resume_run {run.slug} --budget USD" if "budget_usd" in changes[0] else ""
        )
        raise UnusableInput(
            f"run {run.slug} exists with another plan: {'; '.join(changes[:_MOST_CHANGES_NAMED])}{more}. "
            f"Undo the change, or give the plan another name{budget}"
        )


def _comparable(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in spec.items() if key not in _NO_CHANGE_OF_PLAN}


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], within: str = "") -> Iterator[str]:
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        name = f"{within}{key.replace('_', ' ') if within else key}"
        if isinstance(before, dict) and isinstance(after, dict) and key != "parameters":
            yield from _changes(before, after, f"{_SINGULAR.get(key, name)} ")
        elif "content_hash" in key or within.startswith("prompt "):
            yield f"{within.strip() if 'content_hash' in key else name} was changed"
        else:
            yield f"{name} was {_shown(before)} and is {_shown(after)}"


_SINGULAR = {"models": "model", "metric_versions": "metric", "prompt_hashes": "prompt"}


def _shown(value: Any) -> str:
    if value is None or value == []:
        return "not given"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _sorted(words: Iterable[Word]) -> list[str]:
    return sorted(word.text for word in words)


def _settings_of(model: LanguageModel) -> dict[str, Any]:
    settings = {key: getattr(model, key) for key in MODEL_SETTINGS}
    for key in ("input_usd_per_million", "output_usd_per_million"):
        settings[key] = None if settings[key] is None else f"{settings[key].normalize():f}"
    return settings


def _scenario_content(scenario: Scenario) -> list[Any]:
    base = scenario.base
    return [
        scenario_key(scenario),
        scenario.persona,
        base.goal,
        base.latent_adversarial_goal,
        scenario.anchors,
        scenario.target_system_prompt,
        scenario.turns,
    ]


def _hash(content: Any) -> str:
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
