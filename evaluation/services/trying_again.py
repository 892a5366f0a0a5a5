"""Trying again what failed for a reason that may pass; what cannot change by itself is left as it is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from evaluation.engine.reasons import MAY_PASS
from evaluation.models import Conversation, Judgment, Run
from evaluation.services import running
from impactbench.common.audit import record
from impactbench.common.errors import DomainError, UnusableInput


@dataclass(frozen=True, slots=True)
class TriedAgain:
    """How many conversations go on from their last saved turn, and how many judgments are asked for again."""

    conversations: int
    judgments: int


@transaction.atomic
def try_again(run: Run, *, reasons: Collection[str] | None = None, actor: Any = None) -> TriedAgain:
    """Has failed conversations and unread judgments of `reasons` (None = all that may pass) tried once more.

    Saved turns stay and the conversation goes on after them; an unjudged judgment stays until its successor is saved.
    Sets a finished run going again; a paused one waits to be resumed. Raises UnusableInput for reasons that trying
    again cannot change, DomainError for a run that is cancelled, not started, imported or part of a release.
    """
    run = Run.objects.select_for_update().get(pk=run.pk)
    _check(run)
    hopeless = sorted(set(reasons or ()) - MAY_PASS)
    if hopeless:
        raise UnusableInput(f"trying again does not change {', '.join(hopeless)}; reasons that may pass: {_listed()}")
    wanted = MAY_PASS if reasons is None else frozenset(reasons)
    failed = Conversation.objects.filter(run=run, state=Conversation.State.FAILED, reason__in=wanted)
    n_conversations = failed.update(
        state=Conversation.State.RUNNING, reason="", detail="", flags=[], is_judged=False, finished_at=None
    )
    unread = Judgment.objects.filter(
        conversation__run=run,
        conversation__state=Conversation.State.FINISHED,
        state=Judgment.State.UNJUDGED,
        reason__in=wanted,
        ask_again=False,
    )
    Conversation.objects.filter(pk__in=unread.values("conversation")).update(is_judged=False)
    n_judgments = unread.update(ask_again=True)
    found = TriedAgain(n_conversations, n_judgments)
    if n_conversations or n_judgments:
        details = {"conversations": n_conversations, "judgments": n_judgments, "reasons": sorted(reasons or ())}
        record(actor=actor, action="run-tried-again", target=run, details=details)
        if run.state == Run.State.FINISHED:
            running.judge_again(run, actor=actor)
    return found


def _check(run: Run) -> None:
    if run.kind != Run.Kind.EVALUATION:
        raise DomainError(f"run {run.slug} holds imported results; only runs of our own can be tried again")
    if run.state in (Run.State.CREATED, Run.State.CANCELLED):
        raise DomainError(f"run {run.slug} is {run.state}, so nothing of it can be tried again")
    release = run.releases.first()
    if release is not None:
        raise DomainError(
            f"run {run.slug} is part of release {release.slug}, which says what failed; plan another run instead"
        )


def _listed() -> str:
    return ", ".join(sorted(MAY_PASS))
