"""Which models trials may use: operators allow registered ones, one for each part, and withdraw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.engine.types import MetricBrief, ScenarioBrief
from evaluation.models import LanguageModel
from evaluation.services import trial_costs
from evaluation.services.trial_costs import PaidModel, TrialCost
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.models import Trial, TrialModel
from submissions.models.trials import TrialModelPart

USUAL_CEILING_USD = Decimal("0.0200")
MOST_CEILING_USD = Decimal(1000)
PARTS: dict[str, tuple[TrialModelPart, ...]] = {
    Trial.Kind.EXAMPLES: (TrialModelPart.JUDGE,),
    Trial.Kind.CONVERSATION: (TrialModelPart.USER_SIMULATOR, TrialModelPart.TARGET, TrialModelPart.JUDGE),
}


def callable_models() -> list[LanguageModel]:
    """The registered models that can be called at all; imported ones cannot."""
    return list(LanguageModel.objects.exclude(litellm_model=""))


def allowed_for(kind: str) -> dict[str, TrialModel] | None:
    """The models of such a trial by part; None unless an operator has allowed one for each."""
    found = {row.part: row for row in TrialModel.objects.filter(part__in=PARTS[kind]).select_related("language_model")}
    return {part.value: found[part] for part in PARTS[kind]} if len(found) == len(PARTS[kind]) else None


def paid(row: TrialModel) -> PaidModel:
    """The model with its ceiling."""
    return PaidModel(row.language_model, row.ceiling_usd)


def cost_of_conversation(
    metrics: Sequence[MetricBrief],
    scenario: ScenarioBrief,
    models: Mapping[str, TrialModel],
    *,
    turns: int = trial_costs.TRIAL_TURNS,
) -> TrialCost:
    """What a trial conversation with these models likely costs, and at most."""
    simulator, target, judge = (paid(models[part]) for part in PARTS[Trial.Kind.CONVERSATION])
    return trial_costs.cost_of_conversation(metrics, scenario, simulator, target, judge, turns=turns)


def with_target(models: Mapping[str, TrialModel], slug: str) -> dict[str, TrialModel]:
    """The models of a trial with another registered one as target, at the ceiling of the allowed one; '' changes none.

    Raises DomainError unless it is registered and can be called.
    """
    usual = models[TrialModelPart.TARGET]
    if slug in ("", usual.language_model.slug):
        return dict(models)
    chosen = next((one for one in callable_models() if one.slug == slug), None)
    if chosen is None:
        raise DomainError("Choose one of the registered models to try it with.")
    return {
        **models,
        TrialModelPart.TARGET.value: TrialModel(
            part=TrialModelPart.TARGET, language_model=chosen, ceiling_usd=usual.ceiling_usd
        ),
    }


@transaction.atomic
def allow(
    model: LanguageModel, part: str, *, ceiling_usd: Decimal = USUAL_CEILING_USD, actor: Any = None
) -> TrialModel:
    """Let trials use `model` in a part, instead of the one before. `ceiling_usd` is what a call counts at most where
    its price is unknown. Raises DomainError for a model that cannot be called, or a ceiling that is none.
    """
    if not model.litellm_model:
        raise DomainError(f"{model.slug} comes from imported results and cannot be called; choose another model")
    if not (ceiling_usd.is_finite() and 0 < ceiling_usd < MOST_CEILING_USD):
        raise DomainError(f"The ceiling of a call must be more than 0 and less than {MOST_CEILING_USD} US dollars.")
    row, _ = TrialModel.objects.update_or_create(
        part=TrialModelPart(part).value,
        defaults={
            "language_model": model,
            "ceiling_usd": ceiling_usd.quantize(Decimal("0.0001")) or Decimal("0.0001"),
            "allowed_by": actor,
            "allowed_at": timezone.now(),
        },
    )
    details = {"part": row.part, "ceiling_usd": str(row.ceiling_usd)}
    record(actor=actor, action="trial-model-allowed", target=model, details=details)
    return row


@transaction.atomic
def withdraw(part: str, *, actor: Any = None) -> bool:
    """No longer allow any model in a part; whether there was one."""
    row = TrialModel.objects.filter(part=TrialModelPart(part).value).select_related("language_model").first()
    if row is None:
        return False
    row.delete()
    record(actor=actor, action="trial-model-withdrawn", target=row.language_model, details={"part": row.part})
    return True
