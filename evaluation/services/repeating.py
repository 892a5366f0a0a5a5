"""Makes a run that holds the conversations of another one anew: same models, scenarios, wording and settings."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import transaction

from evaluation.engine.prompt_files import prompt_hashes
from evaluation.models import Conversation, LanguageModel, Run, StudyCondition
from evaluation.services import planning
from evaluation.services.code_version import code_version
from evaluation.services.prompts import judge_configuration
from impactbench.common import locking
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

_ROWS_AT_ONCE = 2000


def refuse_unrepeatable(run: Run) -> None:
    """Raise DomainError for a run that is not finished, that was imported or that belongs to a study."""
    if run.kind != Run.Kind.EVALUATION or run.state != Run.State.FINISHED:
        raise DomainError(f"only a finished run of our own can be held again; run {run.slug} is {run.state}")
    if StudyCondition.objects.filter(run=run).exists():
        raise DomainError(f"run {run.slug} belongs to a study, which says itself what is held")


@transaction.atomic
def repeat(run: Run, *, slug: str, budget_usd: Decimal, actor: Any = None) -> Run:
    """A new run of that name with the frozen plan of `run`, by today's prompts and code; not started.

    Writes an audit event. Raises DomainError for a run that cannot be repeated, or where the name is taken.
    """
    refuse_unrepeatable(run)
    locking.wait_for(f"run {slug}")
    if Run.objects.filter(slug=slug).exists():
        raise DomainError(f"there is a run {slug} already")
    spec = {
        **run.spec,
        "name": slug,
        "budget_usd": f"{budget_usd.normalize():f}",
        "code_version": code_version(),
        "prompt_hashes": dict(prompt_hashes(realism=bool(run.spec.get("realism_check")))),
    }
    again = Run.objects.create(
        slug=slug, spec=spec, spec_hash=planning.hash_of(spec), user_simulator=run.user_simulator, turns=run.turns,
        seed=run.seed, prompt_hashes=spec["prompt_hashes"], code_version=spec["code_version"], budget_usd=budget_usd,
        concurrency=run.concurrency, is_demonstration=run.is_demonstration,
    )  # fmt: skip
    again.metric_versions.set(run.metric_versions.all())
    again.targets.set(run.targets.all())
    again.judges.set([judge_configuration(model) for model in _planned_judges(run)])
    _lay_out(run, again)
    record(actor=actor, action="run-repeated", target=again, details={"of": run.slug})
    return again


def _planned_judges(run: Run) -> list[LanguageModel]:
    """The judges of the plan, without those that were added to the run later."""
    models = LanguageModel.objects.filter(judgeconfiguration__runs=run).distinct()
    planned = run.spec.get("judge")
    return list(models.filter(slug__in=planned) if planned else models)


def _lay_out(run: Run, again: Run) -> None:
    held = Conversation.objects.filter(run=run).exclude(state=Conversation.State.EXTRA).order_by("pk")
    rows = held.select_related("target", "scenario__profile", "scenario__base__metric_version__metric")
    Conversation.objects.bulk_create(
        (
            Conversation(
                public_id=planning.public_id(
                    again.slug,
                    planning.conversation_key(planning.scenario_key(row.scenario), row.target.slug, row.sample),
                ),
                run=again,
                scenario=row.scenario,
                target=row.target,
                sample=row.sample,
            )
            for row in rows.iterator(chunk_size=_ROWS_AT_ONCE)
        ),
        batch_size=_ROWS_AT_ONCE,
    )
