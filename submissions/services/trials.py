"""Asks for trials of a draft: who may, on which models, within which budget. Workers do the rest."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from evaluation.services import locking, trial_costs
from evaluation.services.trial_costs import TrialCost
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions import trial_text, trial_words
from submissions.composition import metric_briefs, rubrics, scenario_brief
from submissions.content import Content
from submissions.models import Submission, Trial, TrialModel
from submissions.services import trial_budget
from submissions.services.transitions import NotAllowed, WrongState
from submissions.services.trial_models import allowed_for, paid
from submissions.standing import Standing, standing_of
from submissions.states import EDITABLE

TASK = "submissions.run_trial"
UNDER_WAY = (Trial.State.WAITING, Trial.State.RUNNING)
# A worker that has been silent for so long is gone; a trial that nobody takes up for so long is given up.
SILENCE = timedelta(seconds=90)
WAIT = timedelta(minutes=15)
_LOCK = "trials"


def ask_for_examples_trial(submission: Submission, *, actor: Any) -> Trial:
    """A trial of the judge on the examples of the saved draft; the one under way when there is one.

    Raises NotAllowed or WrongState when the actor may not edit the draft, DomainError with what to do when something
    is not filled in, trials are switched off, or a budget of today is used up.
    """
    return _ask(submission, Trial.Kind.EXAMPLES, actor)


def ask_for_conversation_trial(submission: Submission, *, actor: Any) -> Trial:
    """A trial conversation on the saved draft, under the same rules as `ask_for_examples_trial`."""
    return _ask(submission, Trial.Kind.CONVERSATION, actor)


def latest_trial(submission: Submission, kind: str) -> Trial | None:
    """The newest trial of a kind, whatever became of it."""
    return Trial.objects.filter(submission=submission, kind=kind).order_by("-asked_at", "-pk").first()


def trial_summary(submission: Submission, content: Content) -> dict[str, Any] | None:
    """What `Revision.trial` keeps: how the judge did on the author's examples.

    Of the newest trial on this very text, else of the newest one at all with `"is_older": True`; None without any.
    An example counts as one that differs when the judge differs by one of its questions.
    """
    done = list(Trial.objects.filter(submission=submission, kind=Trial.Kind.EXAMPLES, state=Trial.State.DONE)[:20])
    if not done:
        return None
    same = (trial for trial in done if not trial_text.changed_fields(trial.kind, text_of(trial), content))
    trial = next(same, None)
    found = trial or done[0]
    return {**summary_of(found), "is_older": trial is None}


def summary_of(trial: Trial) -> dict[str, Any]:
    """A finished examples trial in the shape of `Revision.trial`, without `is_older`."""
    rows = trial.result.get("rows", [])
    states: dict[tuple[str, int], set[str]] = {}
    for row in rows:
        states.setdefault((row["kind"], row["number"]), set()).add(row["state"])
    n_differ = sum("differs" in found for found in states.values())
    n_agree = sum(found == {"agrees"} for found in states.values())
    return {
        "n_examples": len(states),
        "n_agree": n_agree,
        "n_differ": n_differ,
        "n_unjudged": len(states) - n_agree - n_differ,
        "model": trial.asked_models.get("judge", {}).get("name", ""),
        "tried_at": trial.asked_at.isoformat(),
        "rows": rows,
    }


def text_of(trial: Trial) -> Content:
    """The text that was tried."""
    return Content.from_json(trial.content)


def cost_of(kind: str, content: Content, models: dict[str, TrialModel]) -> TrialCost:
    """What such a trial of this text likely costs, and at most."""
    parts = {part: paid(row) for part, row in models.items()}
    if kind == Trial.Kind.CONVERSATION:
        simulator, target, judge = parts["user-simulator"], parts["target"], parts["judge"]
        briefs, scenario = metric_briefs(content), scenario_brief(content)
        return trial_costs.cost_of_conversation(briefs, scenario, simulator, target, judge)
    message = trial_text.first_message(content)
    examples = [[trial_costs.Example(message, example.text)] for example in trial_text.examples_of(content)]
    return trial_costs.cost_of_judging(parts["judge"], rubrics(content), examples)


def is_stale(trial: Trial) -> bool:
    """Whether nobody works on it any more although it is under way."""
    now = timezone.now()
    if trial.state == Trial.State.RUNNING:
        return (trial.heard_at or trial.asked_at) < now - SILENCE
    return trial.state == Trial.State.WAITING and trial.asked_at < now - WAIT


def end_stale_trials() -> int:
    """Fail every trial that nobody works on any more, and say how many. Safe to run at any time."""
    return sum(_give_up(trial) for trial in Trial.objects.filter(state__in=UNDER_WAY) if is_stale(trial))


def _give_up(trial: Trial) -> int:
    """Fail a stale trial, unless a worker was quicker. What never began has cost nothing; else nobody knows."""
    began = trial.state == Trial.State.RUNNING
    unchanged: QuerySet[Trial] = Trial.objects.filter(Q(pk=trial.pk, state=trial.state, heard_at=trial.heard_at))
    return unchanged.update(
        state=Trial.State.FAILED,
        trouble=trial_words.WORKER_GONE if began else trial_words.NO_WORKER,
        cost_usd=None if began else Decimal(0),
        finished_at=timezone.now(),
    )


@transaction.atomic
def _ask(submission: Submission, kind: str, actor: Any) -> Trial:
    fresh = Submission.objects.get(pk=submission.pk)
    if standing_of(actor, fresh) is not Standing.AUTHOR:
        raise NotAllowed("Only its authors try a submission.")
    if fresh.state not in EDITABLE:
        raise WrongState("This submission has been sent; it can be tried again when changes are asked for.")
    # Nobody else reserves between the look at the budgets and the reservation.
    locking.wait_for(_LOCK)
    under_way = Trial.objects.filter(submission=fresh, kind=kind, state__in=UNDER_WAY).first()
    if under_way is not None:
        if not is_stale(under_way):
            return under_way
        _give_up(under_way)
    content = fresh.draft
    models = allowed_for(kind)
    _check_text(kind, content, is_on=models is not None)
    assert models is not None
    cost = cost_of(kind, content, models)
    _check_budget(cost.most_usd, actor)
    return _create(fresh, kind, content, models, cost.most_usd, actor)


def _check_text(kind: str, content: Content, *, is_on: bool) -> None:
    if not is_on:
        raise DomainError(switched_off(kind))
    lacking = trial_text.missing(kind, content)
    if lacking:
        raise DomainError(f"Before you can try it, fill in: {', '.join(lacking)}.")
    n = len(metric_briefs(content)) * len(trial_text.examples_of(content))
    if kind == Trial.Kind.EXAMPLES and n > trial_text.MOST_JUDGMENTS:
        raise DomainError(
            f"Your examples and questions make {n} judgments; a trial takes {trial_text.MOST_JUDGMENTS} at most. "
            "Try it with fewer examples or questions."
        )


def switched_off(kind: str) -> str:
    """Why no such trial is to be had on this site."""
    is_wholly_off = allowed_for(Trial.Kind.EXAMPLES) is None
    return trial_words.SWITCHED_OFF if is_wholly_off or kind == Trial.Kind.EXAMPLES else trial_words.NO_CONVERSATIONS


def _check_budget(most_usd: Decimal, actor: Any) -> None:
    left = trial_budget.left_today(actor)
    back = "It is back tomorrow at 00:00 UTC. You can send without a trial."
    if not left.trials:
        raise DomainError(f"You have made {trial_budget.MOST_TRIALS_A_DAY} trials today. More can be made tomorrow.")
    if most_usd > left.person_usd:
        raise DomainError(
            f"This trial may cost up to {trial_words.cents(most_usd)}, and you have "
            f"{trial_words.cents(left.person_usd, down=True)} left of today’s budget. {back}"
        )
    if most_usd > left.site_usd:
        raise DomainError(f"What this site may spend on trials today is used up. {back}")


def _create(
    submission: Submission, kind: str, content: Content, models: dict[str, TrialModel], most_usd: Decimal, actor: Any
) -> Trial:
    n_metrics = len(metric_briefs(content))
    n_examples = len(trial_text.examples_of(content))
    is_conversation = kind == Trial.Kind.CONVERSATION
    trial = Trial.objects.create(
        submission=submission,
        kind=kind,
        asked_by=actor,
        content=content.to_json(),
        asked_models={part: _named(row) for part, row in models.items()},
        n_steps=trial_costs.TRIAL_TURNS + n_metrics if is_conversation else n_metrics * n_examples,
        reserved_usd=most_usd,
    )
    details = {"kind": trial.kind, "trial": trial.pk, "reserved_usd": str(most_usd)}
    record(actor=actor, action="trial-asked", target=submission, details=details)
    transaction.on_commit(lambda: _tell_workers(trial.pk), robust=True)
    return trial


def _named(row: TrialModel) -> dict[str, str]:
    model = row.language_model
    return {"slug": model.slug, "name": model.name, "provider": model.provider}


def _tell_workers(trial: int) -> None:
    # SECURITY: the message names the trial and nothing of it; keys and addresses are the worker's own.
    seconds = int(WAIT.total_seconds())
    current_app.send_task(TASK, kwargs={"trial": trial}, queue=settings.PORTAL_QUEUE, expires=seconds)
