"""The plans of a study's conditions: the plan of the run it was drawn from, with what each condition changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from evaluation.importers.formats.problems import FileProblem
from evaluation.models import Run, Scenario, Study, Suite
from evaluation.plans import Plan, Word, unpriced_call_usd
from evaluation.services.estimating import Estimate, estimate
from evaluation.services.plan_resolving import SCENARIO_ORDER, ResolvedPlan, resolve
from evaluation.services.run_likeness import differences_in_making
from evaluation.studies.designs import JudgeComparison, design_of
from evaluation.studies.machine.conditions import Condition, conditions_of
from impactbench.common.errors import DomainError

JUDGE = "judge"
_MOST_NAME = 100
_VERSION = 1
# What every frozen plan has; results that were put together otherwise have less.
_NEEDED = (
    "user_simulator",
    "judge",
    "judge_repeats",
    "turns",
    "samples",
    "seed",
    "concurrency",
    "anchors",
    "adversarial_guidance",
    "typing_edits",
    "allow_cut_replies",
    "structured_simulator",
    "demonstration",
)


@dataclass(frozen=True, slots=True)
class PlannedCondition:
    """A condition with the plan of its run."""

    condition: Condition
    resolved: ResolvedPlan

    def estimate(self) -> Estimate:
        """What it will likely take; saved transcripts are only read by judges."""
        whole = estimate(self.resolved)
        if self.condition.simulates:
            return whole
        return replace(whole, lines=tuple(line for line in whole.lines if line.role == JUDGE))


def planned_conditions(study: Study, budget_usd: Decimal | None = None) -> list[PlannedCondition]:
    """Every condition of a study by machine with its plan, each of which may spend `budget_usd` (None: no limit).

    Nothing is written (`make_suite` is for who starts it).

    Raises DomainError where the study's runs cannot be run again, and says why.
    """
    conditions = conditions_of(design_of(study.kind, study.design))
    _refuse_too_few_judges(study, conditions)
    source, scenarios = plan_source(list(study.runs.order_by("slug"))), _drawn_scenarios(study)
    targets = sorted(set(study.items.order_by().values_list("target__slug", flat=True)))
    return [
        PlannedCondition(condition, _resolved(_plan(study, number, condition, source, targets, budget_usd), scenarios))
        for number, condition in enumerate(conditions, start=1)
    ]


def make_suite(study: Study) -> Suite:
    """The suite that the plans name: the metric versions and scenarios that were drawn, under the name of the study."""
    title = f"Drawn for the study {study.title}"[:200]
    suite = Suite.objects.create(slug=study.public_id, version=_VERSION, title=title)
    scenarios = _drawn_scenarios(study)
    suite.metric_versions.set({scenario.base.metric_version for scenario in scenarios})
    suite.scenarios.set(scenarios)
    return suite


def _drawn_scenarios(study: Study) -> list[Scenario]:
    drawn = study.items.order_by().values("scenario")
    related = Scenario.objects.select_related("base__metric_version__metric", "profile")
    return list(related.filter(pk__in=drawn).order_by(*SCENARIO_ORDER))


def _refuse_too_few_judges(study: Study, conditions: tuple[Condition, ...]) -> None:
    if isinstance(design_of(study.kind, study.design), JudgeComparison) and len(conditions) < 2:
        raise DomainError("A comparison needs two judges or more: design the study again and name them.")


def plan_source(runs: Sequence[Run]) -> Run:
    """The run whose plan a study by machine takes: any of its runs, since they must be alike.

    Raises DomainError where nothing can be run again, and says why in one sentence: who designs a study is told it.
    """
    imported = [run.slug for run in runs if is_imported(run)]
    if imported or not runs:
        raise DomainError(
            f"Imported results ({', '.join(imported) or 'there is no run'}) have no plan, and models that nobody here "
            "can ask, so no judge can be asked again about them: choose runs that were held here."
        )
    incomplete = [run.slug for run in runs if not set(_NEEDED) <= set(run.spec)]
    if incomplete:
        raise DomainError(f"The plan of {', '.join(incomplete)} is not whole, so it cannot be run again.")
    unlike = differences_in_making(runs, judge_is_named=False)
    if unlike:
        raise DomainError(f"These runs were not made alike, so they have no common plan: {unlike[0]}.")
    return runs[0]


def is_imported(run: Run) -> bool:
    """Whether its conversations were held elsewhere."""
    return run.kind != Run.Kind.EVALUATION


def _plan(
    study: Study, number: int, condition: Condition, source: Run, targets: list[str], budget_usd: Decimal | None
) -> Plan:
    spec: dict[str, Any] = {**source.spec, **condition.changes}
    judges = spec["judge"] if isinstance(spec["judge"], list) else [spec["judge"]]
    return Plan(
        file=Path(study.public_id),
        name=f"{study.public_id}-{number}-{condition.slug}"[:_MOST_NAME].rstrip("-"),
        suite=_word(f"{study.public_id}@{_VERSION}"),
        benchmarks=(),
        metrics=(),
        user_simulator=_word(spec["user_simulator"]),
        judges=tuple(map(_word, judges)),
        targets=tuple(map(_word, targets)),
        turns=spec["turns"],
        samples=spec["samples"] if condition.simulates else 1,
        profiles=(),
        judge_repeats=spec["judge_repeats"],
        seed=spec["seed"],
        concurrency=spec["concurrency"],
        budget_usd=budget_usd,
        unpriced_call_usd=Decimal(unpriced_call_usd(spec)),
        anchors=bool(spec["anchors"]),
        adversarial_guidance=bool(spec["adversarial_guidance"]),
        typing_edits=bool(spec["typing_edits"]),
        allow_cut_replies=bool(spec["allow_cut_replies"]),
        structured_simulator=bool(spec["structured_simulator"]),
        realism_check=bool(spec.get("realism_check", False)),
        demonstration=bool(spec["demonstration"]),
        models=(),
    )


def _word(text: str) -> Word:
    return Word(text, 1, 1)


def _resolved(plan: Plan, scenarios: list[Scenario]) -> ResolvedPlan:
    try:
        return resolve(plan, scenarios=scenarios)
    except FileProblem as problem:
        raise DomainError(f"{problem.message[:1].upper()}{problem.message[1:]}.") from problem
