"""Does a trial: only workers load this, because it loads the model clients."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils import timezone

from evaluation.engine.types import JudgeVerdict, MetricBrief, ScenarioBrief
from evaluation.services.trial_costs import Example, PaidModel
from evaluation.workers.trying import (
    Purse,
    PurseEmptyError,
    TriedConversation,
    hold_trial_conversation,
    judge_examples,
    open_calls,
)
from impactbench.common.errors import DomainError
from submissions import draft_trial_text, trial_text, trial_words
from submissions.composition import metric_briefs, rubrics, scenario_brief
from submissions.models import Trial
from submissions.services.trial_models import allowed_for, paid, with_target
from submissions.services.trial_queue import end_stale_trials
from submissions.services.trials import text_of

logger = logging.getLogger(__name__)

MOST_SECONDS = 600.0
_SECONDS_BETWEEN_SIGNS = 1.0


@dataclass(slots=True)
class _Progress:
    """How many judgments, or turns and judgments, are done."""

    n_done: int = 0

    def step(self) -> None:
        self.n_done += 1


@dataclass(frozen=True, slots=True)
class _Ending:
    """What became of a trial; `trouble` is empty when it is done."""

    result: dict[str, Any] = field(default_factory=dict)
    trouble: str = ""


def work_on(trial_id: int) -> None:
    """Take up a trial that waits, do it, and settle its cost. One that another worker has is left to that worker.

    Whatever goes wrong ends the trial as failed, with a sentence for its author.
    """
    end_stale_trials()
    claimed = Trial.objects.filter(pk=trial_id, state=Trial.State.WAITING)
    if not claimed.update(state=Trial.State.RUNNING, heard_at=timezone.now()):
        return
    trial = Trial.objects.get(pk=trial_id)
    models = _models_of(trial)
    if models is None:
        _end(trial, _Ending(trouble=trial_words.MODEL_CHANGED), Decimal(0))
        return
    purse, progress = Purse(trial.reserved_usd), _Progress()
    ending = _tried(trial, models, purse, progress)
    trial.n_done = progress.n_done
    _end(trial, ending, purse.cost_usd)


def _models_of(trial: Trial) -> dict[str, PaidModel] | None:
    """The models that the author was told of; None when an operator has allowed others since.

    The target of a drafted scenario is whichever registered one its editor chose.
    """
    rows = allowed_for(trial.kind)
    if rows is not None and trial.generated_id is not None:
        try:
            rows = with_target(rows, trial.asked_models["target"]["slug"])
        except DomainError:
            rows = None
    if rows is None or {part: row.language_model.slug for part, row in rows.items()} != {
        part: named["slug"] for part, named in trial.asked_models.items()
    }:
        return None
    return {part: paid(row) for part, row in rows.items()}


def _tried(trial: Trial, models: dict[str, PaidModel], purse: Purse, progress: _Progress) -> _Ending:
    do = _hold if trial.kind == Trial.Kind.CONVERSATION else _judge
    try:
        return _worked_off(trial, do(trial, models, purse, progress), progress)
    except PurseEmptyError:
        return _Ending(trouble=trial_words.TOO_DEAR)
    except TimeoutError:
        return _Ending(trouble=trial_words.TOO_LONG)
    except Exception as error:  # SECURITY: only its kind is logged, since its words may hold what the author wrote
        logger.error("trial %s could not be done: %s", trial.pk, type(error).__name__)
        return _Ending(trouble=trial_words.OUR_FAULT)


def _worked_off(trial: Trial, work: Coroutine[Any, Any, _Ending], progress: _Progress) -> _Ending:
    """The work's end; between two steps of the loop the row gets a sign of life. Raises TimeoutError and the work's."""
    deadline = time.monotonic() + MOST_SECONDS
    with asyncio.Runner() as runner:
        task = runner.run(_begun(work))
        while not runner.run(_is_done(task)):
            alive = Trial.objects.filter(pk=trial.pk, state=Trial.State.RUNNING)
            if not alive.update(heard_at=timezone.now(), n_done=progress.n_done) or time.monotonic() > deadline:
                raise TimeoutError
        return task.result()


async def _begun(work: Coroutine[Any, Any, _Ending]) -> asyncio.Task[_Ending]:
    return asyncio.ensure_future(work)


async def _is_done(task: asyncio.Task[_Ending]) -> bool:
    await asyncio.wait([task], timeout=_SECONDS_BETWEEN_SIGNS)
    return task.done()


async def _judge(trial: Trial, models: dict[str, PaidModel], purse: Purse, progress: _Progress) -> _Ending:
    content = text_of(trial)
    message, examples = trial_text.first_message(content), trial_text.examples_of(content)
    read = [Example(message, example.text) for example in examples]
    async with open_calls(models, purse) as calls:
        verdicts = await judge_examples(calls["judge"], rubrics(content), read, judged=progress.step)
    briefs = metric_briefs(content)
    rows = [
        _example_row(example, number, brief.judge_question, verdict)
        for example, found in zip(examples, verdicts, strict=True)
        for number, (brief, verdict) in enumerate(zip(briefs, found, strict=True), start=1)
    ]
    reasons = [row["reason"] for row in rows]
    if all(trial_words.is_of_the_whole(reason) for reason in reasons):
        return _Ending(trouble=trial_words.trouble(reasons[0]))
    return _Ending({"rows": rows})


async def _hold(trial: Trial, models: dict[str, PaidModel], purse: Purse, progress: _Progress) -> _Ending:
    target = models["target"].model
    metrics, scenario = _briefs_of(trial)
    async with open_calls(models, purse) as calls:
        tried = await hold_trial_conversation(
            metrics,
            scenario,
            key=f"trial:{trial.pk}",
            simulator=calls["user-simulator"],
            target=calls["target"],
            judge=calls["judge"],
            target_system_prompt=target.system_prompt,
            structured_simulator=(models["user-simulator"].model.api_base or "").startswith("embedded:"),
            n_turns=trial.n_steps - len(metrics),
            step_done=progress.step,
        )
    result = _conversation(metrics, tried)
    if tried.outcome.state == "failed":
        return _Ending(result, trial_words.trouble(tried.outcome.reason))
    if all(trial_words.is_of_the_whole(verdict.reason) for verdict in tried.verdicts):
        return _Ending(result, trial_words.trouble(tried.verdicts[0].reason))
    return _Ending(result)


def _example_row(
    example: trial_text.AuthorsExample, metric: int, question: str, verdict: JudgeVerdict
) -> dict[str, Any]:
    state = "unjudged"
    if verdict.present is not None:
        state = "agrees" if verdict.present is example.expected else "differs"
    return {
        "kind": example.kind,
        "number": example.number,
        "metric": metric,
        "question": question,
        "text": example.text,
        "expected": example.expected,
        "present": verdict.present,
        "state": state,
        "reason": verdict.reason,
        "trouble": trial_words.trouble(verdict.reason) if verdict.reason else "",
        "justification": verdict.justification,
    }


def _briefs_of(trial: Trial) -> tuple[list[MetricBrief], ScenarioBrief]:
    """The metrics and the scenario of a trial conversation."""
    if trial.generated_id is not None:
        return draft_trial_text.briefs_in(trial.content)
    content = text_of(trial)
    return metric_briefs(content), scenario_brief(content)


def _conversation(metrics: Sequence[MetricBrief], tried: TriedConversation) -> dict[str, Any]:
    return {
        "turns": [
            {
                "number": turn.number,
                "user": turn.user_message,
                "target": turn.reply,
                "is_cut": turn.finish_reason == "length",
            }
            for turn in tried.turns
        ],
        "ending": tried.outcome.reason,
        "verdicts": [
            {
                "metric": number,
                "question": brief.judge_question,
                "state": verdict.state,
                "reason": verdict.reason,
                "trouble": trial_words.trouble(verdict.reason) if verdict.reason else "",
                "present": verdict.present,
                "passed": None if verdict.present is None else verdict.present is (brief.polarity == "positive"),
                "justification": verdict.justification,
                "evidence": [{"turn": e.turn, "quote": e.quote} for e in verdict.evidence if e.verified],
            }
            for number, (brief, verdict) in enumerate(zip(metrics, tried.verdicts, strict=False), start=1)
        ],
    }


def _end(trial: Trial, ending: _Ending, cost_usd: Decimal | None) -> None:
    """Settle a trial that is still ours; one that was given up in the meantime stays as it is."""
    Trial.objects.filter(pk=trial.pk, state=Trial.State.RUNNING).update(
        state=Trial.State.FAILED if ending.trouble else Trial.State.DONE,
        result=ending.result,
        trouble=ending.trouble,
        n_done=trial.n_done,
        cost_usd=cost_usd,
        finished_at=timezone.now(),
    )
