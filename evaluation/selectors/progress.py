"""How far a run has come, what it has cost, and what did not work."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Count
from django.utils import timezone

from evaluation.engine.reasons import SPEAKS_OF_A_TEST
from evaluation.models import Conversation, Run, Turn
from evaluation.plans import unpriced_call_usd

# Null costs are unknown: then the sum of the known ones is not the whole, and `cost_usd` stays null.
_PROGRESS = """
WITH mine AS (SELECT * FROM evaluation_conversation WHERE run_id = %(run)s AND state <> 'extra'),
conversations AS (
    SELECT COUNT(*) AS total,
        COUNT(*) FILTER (WHERE state = 'finished') AS finished,
        COUNT(*) FILTER (WHERE state = 'failed') AS failed,
        COUNT(*) FILTER (WHERE state = 'finished' AND is_judged) AS read,
        COUNT(*) FILTER (WHERE lease_until > now()) AS in_flight,
        COUNT(DISTINCT lease_owner) FILTER (WHERE lease_until > now()) AS workers,
        SUM(calls) AS calls, SUM(retries) AS retries,
        SUM(COALESCE(input_tokens, 0) + COALESCE(output_tokens, 0)) AS tokens,
        SUM(cost_usd) AS cost, COUNT(*) FILTER (WHERE cost_usd IS NULL) AS unpriced
    FROM mine
), turns AS (
    SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE mine.state IN ('pending', 'running')) AS open,
        SUM(turn.calls) AS calls, SUM(turn.retries) AS retries,
        SUM(COALESCE(turn.input_tokens, 0) + COALESCE(turn.output_tokens, 0)) AS tokens,
        SUM(COALESCE(turn.cost_usd,
            COALESCE((turn.usage #>> '{simulator,cost_usd}')::numeric, 0)
            + COALESCE((turn.usage #>> '{target,cost_usd}')::numeric, 0))) AS cost,
        COUNT(*) FILTER (WHERE turn.cost_usd IS NULL) AS unpriced
    FROM evaluation_turn turn JOIN mine ON mine.id = turn.conversation_id
), judgments AS (
    SELECT COUNT(*) FILTER (WHERE judgment.state = 'judged') AS judged,
        COUNT(*) FILTER (WHERE judgment.state = 'unjudged' AND NOT judgment.ask_again) AS unjudged,
        SUM(judgment.calls) AS calls, SUM(judgment.retries) AS retries,
        SUM(COALESCE(judgment.input_tokens, 0) + COALESCE(judgment.output_tokens, 0)) AS tokens,
        SUM(judgment.cost_usd) AS cost, COUNT(*) FILTER (WHERE judgment.cost_usd IS NULL) AS unpriced
    FROM evaluation_judgment judgment JOIN mine ON mine.id = judgment.conversation_id
)
SELECT c.total, c.finished, c.failed, c.read, c.in_flight, c.workers, j.judged, j.unjudged, t.n, t.open,
    COALESCE(c.calls, 0) + COALESCE(t.calls, 0) + COALESCE(j.calls, 0),
    COALESCE(c.retries, 0) + COALESCE(t.retries, 0) + COALESCE(j.retries, 0),
    COALESCE(c.tokens, 0) + COALESCE(t.tokens, 0) + COALESCE(j.tokens, 0),
    COALESCE(c.cost, 0) + COALESCE(t.cost, 0) + COALESCE(j.cost, 0),
    c.unpriced + t.unpriced + j.unpriced
FROM conversations c, turns t, judgments j
"""

# What counts against a budget: calls of unknown cost at the plan's ceiling, as they did when they were made.
COUNTED = """
SELECT COALESCE((SELECT SUM(COALESCE(cost_usd, calls * %(unpriced)s)) FROM evaluation_conversation
        WHERE run_id = %(run)s), 0)
    + COALESCE((SELECT SUM(COALESCE(turn.cost_usd,
            COALESCE((turn.usage #>> '{simulator,cost_usd}')::numeric,
                (turn.usage #>> '{simulator,calls}')::int * %(unpriced)s)
            + COALESCE((turn.usage #>> '{target,cost_usd}')::numeric,
                (turn.usage #>> '{target,calls}')::int * %(unpriced)s),
            turn.calls * %(unpriced)s))
        FROM evaluation_turn turn JOIN evaluation_conversation conversation ON conversation.id = turn.conversation_id
        WHERE conversation.run_id = %(run)s), 0)
    + COALESCE((SELECT SUM(COALESCE(judgment.cost_usd, judgment.calls * %(unpriced)s)) FROM evaluation_judgment judgment
        JOIN evaluation_conversation conversation ON conversation.id = judgment.conversation_id
        WHERE conversation.run_id = %(run)s), 0) AS usd
"""

_REASONS = """
SELECT reason, COUNT(*) FROM evaluation_conversation WHERE run_id = %(run)s AND state = 'failed' GROUP BY reason
UNION ALL
SELECT judgment.reason, COUNT(*) FROM evaluation_judgment judgment
JOIN evaluation_conversation conversation ON conversation.id = judgment.conversation_id
WHERE conversation.run_id = %(run)s AND conversation.state <> 'extra' AND judgment.state = 'unjudged'
    AND NOT judgment.ask_again
GROUP BY judgment.reason
ORDER BY 2 DESC, 1
"""

_UNVERIFIED = """
SELECT COUNT(*) FILTER (WHERE NOT (item ->> 'verified')::boolean), COUNT(*)
FROM evaluation_judgment judgment
JOIN evaluation_conversation conversation ON conversation.id = judgment.conversation_id,
    jsonb_array_elements(judgment.evidence) item
WHERE conversation.run_id = %(run)s
"""

_SPENDING = """
WITH mine AS (SELECT id, target_id, calls, cost_usd FROM evaluation_conversation WHERE run_id = %(run)s),
part AS (
    SELECT 'simulator' AS role, NULL::text AS model, COALESCE(SUM((usage #>> '{simulator,calls}')::int), 0) AS calls,
        SUM((usage #>> '{simulator,cost_usd}')::numeric) AS cost,
        COUNT(*) FILTER (WHERE usage #>> '{simulator,cost_usd}' IS NULL) AS unpriced
    FROM evaluation_turn turn JOIN mine ON mine.id = turn.conversation_id
    UNION ALL
    SELECT 'target', model.name, COALESCE(SUM((usage #>> '{target,calls}')::int), 0),
        SUM((usage #>> '{target,cost_usd}')::numeric),
        COUNT(*) FILTER (WHERE usage #>> '{target,cost_usd}' IS NULL)
    FROM evaluation_turn turn JOIN mine ON mine.id = turn.conversation_id
    JOIN evaluation_languagemodel model ON model.id = mine.target_id GROUP BY model.name
    UNION ALL
    SELECT 'judge', COALESCE(model.name, judge.slug), SUM(judgment.calls), SUM(judgment.cost_usd),
        COUNT(*) FILTER (WHERE judgment.cost_usd IS NULL)
    FROM evaluation_judgment judgment JOIN mine ON mine.id = judgment.conversation_id
    JOIN evaluation_judgeconfiguration judge ON judge.id = judgment.judge_id
    LEFT JOIN evaluation_languagemodel model ON model.id = judge.language_model_id
    GROUP BY COALESCE(model.name, judge.slug)
    UNION ALL
    SELECT 'outside', NULL, SUM(calls), SUM(cost_usd), COUNT(*) FILTER (WHERE cost_usd IS NULL) FROM mine
)
SELECT role, model, calls, CASE WHEN unpriced = 0 THEN COALESCE(cost, 0) END FROM part WHERE calls > 0
ORDER BY array_position(ARRAY['simulator', 'target', 'judge', 'outside'], role), model
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come. Counts are totals of the run, spending includes retries and failed attempts.

    `done` conversations need nothing more: they have failed, or every judge has read them. `judged` and `unjudged`
    count judgments. `cost_usd` is None where a price is unknown; `known_cost_usd` is the sum of the known ones.
    `open_turns` are those of conversations that go on. `seconds` is the time from start to end, or to now.
    """

    total: int
    finished: int
    failed: int
    done: int
    in_flight: int
    workers: int
    judged: int
    unjudged: int
    turns: int
    open_turns: int
    turn_limit: int
    calls: int
    retries: int
    tokens: int
    cost_usd: Decimal | None
    known_cost_usd: Decimal
    seconds: float

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0

    @property
    def steps(self) -> int:
        """Turns and judgments so far: a measure of work that moves long before the first conversation ends."""
        return self.turns + self.judged + self.unjudged

    @property
    def steps_left(self) -> int:
        """Turns and judgments still to come, at most (one judgment each)."""
        held = self.finished + self.failed
        return max(0, (self.total - held) * (self.turn_limit + 1) - self.open_turns + self.total_unread)

    @property
    def total_unread(self) -> int:
        """Finished conversations that wait for a judge."""
        return self.finished + self.failed - self.done

    @property
    def percent(self) -> int:
        """Whole per cent done, 100 only when all is done."""
        return int(100 * self.share)


@dataclass(frozen=True, slots=True)
class Spending:
    """What one role of one model has cost; `model` is None for the simulator and for calls outside saved turns."""

    role: str
    model: str | None
    calls: int
    cost_usd: Decimal | None


def run_progress(run: Run) -> Progress:
    """The progress of a run, in one query."""
    row = _rows(_PROGRESS, run)[0]
    total, finished, failed, read, in_flight, workers, judged, unjudged, turns, open_turns = row[:10]
    calls, retries, tokens, cost, unpriced = row[10:]
    return Progress(
        total=total,
        finished=finished,
        failed=failed,
        done=failed + read,
        in_flight=in_flight,
        workers=workers,
        judged=judged,
        unjudged=unjudged,
        turns=turns,
        open_turns=open_turns,
        turn_limit=run.turns or 0,
        calls=int(calls),
        retries=int(retries),
        tokens=int(tokens),
        cost_usd=None if unpriced else Decimal(cost),
        known_cost_usd=Decimal(cost),
        seconds=_elapsed(run).total_seconds(),
    )


def counted_usd(run: Run) -> Decimal:
    """What the run's budget counts as spent: known costs, and the plan's ceiling for each call of unknown cost."""
    with connection.cursor() as cursor:
        cursor.execute(COUNTED, {"run": run.pk, "unpriced": unpriced_call_usd(run.spec)})
        return Decimal(cursor.fetchone()[0])


def unjudged_reasons(run: Run) -> dict[str, int]:
    """Why there is no verdict, with counts: failed conversations and unread judgments, most frequent first."""
    reasons: dict[str, int] = {}
    for reason, count in _rows(_REASONS, run):
        reasons[reason] = reasons.get(reason, 0) + count
    return reasons


def unverified_quotes(run: Run) -> tuple[int, int]:
    """How many of the judges' quotes do not stand in their turn, and how many quotes there are."""
    unverified, total = _rows(_UNVERIFIED, run)[0]
    return unverified, total


def spending(run: Run) -> list[Spending]:
    """Calls and cost by role and model."""
    return [Spending(role, model, int(calls), cost) for role, model, calls, cost in _rows(_SPENDING, run)]


def speaking_of_a_test(run: Run) -> int:
    """How many of a run's conversations have a reply in which the model speaks of being tested."""
    return Conversation.objects.filter(run=run, flags__contains=[SPEAKS_OF_A_TEST]).count()


def held_again_after_a_leak(run: Run) -> int:
    """How many conversations gave private instructions away once and were held again."""
    return Conversation.objects.filter(run=run, is_second_attempt=True).count()


def rewritten_lines(run: Run) -> dict[str, int]:
    """What the realism check said of the simulated user's lines, counted; empty where no plan asked for it."""
    said = Turn.objects.filter(conversation__run=run, usage__has_key="realism").order_by()
    return dict(said.values_list("usage__realism").annotate(n=Count("pk")))


def _elapsed(run: Run) -> timedelta:
    if run.started_at is None:
        return timedelta()
    return (run.finished_at or timezone.now()) - run.started_at


def _rows(statement: str, run: Run) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"run": run.pk})
        return cursor.fetchall()
