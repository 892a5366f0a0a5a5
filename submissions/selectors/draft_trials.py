"""What the page of a drafted scenario shows of its trial conversations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from evaluation.models import GeneratedDraft, LanguageModel
from submissions import trial_words
from submissions.draft_trial_text import briefs_in, tried_text, unreached_turns
from submissions.models import Trial
from submissions.selectors.trials import budget_in_words, likely_in_words, no_more_in_words, shown_anyhow
from submissions.services import trial_budget
from submissions.services.draft_trials import CONVERSATION, TRIED
from submissions.services.trial_models import allowed_for, cost_of_conversation

_OTHER_WORDS = "The draft itself has other words than those that were tried here."


@dataclass(frozen=True, slots=True)
class TrialPanel:
    """What an editor needs to try a draft: `off` says why that is not to be had, `cost` and `budget` are sentences,
    `unreached` the turns of anchors that a trial does not come to, `trial` the shown one, or None."""

    off: str
    budget: str
    models: tuple[LanguageModel, ...]
    cost: str
    unreached: tuple[int, ...]
    trial: dict[str, Any] | None


def trial_panel(row: GeneratedDraft, trial: Trial | None, viewer: Any) -> TrialPanel | None:
    """The panel beside a draft with one of its trials; None for drafts that cannot be tried."""
    if row.kind not in TRIED:
        return None
    models, left = allowed_for(CONVERSATION), trial_budget.left_today(viewer)
    off = no_more_in_words(left, "You can decide without a trial.") if models else trial_words.NO_TRIAL_OF_DRAFTS
    if row.became:
        off = "A draft that was taken over is not tried any more."
    tried = tried_text(row, row.content)
    return TrialPanel(
        off=off,
        budget=budget_in_words(left),
        models=tuple(one.language_model for one in models.values()) if models else (),
        cost=likely_in_words(cost_of_conversation(*briefs_in(tried), models)) if models else "",
        unreached=tuple(unreached_turns(tried)),
        trial=draft_trial_shown(row, trial, viewer) if trial else None,
    )


def draft_trial_shown(row: GeneratedDraft, trial: Trial, viewer: Any) -> dict[str, Any]:
    """A trial of a draft as its fragment shows it."""
    address = reverse("submissions:generated-trial", args=[row.benchmark.slug, row.pk, trial.pk])
    older = "" if trial.content == tried_text(row, row.content) else _OTHER_WORDS
    return shown_anyhow(trial, viewer, address=address, older=older)
