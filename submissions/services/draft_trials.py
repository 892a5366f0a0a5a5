"""Asks for trial conversations of scenarios that a language model drafted, before an editor decides on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from evaluation.drafting.deciding import refuse_taken_over, usable_content
from evaluation.models import GeneratedDraft
from evaluation.services.trial_costs import MOST_TRIAL_TURNS, TRIAL_TURNS
from impactbench.common.errors import DomainError
from submissions import trial_words
from submissions.draft_trial_text import briefs_in, tried_text
from submissions.models import Trial, TrialModel
from submissions.services.transitions import NotAllowed
from submissions.services.trial_models import allowed_for, cost_of_conversation, with_target
from submissions.services.trial_queue import reserve, under_way

CONVERSATION = Trial.Kind.CONVERSATION
TRIED = (GeneratedDraft.Kind.SCENARIO, GeneratedDraft.Kind.VARIANT)


@transaction.atomic
def ask_for_draft_trial(
    row: GeneratedDraft, content: Mapping[str, Any], *, actor: Any, target: str = "", turns: int = TRIAL_TURNS
) -> Trial:
    """A trial conversation of a drafted scenario or variant, with these parts of it changed; nothing of it is kept.

    `target` is the slug of a registered model, '' for the one that operators allow. One of the same kind that is under
    way is given back. Raises NotAllowed for everybody but editors, DomainError with what to do when the words cannot be
    used, something else is being tried, or trials or today's budget do not allow it.
    """
    if not (actor.is_active and actor.has_role("editor")):
        raise NotAllowed("Drafted scenarios are tried by editors.")
    if row.kind not in TRIED:
        raise DomainError("Only scenarios and their variants can be tried.")
    refuse_taken_over(row)
    if not 1 <= turns <= MOST_TRIAL_TURNS:
        raise DomainError(f"A trial has from 1 to {MOST_TRIAL_TURNS} turns.")
    tried = tried_text(row, usable_content(row, content, act="tried"))
    found = under_way(CONVERSATION, generated=row)
    allowed = allowed_for(CONVERSATION)
    if allowed is None and found is None:
        raise DomainError(trial_words.NO_TRIAL_OF_DRAFTS)
    models = with_target(allowed, target) if allowed else {}
    if found is not None:
        _refuse_another(found, tried, models, turns)
        return found
    most_usd = cost_of_conversation(*briefs_in(tried), models, turns=turns).most_usd
    trial = Trial(generated=row, kind=CONVERSATION, content=tried, n_steps=turns + 1)
    return reserve(trial, models, most_usd, actor=actor, otherwise="You can decide without a trial.")


def _refuse_another(found: Trial, tried: Mapping[str, Any], models: Mapping[str, TrialModel], turns: int) -> None:
    """One trial of a draft at a time: the one under way is of the same words, model and turns."""
    if found.content != tried:
        raise DomainError("A trial of this draft in other words is under way. Try yours when it is done.")
    target = models["target"].language_model.slug if models else found.asked_models["target"]["slug"]
    if (found.asked_models["target"]["slug"], turns_of(found)) != (target, turns):
        raise DomainError("A trial of this draft with another model or length is under way. Try yours when it is done.")


def turns_of(trial: Trial) -> int:
    """How many turns the trial of a draft has at most; its other step is the judge's."""
    return trial.n_steps - 1


def trials_of(row: GeneratedDraft) -> list[Trial]:
    """The trials of a drafted scenario, the newest first."""
    return list(Trial.objects.filter(generated=row).order_by("-asked_at", "-pk"))
