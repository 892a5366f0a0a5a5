"""What the page of a drafted scenario shows of its trial conversations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from evaluation.models import GeneratedDraft, LanguageModel
from evaluation.services.trial_costs import MOST_TRIAL_TURNS, TRIAL_TURNS
from impactbench.common.errors import DomainError
from submissions import trial_words
from submissions.draft_trial_text import briefs_in, tried_text, unreached_turns
from submissions.models import Trial, TrialModel
from submissions.selectors.trials import budget_in_words, likely_in_words, no_more_in_words, shown_anyhow
from submissions.services import trial_budget
from submissions.services.draft_trials import CONVERSATION, TRIED, turns_of
from submissions.services.trial_models import allowed_for, callable_models, cost_of_conversation, with_target

_OTHER_WORDS = "The draft itself has other words than those that were tried here."


@dataclass(frozen=True, slots=True)
class Choice:
    """With which model as target a draft is tried, by its slug ('' for the usual one), and for how many turns."""

    target: str = ""
    turns: int = TRIAL_TURNS


@dataclass(frozen=True, slots=True)
class TrialPanel:
    """What an editor needs to try a draft: `off` says why that is not to be had, `cost` and `budget` are sentences,
    `targets` the models to choose from, each with whether it is chosen, `unreached` the turns of anchors that a trial
    of so many `turns` does not come to, `trial` the shown one, or None."""

    off: str
    budget: str
    models: tuple[LanguageModel, ...]
    targets: tuple[tuple[LanguageModel, bool], ...]
    turns: int
    lengths: range
    cost: str
    unreached: tuple[int, ...]
    trial: dict[str, Any] | None


def choice_of(trial: Trial | None) -> Choice:
    """What was chosen for a trial; the usual without one."""
    if trial is None or not trial.asked_models:
        return Choice()
    return Choice(trial.asked_models["target"]["slug"], turns_of(trial))


def trial_panel(row: GeneratedDraft, trial: Trial | None, viewer: Any, choice: Choice) -> TrialPanel | None:
    """The panel beside a draft with one of its trials; None for drafts that cannot be tried."""
    if row.kind not in TRIED:
        return None
    models, left = _models(choice), trial_budget.left_today(viewer)
    off = no_more_in_words(left, "You can decide without a trial.") if models else trial_words.NO_TRIAL_OF_DRAFTS
    if row.became:
        off = "A draft that was taken over is not tried any more."
    tried, turns = tried_text(row, row.content), min(max(choice.turns, 1), MOST_TRIAL_TURNS)
    chosen = models["target"].language_model if models else None
    return TrialPanel(
        off=off,
        budget=budget_in_words(left),
        models=tuple(one.language_model for one in models.values()),
        targets=tuple((one, one == chosen) for one in callable_models()) if models else (),
        turns=turns,
        lengths=range(1, MOST_TRIAL_TURNS + 1),
        cost=likely_in_words(cost_of_conversation(*briefs_in(tried), models, turns=turns)) if models else "",
        unreached=tuple(unreached_turns(tried, turns)),
        trial=draft_trial_shown(row, trial, viewer) if trial else None,
    )


def _models(choice: Choice) -> dict[str, TrialModel]:
    """The models of the choice, by part; the usual ones where it cannot be had, {} where trials are switched off."""
    allowed = allowed_for(CONVERSATION)
    try:
        return with_target(allowed, choice.target) if allowed else {}
    except DomainError:
        return dict(allowed or {})


def draft_trial_shown(row: GeneratedDraft, trial: Trial, viewer: Any) -> dict[str, Any]:
    """A trial of a draft as its fragment shows it."""
    address = reverse("submissions:generated-trial", args=[row.benchmark.slug, row.pk, trial.pk])
    older = "" if trial.content == tried_text(row, row.content) else _OTHER_WORDS
    return shown_anyhow(trial, viewer, address=address, older=older)
