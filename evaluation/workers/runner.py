"""Works on a run for one slice of time: claims conversations, keeps their leases, and hands back what is left."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from decimal import Decimal
from enum import Enum

from django.conf import settings
from django.db import connection
from redis.asyncio import Redis
from redis.exceptions import RedisError

from evaluation.models import Run
from evaluation.selectors.progress import COUNTED
from evaluation.services import running
from evaluation.services.lease_owners import new_owner
from evaluation.workers import statements, stopping
from evaluation.workers.assignment import Assignment, assignment_of
from evaluation.workers.budget import Budget
from evaluation.workers.callers import Callers, open_redis
from evaluation.workers.circuit import Circuit
from evaluation.workers.claims import Claim, claim, fewest_first
from evaluation.workers.conversation_work import ConversationWork
from evaluation.workers.database import Reader
from evaluation.workers.reporting import Report
from evaluation.workers.saving import Saving
from evaluation.workers.waiting import Queue
from evaluation.workers.writer import LeaseLostError, Writer
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from impactbench.common.log_lines import about_run

logger = logging.getLogger(__name__)

# Well below the broker's visibility timeout, after which a message counts as lost.
SLICE_SECONDS = 8 * 60
# From then on a slice ends as soon as another run waits for a worker.
SECONDS_BEFORE_OTHERS = 45.0
# Turns under way may end before they are cut off: longer at the end of a slice than when somebody waits for us.
SECONDS_TO_END_TURNS = 120.0
SECONDS_TO_STOP = 15.0
_TICK_SECONDS = 0.25
_SECONDS_BETWEEN_LOOKS = 1.0
_SECONDS_BETWEEN_REPORTS = 1.0
_SECONDS_BETWEEN_LOOKS_FOR_OTHERS = 2.0
_CLAIM_WHEN_FREE = 0.1


class End(Enum):
    """Why a slice ended."""

    DONE = "nothing is left"
    NOT_RUNNING = "the run is not running"
    STOPPED = "this worker is shutting down"
    SLICE_OVER = "another slice follows"


def work_on(run_id: int, *, queue: str | None = None) -> End:
    """Works on a run until nothing is left, it is stopped, or the slice is over; finishes it where all is done.

    The slice is shorter while messages of other runs wait in `queue`, from which this one was taken.
    """
    run = Run.objects.filter(pk=run_id, kind=Run.Kind.EVALUATION).first()
    if run is None or run.state != Run.State.RUNNING:
        return End.NOT_RUNNING
    with about_run(run.slug):
        end = asyncio.run(Runner(assignment_of(run), queue).work())
        if end is End.DONE:
            running.finish_if_done(run)
    return end


class Runner:
    """One slice of work on one run in one event loop."""

    def __init__(self, assignment: Assignment, queue: str | None = None) -> None:
        self._assignment = assignment
        self._concurrency = assignment.concurrency
        self._queue = None if queue is None else Queue(queue)
        self._owner = new_owner()
        self._reader = Reader()
        self._writer = Writer()
        self._saving = Saving(self._writer, self._owner)
        self._circuit = Circuit(self._note_rest)
        self._notes: set[asyncio.Task[None]] = set()
        self._budget: Budget | None = None
        self._tasks: dict[asyncio.Task[None], Claim] = {}
        self._end: End | None = None
        self._began_at = time.monotonic()
        self._looked_at = self._renewed_at = self._reported_at = self._looked_for_others_at = 0.0
        self._pausing: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None

    async def work(self) -> End:
        """The slice. Raises what the database refuses; every lease is given back before."""
        redis = open_redis()
        if self._assignment.budget_usd is not None:
            self._budget = await self._open_budget(redis, self._assignment.budget_usd)
        self._report = Report(redis, run=self._assignment.run, owner=self._owner)
        await self._report.adopt_rests(self._circuit)
        callers = self._callers = Callers(self._assignment, self._circuit, self._budget)
        self._work = ConversationWork(
            self._assignment,
            callers,
            self._saving,
            self._circuit,
            should_stop=lambda: self._end is not None,
            stop_run=self._stop_run,
        )
        try:
            while self._end is None:
                await self._tick()
            await self._drain()
        finally:
            await self._cut_off()
            if self._queue is not None:
                self._queue.close()
            if self._budget is not None:
                with contextlib.suppress(RedisError):
                    await self._budget.close()
            await self._report.close(self._circuit, self._callers.calls())
            await callers.close()
            await redis.aclose()
            await self._writer.close()
            await self._reader.close()
        if self._failure is not None:
            raise self._failure
        return self._end

    async def _open_budget(self, redis: Redis, budget_usd: Decimal) -> Budget:
        budget = Budget(
            redis,
            run=self._assignment.run,
            owner=self._owner,
            budget_usd=budget_usd,
            saved_usd=self._saved_usd,
        )
        await budget.begin()
        return budget

    async def _saved_usd(self) -> Decimal:
        """What the database knows to be spent."""
        values = {"run": self._assignment.run, "unpriced": self._assignment.unpriced_call_usd}
        rows = await self._reader.rows(COUNTED, values)
        return Decimal(rows[0]["usd"])

    async def _tick(self) -> None:
        if stopping.is_stopping():
            self._end = End.STOPPED
        elif await self._slice_is_over():
            self._end = End.SLICE_OVER
        else:
            await self._look()
        if self._end is None:
            await self._fill()
        if time.monotonic() - self._reported_at >= _SECONDS_BETWEEN_REPORTS:
            self._reported_at = time.monotonic()
            await self._report.say(self._circuit, self._callers.calls())
        await self._rest()

    async def _slice_is_over(self) -> bool:
        """True after the whole slice, and after a short one where another run waits for this worker."""
        now = time.monotonic()
        if now - self._began_at >= SLICE_SECONDS:
            return True
        is_early = now - self._began_at < SECONDS_BEFORE_OTHERS
        if self._queue is None or is_early or now - self._looked_for_others_at < _SECONDS_BETWEEN_LOOKS_FOR_OTHERS:
            return False
        self._looked_for_others_at = now
        return await asyncio.to_thread(self._queue.holds_another_run, self._assignment.run)

    async def _look(self) -> None:
        """Keeps leases and reservations alive, and sees whether the run still runs, how much at once, for how much."""
        now = time.monotonic()
        if now - self._renewed_at >= settings.LEASE_SECONDS / 4:
            self._renewed_at = now
            await self._renew()
        if now - self._looked_at >= _SECONDS_BETWEEN_LOOKS:
            self._looked_at = now
            rows = await self._reader.rows(statements.RUN_STATE, {"run": self._assignment.run})
            if not rows or rows[0]["state"] != Run.State.RUNNING:
                self._end = End.NOT_RUNNING
                return
            self._concurrency = rows[0]["concurrency"] or self._concurrency
            self._take_budget_over(rows[0]["budget_usd"])

    def _take_budget_over(self, budget_usd: Decimal | None) -> None:
        """Another budget counts from the next call on; one where there was none, or none any more, in another slice."""
        if (budget_usd is None) != (self._budget is None):
            self._end = End.SLICE_OVER
        elif self._budget is not None and budget_usd is not None:
            self._budget.change_to(budget_usd)

    async def _renew(self) -> None:
        if self._tasks:
            ids = [claim.id for claim in self._tasks.values()]
            with contextlib.suppress(LeaseLostError):  # each conversation notices at its own next write
                await self._saving.renew(ids, settings.LEASE_SECONDS)
        if self._budget is not None:
            await self._budget.renew()

    async def _fill(self) -> None:
        """Claims conversations for free places; targets share the places, and take over what others leave.

        Nothing is claimed of a model that rests, and one conversation of a model that is tried after its rest.
        """
        room = self._room()
        if room < max(1, self._concurrency * _CLAIM_WHEN_FREE) and self._tasks:
            return
        in_flight = Counter(claim.target_id for claim in self._tasks.values())
        slugs = {target: role.slug for target, role in self._assignment.targets.items()}
        ready = [target for target, slug in slugs.items() if not self._circuit.rests(slug)]
        healthy = [target for target in ready if not self._circuit.is_on_trial(slugs[target])]
        share = -(-self._concurrency // max(1, len(ready)))
        claimed = 0
        for target in fewest_first(ready, in_flight):
            most = share if target in healthy else 1
            wanted = min(room - claimed, most - in_flight[target])
            if wanted > 0:
                claimed += await self._claim(wanted, [target])
        if claimed == 0 and room > 0:
            claimed = await self._claim(room, healthy)
        if claimed == 0 and not self._tasks:
            await self._end_if_done()

    def _room(self) -> int:
        """How many conversations may be claimed; every one of them needs the simulator and the judges."""
        assignment, circuit = self._assignment, self._circuit
        shared = [assignment.simulator.slug, *(judge.model.slug for judge in assignment.judges)]
        for slug in shared:
            if circuit.has_given_up(slug):
                self._stop_run(circuit.sentence(slug))
        if any(circuit.rests(slug) for slug in shared):
            return 0
        most = 1 if any(circuit.is_on_trial(slug) for slug in shared) else self._concurrency
        return most - len(self._tasks)

    async def _claim(self, room: int, targets: list[int]) -> int:
        claims = await claim(
            self._reader,
            self._assignment,
            owner=self._owner,
            seconds=settings.LEASE_SECONDS,
            room=room,
            targets=targets,
        )
        for each in claims:
            task = asyncio.create_task(self._work.work_on(each), name=f"conversation-{each.id}")
            self._tasks[task] = each
            task.add_done_callback(self._note_done)
        return len(claims)

    def _note_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or error
            self._end = self._end or End.STOPPED

    async def _end_if_done(self) -> None:
        """Ends when nothing is left, and pauses the run when all that is left waits for models that are down."""
        left = await self._reader.rows(statements.WORK_LEFT, {"run": self._assignment.run})
        if not left:
            self._end = End.DONE
            return
        slugs = [self._assignment.targets[row["target_id"]].slug for row in left]
        if all(map(self._circuit.has_given_up, slugs)) and not any(row["is_held"] for row in left):
            self._stop_run(self._circuit.sentence(slugs[0]))

    async def _rest(self) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_TICK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        elif self._end is None:
            await asyncio.sleep(_TICK_SECONDS)

    async def _drain(self) -> None:
        """Waits for turns under way; conversations hand themselves back after them."""
        began = time.monotonic()
        while self._tasks:
            patience = SECONDS_TO_END_TURNS if self._end is End.SLICE_OVER else SECONDS_TO_STOP
            if stopping.is_stopping():
                patience = min(patience, SECONDS_TO_STOP)
            if time.monotonic() - began >= patience:
                return
            if time.monotonic() - self._renewed_at >= settings.LEASE_SECONDS / 4:
                self._renewed_at = time.monotonic()
                await self._renew()
            await asyncio.wait(self._tasks, timeout=_TICK_SECONDS)

    async def _cut_off(self) -> None:
        """Cancels what is still under way; each conversation gives its lease back."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*([self._pausing] if self._pausing else []), *self._notes, return_exceptions=True)

    def _stop_run(self, reason: str) -> None:
        self._end = self._end or End.NOT_RUNNING
        if self._pausing is None:
            self._pausing = asyncio.create_task(asyncio.to_thread(pause_with, self._assignment.run, reason))

    def _note_rest(self, _model: str, why: str) -> None:
        note = asyncio.create_task(asyncio.to_thread(note_rest, self._assignment.run, why))
        self._notes.add(note)
        note.add_done_callback(self._notes.discard)


def note_rest(run_id: int, why: str) -> None:
    """Writes into the log of a run that a model rests; only its own conversations wait meanwhile."""
    try:
        record(actor=None, action="run-model-rests", target=Run.objects.get(pk=run_id), details={"reason": why})
    finally:
        connection.close()


def pause_with(run_id: int, reason: str) -> None:
    """Pauses a run for a reason of its workers; a run that is not running any more is left alone."""
    try:
        running.pause(Run.objects.get(pk=run_id), reason=reason)
    except DomainError as problem:
        logger.info("%s", problem)
    finally:
        connection.close()
