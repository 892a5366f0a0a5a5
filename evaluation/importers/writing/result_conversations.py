"""Imported conversations with their turns and verdicts, written in batches."""

import hashlib
from collections.abc import Callable, Iterable, Iterator

from evaluation.importers.formats.result_types import ResultConversation
from evaluation.importers.writing.result_definitions import Definitions
from evaluation.models import Conversation, JudgeConfiguration, Judgment, Run, Turn
from impactbench.common.groups import in_groups

AT_ONCE = 1_000
UNKNOWN_REASON = "not-judged"


def public_id(run: Run, stated: ResultConversation) -> str:
    """The same conversation of the same release has the same address whenever it is imported."""
    names = (run.slug, stated.metric, stated.scenario, stated.model, str(stated.sample))
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:20]


def verdict_of(stated: ResultConversation) -> tuple[bool | None, str]:
    """(present, reason); the reason is the source's own word where it gave no yes or no."""
    return stated.present, "" if stated.present is not None else (stated.reason or UNKNOWN_REASON)[:60]


def batches(
    stated: Iterable[ResultConversation], progress: Callable[[str], None]
) -> Iterator[list[ResultConversation]]:
    """The stream in lists of a thousand, telling how far it is now and then."""
    n = 0
    for batch in in_groups(stated, AT_ONCE):
        yield batch
        n += len(batch)
        if n % (5 * AT_ONCE) == 0:
            progress(f"{n:,} conversations")


def write_conversations(
    stated: Iterable[ResultConversation], run: Run, judge: JudgeConfiguration, definitions: Definitions
) -> None:
    """Write one batch: conversations, their turns, and a judgment for each that counts."""
    pairs = [(one, _conversation(one, run, definitions)) for one in stated]
    Conversation.objects.bulk_create(row for _, row in pairs)
    write_turns((row, one) for one, row in pairs)
    Judgment.objects.bulk_create(_judgment(one, row, judge, definitions) for one, row in pairs if one.counts)


def write_turns(pairs: Iterable[tuple[Conversation, ResultConversation]]) -> None:
    """Write the turns that the source tells of these conversations."""
    Turn.objects.bulk_create(
        (
            Turn(conversation=row, number=turn.number, user_message=turn.user, reply=turn.target)
            for row, one in pairs
            for turn in one.turns or ()
        ),
        batch_size=AT_ONCE,
    )


def _conversation(stated: ResultConversation, run: Run, definitions: Definitions) -> Conversation:
    return Conversation(
        public_id=public_id(run, stated),
        run=run,
        scenario=definitions.scenarios[stated.metric, stated.scenario],
        target=definitions.models[stated.model],
        sample=stated.sample,
        state=Conversation.State.FINISHED if stated.counts else Conversation.State.EXTRA,
        reason="" if stated.counts else verdict_of(stated)[1],
        flags=list(stated.flags),
        is_judged=stated.counts,
        input_tokens=None,
        output_tokens=None,
        cost_usd=None,
    )


def _judgment(
    stated: ResultConversation, row: Conversation, judge: JudgeConfiguration, definitions: Definitions
) -> Judgment:
    present, reason = verdict_of(stated)
    return Judgment(
        conversation=row,
        judge=judge,
        state=Judgment.State.UNJUDGED if present is None else Judgment.State.JUDGED,
        reason=reason,
        present=present,
        polarity=definitions.versions[stated.metric].polarity,
        justification=stated.justification or "",
    )
