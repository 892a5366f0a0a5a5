"""Asks for trials of a draft: who may, on which models, within which budget. Workers do the rest."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from evaluation.services import trial_costs
from evaluation.services.trial_costs import TrialCost
from impactbench.common.errors import DomainError
from submissions import trial_text, trial_words
from submissions.composition import metric_briefs, rubrics, scenario_brief
from submissions.content import Content
from submissions.models import Submission, Trial, TrialModel
from submissions.services.transitions import NotAllowed, WrongState
from submissions.services.trial_models import allowed_for, cost_of_conversation, paid
from submissions.services.trial_queue import reserve, under_way
from submissions.standing import Standing, standing_of
from submissions.states import EDITABLE


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
    if kind == Trial.Kind.CONVERSATION:
        return cost_of_conversation(metric_briefs(content), scenario_brief(content), models)
    message = trial_text.first_message(content)
    examples = [[trial_costs.Example(message, example.text)] for example in trial_text.examples_of(content)]
    return trial_costs.cost_of_judging(paid(models["judge"]), rubrics(content), examples)


@transaction.atomic
def _ask(submission: Submission, kind: str, actor: Any) -> Trial:
    fresh = Submission.objects.get(pk=submission.pk)
    if standing_of(actor, fresh) is not Standing.AUTHOR:
        raise NotAllowed("Only its authors try a submission.")
    if fresh.state not in EDITABLE:
        raise WrongState("This submission has been sent; it can be tried again when changes are asked for.")
    found = under_way(kind, submission=fresh)
    if found is not None:
        return found
    content = fresh.draft
    models = allowed_for(kind)
    _check_text(kind, content, is_on=models is not None)
    assert models is not None
    trial = Trial(submission=fresh, kind=kind, content=content.to_json(), n_steps=_n_steps(kind, content))
    most_usd = cost_of(kind, content, models).most_usd
    return reserve(trial, models, most_usd, actor=actor, otherwise="You can send without a trial.")


def _n_steps(kind: str, content: Content) -> int:
    n_metrics = len(metric_briefs(content))
    if kind == Trial.Kind.CONVERSATION:
        return trial_costs.TRIAL_TURNS + n_metrics
    return n_metrics * len(trial_text.examples_of(content))


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
