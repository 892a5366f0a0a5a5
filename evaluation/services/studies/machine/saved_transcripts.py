"""Puts saved conversations into the run of a condition, to be read by its judges alone.

The run that the study was drawn from is left as it is: more judgments there would count in its next release, and all
of its conversations would be judged, not the sample.
"""

from __future__ import annotations

from collections.abc import Callable

from evaluation.models import Conversation, Run, Study, Turn
from evaluation.services.plan_resolving import ResolvedPlan
from evaluation.services.planning import conversation_key, public_id, scenario_key

_ROWS_AT_ONCE = 2000
_SAID = ("number", "user_message", "unedited_message", "plan", "anchors", "reply", "finish_reason")


def copies_of(study: Study) -> Callable[[Run, ResolvedPlan], None]:
    """What lays out a run with the study's conversations, turn by turn as they were said; what they cost stays there.

    Each is finished and waits for its judges. No scenario is there twice with a target: the draw takes one of each.
    """

    def lay_out(run: Run, _: ResolvedPlan) -> None:
        items = study.items.select_related(
            "conversation__target",
            "conversation__scenario__profile",
            "conversation__scenario__base__metric_version__metric",
        )
        originals = [item.conversation for item in items.order_by("number") if item.conversation is not None]
        made = Conversation.objects.bulk_create((_copy(run, one) for one in originals), batch_size=_ROWS_AT_ONCE)
        copy_of = {original.pk: copy for original, copy in zip(originals, made, strict=True)}
        turns = Turn.objects.filter(conversation__in=copy_of).order_by("conversation_id", "number")
        Turn.objects.bulk_create(
            (_said(turn, copy_of[turn.conversation_id]) for turn in turns.iterator(chunk_size=_ROWS_AT_ONCE)),
            batch_size=_ROWS_AT_ONCE,
        )

    return lay_out


def _copy(run: Run, original: Conversation) -> Conversation:
    key = conversation_key(scenario_key(original.scenario), original.target.slug, 1)
    return Conversation(
        public_id=public_id(run.slug, key),
        run=run,
        scenario_id=original.scenario_id,
        target_id=original.target_id,
        state=Conversation.State.FINISHED,
        reason=original.reason,
        flags=original.flags,
        started_at=original.started_at,
        finished_at=original.finished_at,
    )


def _said(turn: Turn, conversation: Conversation) -> Turn:
    said = {name: getattr(turn, name) for name in _SAID}
    return Turn(conversation=conversation, input_tokens=0, output_tokens=0, cost_usd=0, **said)
