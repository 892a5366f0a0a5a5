"""What has no verdict in a run, by reason, with a few examples."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from evaluation.engine.reasons import MAY_PASS
from evaluation.models import Conversation, Run

_MOST_EXAMPLES = 3
_MOST_CHARACTERS = 300

# An unjudged judgment that is being asked for again is no failure any more.
_FAILURES = """
WITH lost AS (
    SELECT reason, false AS is_judgment, id AS conversation, detail
    FROM evaluation_conversation WHERE run_id = %(run)s AND state = 'failed'
    UNION ALL
    SELECT judgment.reason, true, conversation.id, COALESCE(NULLIF(judgment.raw_reply, ''), judgment.detail)
    FROM evaluation_judgment judgment JOIN evaluation_conversation conversation
        ON conversation.id = judgment.conversation_id
    WHERE conversation.run_id = %(run)s AND conversation.state <> 'extra' AND judgment.state = 'unjudged'
        AND NOT judgment.ask_again
)
SELECT reason, is_judgment, COUNT(*), (array_agg(conversation ORDER BY conversation))[1:%(most)s],
    (array_agg(LEFT(detail, %(characters)s) ORDER BY conversation))[1:%(most)s]
FROM lost GROUP BY reason, is_judgment ORDER BY 3 DESC, 1
"""


@dataclass(frozen=True, slots=True)
class Example:
    """One conversation without a verdict, and the words of the endpoint or of the judge, which are data."""

    public_id: str
    metric: str
    scenario: int
    profile: str
    target: str
    detail: str


@dataclass(frozen=True, slots=True)
class Failure:
    """One reason, how many conversations or judgments it ended, and whether trying again may help."""

    reason: str
    is_judgment: bool
    count: int
    may_pass: bool
    examples: tuple[Example, ...]


def failures_of(run: Run) -> list[Failure]:
    """Most frequent first; two queries whatever the size of the run."""
    with connection.cursor() as cursor:
        values = {"run": run.pk, "most": _MOST_EXAMPLES, "characters": _MOST_CHARACTERS}
        cursor.execute(_FAILURES, values)
        rows = cursor.fetchall()
    shown = Conversation.objects.select_related("target", "scenario__profile", "scenario__base__metric_version__metric")
    conversations = shown.in_bulk([pk for row in rows for pk in row[3]])
    return [
        Failure(
            reason=reason,
            is_judgment=is_judgment,
            count=count,
            may_pass=reason in MAY_PASS,
            examples=tuple(_example(conversations[pk], detail) for pk, detail in zip(pks, details, strict=True)),
        )
        for reason, is_judgment, count, pks, details in rows
    ]


def _example(conversation: Conversation, detail: str) -> Example:
    base = conversation.scenario.base
    return Example(
        public_id=conversation.public_id,
        metric=base.metric_version.metric.slug,
        scenario=base.number,
        profile=conversation.scenario.profile.name,
        target=conversation.target.name,
        detail=detail,
    )
