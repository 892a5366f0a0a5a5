"""Kills workers, broker and PostgreSQL with `kill -9` in turn during a run, then counts what was lost or doubled.

`make chaos`, or `python -m tests.bench.chaos --minutes 10 --seed 1`. Two workers with a home each share one PostgreSQL
(fsync on) and one Valkey, which keeps nothing unless `--broker keeps`: its messages, limits and sums die with it.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.bench.histories import Recorder, Saved
from tests.bench.own_home import Home, Killable, own_home
from tests.bench.promises import Promises
from tests.bench.standing import StandingWorker, standing_workers
from tests.support.llm_server import ScriptedLLM

if TYPE_CHECKING:
    from evaluation.models import Run

LATENCY_MS = 50
TURNS = 6
IN_FLIGHT = 10  # in each worker
TARGETS = ("target-a", "target-b")
# What both workers would do without a kill, and the share of it that kills leave: so many conversations are planned.
_CONVERSATIONS_A_SECOND = 2 * IN_FLIGHT / ((2 * TURNS + 1) * LATENCY_MS / 1000)
_SHARE_WITH_KILLS = 0.5
_SECONDS_BETWEEN_KILLS = (6.0, 20.0)
_SECONDS_AWAY = (1.0, 6.0)
# After the last kill the rest must be done in so long, and at no time may all work have stopped for longer than this.
_SECONDS_TO_FINISH = 600.0
_LONGEST_STANDSTILL = 60.0


def main() -> None:
    """Prints each kill and each promise; ends with 1 where one was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to kill (10)")
    parser.add_argument("--seed", type=int, default=1, help="which moments, which order (1)")
    parser.add_argument(
        "--broker", choices=("forgets", "keeps"), default="forgets", help="whether Valkey writes to disk"
    )
    given = parser.parse_args()
    promises = Promises("chaos")
    promises.say(
        f"{given.minutes:g} minutes, seed {given.seed}, two workers with a home each, {IN_FLIGHT} conversations in "
        f"each, {LATENCY_MS} ms a call; PostgreSQL with fsync, a broker that {given.broker} what it holds"
    )
    with own_home(broker_keeps=given.broker == "keeps") as home, ScriptedLLM(latency_ms=LATENCY_MS) as server:
        server.keeps_calls = False
        recorder = Recorder()
        recorder.play(server, user="simulator", targets=TARGETS)
        run = _planned(home, server, given.minutes)
        with standing_workers(home, "one", "two") as workers:
            chaos = _Chaos(promises, run, server, home, workers, random.Random(given.seed))
            chaos.go_on_for(60 * given.minutes)
            chaos.let_it_finish()
        _judge(promises, run, server, recorder, chaos)
    promises.close()


def _planned(home: Home, server: ScriptedLLM, minutes: float) -> Run:
    from evaluation.services import planning, running
    from tests.support.plans import PARTS, make_small_benchmark, planned_model, write_plan

    make_small_benchmark(n_scenarios=5)  # 2 metrics, 2 profiles, 2 targets: 40 conversations a sample
    wanted = 60 * minutes * _SHARE_WITH_KILLS * _CONVERSATIONS_A_SECOND
    models = [planned_model(part, server.url) for part in PARTS]
    for model in models:  # limits and a budget that nobody reaches: what they need of the broker is part of the proof
        model |= {"requests_per_minute": 1_000_000, "max_in_flight": 500}
    plan = write_plan(
        home.folder, server.url, name="chaos", turns=TURNS, samples=max(1, round(wanted / 40)), concurrency=IN_FLIGHT,
        budget_usd=1_000_000, models=models,
    )  # fmt: skip
    run, _ = planning.freeze(planning.load_plan(plan))
    running.start(run)
    running.enqueue(run.pk)
    return run


@dataclass
class _Chaos:
    """Kills and restarts, and notes how many conversations were in flight at each kill."""

    promises: Promises
    run: Run
    server: ScriptedLLM
    home: Home
    workers: Sequence[StandingWorker]
    draw: random.Random
    kills: dict[str, list[int]] = field(default_factory=dict)
    longest_standstill: float = 0.0
    _calls_seen: int = 0
    _moved_at: float = field(default_factory=time.monotonic)

    def go_on_for(self, seconds: float) -> None:
        """Kills in turn, each time one of them, until the time is over or the run."""
        over = time.monotonic() + seconds
        victims: list[Killable | StandingWorker] = []
        while True:
            self._wait(self.draw.uniform(*_SECONDS_BETWEEN_KILLS))
            if time.monotonic() >= over or self._state()[0] != "running":
                return
            victims = victims or self.draw.sample([*self.workers, self.home.valkey, self.home.postgres], 4)
            self._kill(victims.pop())

    def let_it_finish(self) -> None:
        """Waits, with nothing killed any more."""
        self.promises.say(f"no more kills; {self._progress()}")
        deadline, told_at = time.monotonic() + _SECONDS_TO_FINISH, time.monotonic()
        while self._state()[0] == "running" and time.monotonic() < deadline:
            self._wait(1.0)
            if time.monotonic() - told_at >= 15:
                told_at = time.monotonic()
                self.promises.say(self._progress())

    def _kill(self, victim: Killable | StandingWorker) -> None:
        in_flight = self._in_flight(victim)
        progress = self._progress()
        victim.kill()
        away = self.draw.uniform(*_SECONDS_AWAY)
        self.kills.setdefault(victim.title, []).append(in_flight)
        self.promises.say(f"kill -9 of {victim.title}, {in_flight} in flight, away for {away:.1f} s; {progress}")
        self._wait(away)
        victim.start()

    def _in_flight(self, victim: Killable | StandingWorker) -> int:
        """Conversations that a kill reaches: a worker's own, or all of them."""
        from evaluation.models import Conversation

        held = Conversation.objects.exclude(lease_owner="").values_list("lease_owner", flat=True)
        owners = list(held)
        _hang_up()
        if not isinstance(victim, StandingWorker):
            return len(owners)
        pids = {str(pid) for pid in victim.pids()}
        return sum(owner.split(":")[1] in pids for owner in owners)

    def _progress(self) -> str:
        from evaluation.models import Conversation

        conversations = Conversation.objects.all()
        total, done = conversations.count(), conversations.filter(is_judged=True).count()
        _hang_up()
        return f"{done:,} of {total:,} conversations done, {self.server.counts.total():,} calls"

    def _state(self) -> tuple[str, str]:
        self.run.refresh_from_db(fields=["state", "state_reason"])
        _hang_up()
        return self.run.state, self.run.state_reason

    def _wait(self, seconds: float) -> None:
        """Sleeps, and sees whether calls arrive meanwhile."""
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            calls = self.server.counts.total()
            if calls != self._calls_seen:
                self._calls_seen, self._moved_at = calls, now
            self.longest_standstill = max(self.longest_standstill, now - self._moved_at)
            time.sleep(min(0.25, until - now))


