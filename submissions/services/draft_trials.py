"""Asks for trial conversations of scenarios that a language model drafted, before an editor decides on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from evaluation.drafting.deciding import refuse_taken_over, usable_content
from evaluation.models import GeneratedDraft
from evaluation.services.trial_costs import TRIAL_TURNS
from impactbench.common.errors import DomainError
from submissions import trial_words
from submissions.draft_trial_text import briefs_in, tried_text
from submissions.models import Trial
from submissions.services.transitions import NotAllowed
from submissions.services.trial_models import allowed_for, cost_of_conversation
from submissions.services.trial_queue import reserve, under_way

CONVERSATION = Trial.Kind.CONVERSATION
TRIED = (GeneratedDraft.Kind.SCENARIO, GeneratedDraft.Kind.VARIANT)


@transaction.atomic
def ask_for_draft_trial(row: GeneratedDraft, content: Mapping[str, Any], *, actor: Any) -> Trial:
    """A trial conversation of a drafted scenario or variant, with these parts of it changed; nothing of it is kept.

    One of the same words that is under way is given back. Raises NotAllowed for everybody but editors, DomainError with
    what to do when the words cannot be used, other words are being tried, or trials or today's budget do not allow it.
    """
    if not (actor.is_active and actor.has_role("editor")):
        raise NotAllowed("Drafted scenarios are tried by editors.")
    if row.kind not in TRIED:
        raise DomainError("Only scenarios and their variants can be tried.")
    refuse_taken_over(row)
    tried = tried_text(row, usable_content(row, content, act="tried"))
    found = under_way(CONVERSATION, generated=row)
    if found is not None:
        if found.content != tried:
            raise DomainError("A trial of this draft in other words is under way. Try yours when it is done.")
        return found
    models = allowed_for(CONVERSATION)
    if models is None:
        raise DomainError(trial_words.NO_TRIAL_OF_DRAFTS)
    most_usd = cost_of_conversation(*briefs_in(tried), models).most_usd
    trial = Trial(generated=row, kind=CONVERSATION, content=tried, n_steps=TRIAL_TURNS + 1)
    return reserve(trial, models, most_usd, actor=actor, otherwise="You can decide without a trial.")


def trials_of(row: GeneratedDraft) -> list[Trial]:
    """The trials of a drafted scenario, the newest first."""
    return list(Trial.objects.filter(generated=row).order_by("-asked_at", "-pk"))
