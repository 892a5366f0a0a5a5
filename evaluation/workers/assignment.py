"""What a worker must know of a run before it begins, read once through Django."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from evaluation.engine.judge import compose_rubric
from evaluation.engine.types import MetricBrief
from evaluation.llm.configuration import ModelConfiguration
from evaluation.models import LanguageModel, Run, StudyCondition
from evaluation.plans import unpriced_call_usd
from evaluation.services.briefs import metric_brief
from evaluation.services.judging import judges_of
from evaluation.services.model_configurations import configuration_of


@dataclass(frozen=True, slots=True)
class Role:
    """A model that takes part: how it is called, and its own system prompt."""

    configuration: ModelConfiguration
    system_prompt: str | None

    @property
    def slug(self) -> str:
        return self.configuration.slug


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge configuration by its id, its model, and how often it judges each conversation."""

    id: int
    model: Role
    repeats: int


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric version: what the simulator and the judge read of it, and its name in conversation keys."""

    key: str
    brief: MetricBrief
    rubric: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """A run as its workers see it."""

    run: int
    slug: str
    spec: dict[str, Any]
    concurrency: int
    budget_usd: Decimal | None
    simulator: Role
    targets: dict[int, Role]
    judges: tuple[Judge, ...]
    measures: dict[int, Measure]
    # The run whose user messages are used again, in a study by machine.
    held_to: int | None = None

    @property
    def unpriced_call_usd(self) -> Decimal:
        """What a call of unknown price counts against the budget."""
        return unpriced_call_usd(self.spec)

    @property
    def roles(self) -> list[Role]:
        """Every model once."""
        roles = [self.simulator, *self.targets.values(), *(judge.model for judge in self.judges)]
        return list({role.slug: role for role in roles}.values())


def assignment_of(run: Run) -> Assignment:
    """The assignment of an evaluation run (an imported one has no work)."""
    assert run.user_simulator is not None
    return Assignment(
        run=run.pk,
        slug=run.slug,
        spec=run.spec,
        concurrency=run.concurrency or int(run.spec["concurrency"]),
        budget_usd=run.budget_usd,
        simulator=_role(run.user_simulator),
        targets={target.pk: _role(target) for target in run.targets.all()},
        judges=tuple(Judge(judge.pk, _role(model), repeats) for judge, model, repeats in judges_of(run)),
        measures={
            version.pk: Measure(
                key=f"{version.metric.slug}@{version.number}",
                brief=metric_brief(version),
                rubric=compose_rubric(metric_brief(version)),
            )
            for version in run.metric_versions.select_related("metric")
        },
        held_to=StudyCondition.objects.filter(run=run).values_list("held_to__run", flat=True).first(),
    )


def _role(model: LanguageModel) -> Role:
    return Role(configuration_of(model), model.system_prompt)
