"""The plans of a study's conditions: the plan of the run it was drawn from, with what each condition changes."""

from __future__ import annotations

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


def planned_conditions(study: Study) -> list[PlannedCondition]:
    """Every condition of a study by machine with its plan; nothing is written (`make_suite` is for who starts it).

    Raises DomainError where the study's runs cannot be run again, and says why.
    """
    conditions = conditions_of(design_of(study.kind, study.design))
    _refuse_too_few_judges(study, conditions)
    source, scenarios = _source(study), _drawn_scenarios(study)
    targets = sorted(set(study.items.order_by().values_list("target__slug", flat=True)))
    return [
        PlannedCondition(condition, _resolved(_plan(study, number, condition, source, targets), scenarios))
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


def _source(study: Study) -> Run:
    """The run whose plan is taken: any of the study's, since they must be alike."""
    runs = list(study.runs.order_by("slug"))
    imported = [run.slug for run in runs if run.kind != Run.Kind.EVALUATION]
    if imported or not runs:
        raise DomainError(
            f"Imported results have no plan that could be run again: {', '.join(imported) or 'there is no run'}. "
            "Design the study on runs of our own."
        )
    incomplete = [run.slug for run in runs if not set(_NEEDED) <= set(run.spec)]
    if incomplete:
        raise DomainError(f"The plan of {', '.join(incomplete)} is not whole, so it cannot be run again.")
    unlike = differences_in_making(runs, judge_is_named=False)
    if unlike:
        raise DomainError(f"The runs of this study were not made alike: {unlike[0]}. Design it on runs that are.")
    return runs[0]


def _plan(study: Study, number: int, condition: Condition, source: Run, targets: list[str]) -> Plan:
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
        budget_usd=study.budget_usd,
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