def _hang_up() -> None:
    """Connections do not outlive a look: the server they lead to may be killed before the next one."""
    from django.db import connection

    connection.close()


def _judge(promises: Promises, run: Run, server: ScriptedLLM, recorder: Recorder, chaos: _Chaos) -> None:
    kills = ", ".join(f"{len(counts)} of {title}" for title, counts in sorted(chaos.kills.items()))
    promises.say(f"kills: {kills or 'none'}")
    promises.check(
        "the run goes on to its end by itself",
        holds=run.state == "finished",
        found=f"it is {run.state}{f' ({run.state_reason})' if run.state_reason else ''}",
    )
    promises.check(
        f"work never stands still for longer than {_LONGEST_STANDSTILL:.0f} s",
        holds=chaos.longest_standstill <= _LONGEST_STANDSTILL,
        found=f"{chaos.longest_standstill:.0f} s at most between two calls",
    )
    conversations = _judge_rows(promises, run)
    _judge_calls(promises, conversations, server, chaos)
    _judge_words(promises, run, recorder)


def _judge_rows(promises: Promises, run: Run) -> int:
    from django.db.models import Count

    from evaluation.models import Conversation

    rows = list(
        Conversation.objects.filter(run=run)
        .annotate(n_turns=Count("turns", distinct=True), n_judgments=Count("judgments", distinct=True))
        .values_list("state", "is_judged", "n_turns", "n_judgments", "lease_owner")
    )
    whole = rows.count(("finished", True, TURNS, 1, ""))
    promises.check(
        f"every conversation is finished once, with turns 1 to {TURNS} and one judgment each",
        holds=whole == len(rows),
        found=f"{whole:,} of {len(rows):,}",
    )
    return len(rows)


def _judge_calls(promises: Promises, conversations: int, server: ScriptedLLM, chaos: _Chaos) -> None:
    ideal, made = conversations * (2 * TURNS + 1), server.counts.total()
    by_kind = {title: sum(counts) for title, counts in chaos.kills.items()}
    told = ", ".join(f"{count} at kills of {title}" for title, count in sorted(by_kind.items()))
    allowed = 2 * sum(by_kind.values())
    promises.check(
        "at most two calls repeated for each conversation in flight at a kill",
        holds=0 <= made - ideal <= allowed,
        found=f"{made:,} calls, {ideal:,} needed, {made - ideal:,} more; allowed {allowed:,} (in flight: {told or 0})",
    )
    promises.check(
        "and kills of servers repeat none: only those of workers do",
        holds=made - ideal <= 2 * sum(n for title, n in by_kind.items() if title.startswith("worker")),
        found=f"{made - ideal:,} more, with {sum(n for t, n in by_kind.items() if t.startswith('worker')):,} in flight",
    )


def _judge_words(promises: Promises, run: Run, recorder: Recorder) -> None:
    from evaluation.engine.typing_edits import edit_message
    from evaluation.models import Turn
    from evaluation.services.planning import conversation_key, scenario_key

    saved, same, edited, total = Saved(), 0, 0, 0
    related = "conversation__scenario__base__metric_version__metric", "conversation__scenario__profile"
    turns: Any = Turn.objects.filter(conversation__run=run).order_by("conversation", "number")
    said: list[tuple[str, str]] = []
    conversation = None
    for turn in turns.select_related(*related, "conversation__target").iterator():
        if turn.conversation_id != conversation:
            saved.add(said)
            said, conversation = [], turn.conversation_id
        said.append((turn.user_message, turn.reply))
        scenario, target = scenario_key(turn.conversation.scenario), turn.conversation.target.slug
        key = conversation_key(scenario, target, turn.conversation.sample)
        again = edit_message(turn.unedited_message, seed=run.seed or 0, key=key, turn=turn.number)
        same, edited, total = same + (again == turn.user_message), edited + (again != turn.unedited_message), total + 1
    saved.add(said)
    found = saved.against(recorder.asked)
    promises.check(
        "a resumed conversation asks with exactly the history saved",
        holds=found.strange == found.unasked == 0,
        found=f"{sum(recorder.asked.values()):,} calls to targets for {found.saved:,} saved turns: {found.repeated:,} "
        f"repeated and {found.lost:,} lost, all after a saved history; {found.strange} after another one, "
        f"{found.unasked} saved turns that nobody asked for",
    )
    promises.check(
        "the same seed gives the same typing edits",
        holds=same == total,
        found=f"{same:,} of {total:,} messages, {edited:,} of them edited",
    )


if __name__ == "__main__":
    main()
