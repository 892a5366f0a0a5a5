"""Makes a run of a plan: freezes what it names, and lays out every conversation that it asks for."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db import transaction

from evaluation.engine.prompt_files import prompt_hashes
from evaluation.importers.formats.problems import FileProblem
from evaluation.models import Conversation, LanguageModel, Run, Scenario
from evaluation.plans import DEFAULT_TURNS, MODEL_SETTINGS, Plan, Word, read_plan
from evaluation.services import running
from evaluation.services.code_version import code_version
from evaluation.services.judge_calibration import refuse_failing_judges
from evaluation.services.plan_resolving import ResolvedPlan, resolve
from evaluation.services.prompts import judge_configuration
from impactbench.common import locking
from impactbench.common.audit import record
from impactbench.common.errors import UnusableInput

# Recorded with the run and no part of what it measures: other code, pace and money may go on with it.
_NO_CHANGE_OF_PLAN = frozenset({"budget_usd", "code_version", "concurrency", "unpriced_call_usd"})
# What plans that were frozen before these keys existed mean by leaving them out.
_BEFORE_THERE_WERE_KEYS = {"realism_check": False}
_ROWS_AT_ONCE = 2000
_MOST_CHANGES_NAMED = 6


def load_plan(path: Path) -> ResolvedPlan:
    """The plan in a file with the rows behind its names. Raises UnusableInput with file, line and column."""
    try:
        return resolve_plan(read_plan(path))
    except FileProblem as problem:
        raise UnusableInput(str(problem)) from problem


def resolve_plan(plan: Plan) -> ResolvedPlan:
    """The rows behind the names of a plan that somebody wrote. Raises FileProblem with the place of what is wrong.

    That may be a judge that people found to agree too little.
    """
    resolved = resolve(plan)
    refuse_failing_judges(resolved)
    return resolved


def _with_models_of_others(resolved: ResolvedPlan) -> ResolvedPlan:
    """The plan resolved again when nobody else can add models: another command may have added the same ones."""
    locking.wait_for("new models")
    try:
        return resolve(resolved.plan)
    except FileProblem as problem:
        raise UnusableInput(str(problem)) from problem


def freeze(
    resolved: ResolvedPlan, *, actor: Any = None, lay_out: Callable[[Run, ResolvedPlan], None] | None = None
) -> tuple[Run, bool]:
    """The run of a plan, and whether it is new; the same plan again gives the same run.

    Another budget or concurrency is no other plan: the run takes it over. `lay_out` puts other conversations into a
    new run than those to be held (saved ones that are only read by judges).

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
        _save_new_models(resolved, actor)
        if known is not None:
            _take_over(known, resolved, actor)
            return known, False
        return _create(resolved, spec, actor, lay_out or _lay_out), True


def refuse_taken_name(resolved: ResolvedPlan) -> None:
    """Raises what `freeze` raises for the name of another plan's run, without keeping anything."""
    known = Run.objects.filter(slug=resolved.plan.name).first()
    if known is not None:
        _check_same(known, freezable_spec(resolved))


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
        "budget_usd": _dollars(plan.budget_usd),
        "unpriced_call_usd": _dollars(plan.unpriced_call_usd),
        "allow_cut_replies": plan.allow_cut_replies,
        "structured_simulator": plan.structured_simulator,
        "realism_check": plan.realism_check,
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
        "prompt_hashes": dict(prompt_hashes(realism=plan.realism_check)),
        "code_version": code_version(),
    }


def scenario_key(scenario: Scenario) -> str:
    """The name of a scenario that stays the same in every database: metric, version, number, profile."""
    version = scenario.base.metric_version
    return f"{version.metric.slug}@{version.number}/{scenario.base.number}/{scenario.profile.slug}"


def conversation_key(scenario: str, target: str, sample: int) -> str:
    """What names a conversation for the seeds of its typing edits: the same on every re-run, in every run."""
    return f"{scenario}/{target}/{sample}"


def _create(
    resolved: ResolvedPlan, spec: dict[str, Any], actor: Any, lay_out: Callable[[Run, ResolvedPlan], None]
) -> Run:
    plan = resolved.plan
    run = Run.objects.create(
        slug=plan.name,
        spec=spec,
        spec_hash=hash_of(spec),
        user_simulator=resolved.user_simulator,
        turns=plan.turns or DEFAULT_TURNS,
        seed=plan.seed,
        prompt_hashes=spec["prompt_hashes"],
        code_version=spec["code_version"],
        budget_usd=plan.budget_usd,
        concurrency=plan.concurrency,
        is_demonstration=plan.demonstration,
    )
    run.metric_versions.set(resolved.metric_versions)
    run.targets.set(resolved.targets)
    run.judges.set([judge_configuration(model) for model in resolved.judges])
    lay_out(run, resolved)
    record(actor=actor, action="run-planned", target=run, details={"conversations": run.conversations.count()})
    return run


def _take_over(run: Run, resolved: ResolvedPlan, actor: Any) -> None:
    """The pace and the money of a plan that is given again, where they were changed in it."""
    plan = resolved.plan
    if plan.concurrency != run.concurrency:
        running.change_concurrency(run, plan.concurrency, actor=actor)
    was_planned, is_planned = run.spec.get("budget_usd"), _dollars(plan.budget_usd)
    if was_planned != is_planned and run.budget_usd != plan.budget_usd:
        running.raise_budget(run, plan.budget_usd, actor=actor)


def _save_new_models(resolved: ResolvedPlan, actor: Any) -> None:
    for model in resolved.planned_models:
        if model.pk is None:
            model.save()
            record(actor=actor, action="model-added", target=model)


def _lay_out(run: Run, resolved: ResolvedPlan) -> None:
    """Scenario by scenario through all targets, so that a run stopped early has the same scenarios of every model."""
    rows = (
        Conversation(
            public_id=public_id(run.slug, conversation_key(scenario_key(scenario), target.slug, sample)),
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


def public_id(run: str, key: str) -> str:
    """The public name of the conversation that `key` names in a run."""
    digest = hashlib.sha256(f"{run}\x1f{key}".encode()).digest()
    return base64.b32encode(digest)[:16].decode().lower()


def _check_same(run: Run, spec: dict[str, Any]) -> None:
    if run.kind != Run.Kind.EVALUATION:
        raise UnusableInput(f"the name {run.slug} belongs to imported results; give the plan another name")
    changes = list(_changes(_comparable(run.spec), _comparable(spec)))
    if changes:
        more = "; and more" if len(changes) > _MOST_CHANGES_NAMED else ""
        raise UnusableInput(
            f"run {run.slug} exists with another plan: {'; '.join(changes[:_MOST_CHANGES_NAMED])}{more}. "
            f"Undo the change, or give the plan another name"
        )


def _comparable(spec: Mapping[str, Any]) -> dict[str, Any]:
    whole = {**_BEFORE_THERE_WERE_KEYS, **spec}
    return {key: value for key, value in whole.items() if key not in _NO_CHANGE_OF_PLAN}


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
        settings[key] = _dollars(settings[key])
    return settings


def _dollars(usd: Decimal | None) -> str | None:
    return None if usd is None else f"{usd.normalize():f}"


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


def hash_of(spec: Mapping[str, Any]) -> str:
    """What names a frozen plan, whatever its budget, pace and code."""
    return _hash(_comparable(spec))


def _hash(content: Any) -> str:
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
