"""What the auditor of a study by machine will likely take, before any call is made."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.models import LanguageModel
from evaluation.services.briefs import anchors_of
from evaluation.services.estimating import Amount, Estimate, Line, lengths_of, prompts_of, tokens_of
from evaluation.services.plan_resolving import ResolvedPlan
from evaluation.services.studies.machine.plans import PlannedCondition
from evaluation.studies.auditor import auditor_messages

AUDITOR = "auditor"
_NAME = "The auditor"
# What an auditor writes of one objective, in tokens, and how often it is asked: unreadable answers once more.
_OF_OBJECTIVE = (25, 50, 110)
_CALLS = (1, 1, 2)


def audit_estimate(planned: Iterable[PlannedCondition], auditor: LanguageModel) -> Estimate:
    """One reading of each conversation that is held anew; where a scenario has no objectives, nothing is asked."""
    by_run = [_of_run(one.resolved, auditor) for one in planned if one.condition.simulates]
    low, likely, high = (sum((amounts[end] for amounts in by_run), Amount()) for end in range(3))
    return Estimate(_NAME, likely.calls, (Line(AUDITOR, auditor, low, likely, high),))


def _of_run(resolved: ResolvedPlan, auditor: LanguageModel) -> list[Amount]:
    """At least, likely and at most."""
    asked = [
        (len(anchors), tokens_of(auditor_messages(anchors, [])), prompts_of(scenario, resolved))
        for scenario in resolved.scenarios
        if (anchors := anchors_of(scenario.anchors))
    ]
    found = []
    for end, lengths in enumerate(lengths_of(resolved)):
        readings = (
            Amount(1, fixed + prompts.turns_at(lengths) * lengths.exchange(target), _answer(auditor, n, end))
            for n, fixed, prompts in asked
            for target in resolved.targets
        )
        found.append(sum(readings, Amount()) * (resolved.plan.samples * _CALLS[end]))
    return found


def _answer(auditor: LanguageModel, n_objectives: int, end: int) -> int:
    """The length of its answer in tokens; its own limit cuts it."""
    tokens, most = n_objectives * _OF_OBJECTIVE[end], auditor.parameters.get("max_tokens")
    return min(tokens, most) if isinstance(most, int) else tokens
