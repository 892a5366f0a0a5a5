"""Trials of tests: models that a scripted server plays, allowed for every part, and a trial worked off at once."""

from decimal import Decimal
from typing import Any

from evaluation.models import GeneratedDraft, LanguageModel
from submissions.draft_trial_text import tried_text
from submissions.models import Submission, Trial
from submissions.services import trial_work, trials
from submissions.services.trial_models import allow

PARTS = {"judge": "trial-judge", "user-simulator": "trial-simulator", "target": "trial-target"}


def allow_models(url: str, *, price: str | None = "1.0", **fields: Any) -> dict[str, LanguageModel]:
    """A model for each part at `url`, allowed for trials; `price` in US dollars per million tokens, None = unknown."""
    models = {}
    for part, slug in PARTS.items():
        models[part] = LanguageModel.objects.create(
            slug=slug,
            name=slug.replace("-", " ").title(),
            provider="Example Provider",
            litellm_model=f"openai/{slug}",
            api_base=url,
            parameters={"max_tokens": 200},
            input_usd_per_million=price and Decimal(price),
            output_usd_per_million=price and Decimal(price),
            **fields,
        )
        allow(models[part], part)
    return models


def worked_off(submission: Submission, kind: str, actor: Any = None) -> Trial:
    """A trial asked for by the owner and done in this process."""
    ask = trials.ask_for_examples_trial if kind == Trial.Kind.EXAMPLES else trials.ask_for_conversation_trial
    trial = ask(submission, actor=actor or submission.owner)
    trial_work.work_on(trial.pk)
    trial.refresh_from_db()
    return trial


def make_draft_trial(row: GeneratedDraft, actor: Any) -> Trial:
    """A trial of a drafted scenario as it reads now, on which nobody works yet."""
    return Trial.objects.create(
        generated=row, kind=Trial.Kind.CONVERSATION, asked_by=actor, content=tried_text(row, row.content)
    )
