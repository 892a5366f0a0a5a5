"""A run of the paper's size on one machine: `make fullscale`, or `python -m tests.bench.full_scale --conversations N`.

809 metrics with 3 scenarios for 2 profiles each, held with 10 models: 48,540 conversations against the scripted
server (latency 0, short replies), worked off by the command `run_evaluation --workers 2`, then published and verified.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.own_home import Home, own_home
from tests.bench.processes import cpu_seconds, memory_mb, tree
from tests.bench.promises import Promises
from tests.bench.scripted_server import Server, scripted_server
from tests.support.production_server import ROOT

if TYPE_CHECKING:
    from evaluation.models import Run

CONVERSATIONS = 48_540
SCENARIOS, PROFILES, MOST_TARGETS = 3, 2, 10
BENCHMARKS = 12
TURNS = 6
WORKERS = 2
SUBAREAS = ("agency-purpose", "cognition-judgment", "learning-skill-development")
MOST_PLANNING_SECONDS = 30.0
MOST_MINUTES = 10.0  # for all conversations of the paper
MOST_CPU_MS = 1.5
MOST_WORKER_MB = 150.0
LEAST_OF_FIRST_TENTH = 0.75
# In a run of fewer conversations the first seconds, when workers begin, are too much of it.
LEAST_TO_JUDGE_SPEED = 5_000
_LINES = 20
_SECONDS_BETWEEN_LINES = 10.0
_SECONDS_BETWEEN_LOOKS = 1.0


@dataclass(frozen=True)
class Look:
    """Where everything was at one moment: memory in MB and CPU in seconds, PostgreSQL with all its processes."""

    seconds: float
    done: int
    calls: int
    cpu: float
    resident: dict[str, float]
    memory: dict[str, float]


def main() -> None:
    """Prints what it took and each promise; ends with 1 where one was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS, metavar="N", help="about so many (48540)")
    parser.add_argument("--in-flight", type=int, default=50, help="conversations that each worker holds at once (50)")
    given = parser.parse_args()
    promises = Promises("full scale")
    with own_home() as home, scripted_server("--latency-ms", "0", "--target-words", "10") as server:
        run = _planned(promises, home, server, given.conversations, given.in_flight)
        server.reset()
        looks = _worked_off(promises, home, server, run)
        _tell_memory(promises, looks)
        _judge_run(promises, run, looks, server)
        _tell_sizes(promises)
        _publish(promises, run)
    promises.close()


def shape(conversations: int) -> tuple[int, int]:
    """Metrics and targets of a run of about so many conversations: the paper's ten models where it is large enough."""
    targets = max(1, min(MOST_TARGETS, conversations // (SCENARIOS * PROFILES * 10)))
    return max(1, round(conversations / (SCENARIOS * PROFILES * targets))), targets


def _planned(promises: Promises, home: Home, server: Server, conversations: int, in_flight: int) -> Run:
    from evaluation.services import planning

    metrics, targets = shape(conversations)
    _make_metrics(metrics)
    plan = _write_plan(home.folder, server.url, metrics, targets, in_flight)
    began = time.perf_counter()
    run, _ = planning.freeze(planning.load_plan(plan))
    seconds = time.perf_counter() - began
    n = run.conversations.count()
    promises.say(f"{metrics} metrics x {SCENARIOS} scenarios x {PROFILES} profiles x {targets} targets, {TURNS} turns")
    promises.check(
        f"planned in under {MOST_PLANNING_SECONDS:.0f} s",
        holds=seconds < MOST_PLANNING_SECONDS,
        found=f"{n:,} conversations in {seconds:.1f} s",
    )
    return run


def _make_metrics(n: int) -> None:
    from django.db import transaction

    from tests.support.builders import make_benchmark, make_metric, make_scenarios

    with transaction.atomic():
        for position in range(n):
            version = make_metric(
                f"m{position:04d}",
                benchmark=make_benchmark(f"benchmark-{position % BENCHMARKS + 1:02d}"),
                polarity="negative" if position % 3 == 0 else "positive",
                subareas=[SUBAREAS[position % len(SUBAREAS)]],
            )
            for number in range(1, SCENARIOS + 1):
                make_scenarios(version, number=number)


def _write_plan(folder: Path, url: str, metrics: int, n_targets: int, in_flight: int) -> Path:
    from tests.support.plans import planned_model, write_plan

    targets = [f"target-{number:02d}" for number in range(1, n_targets + 1)]
    # All that a real plan has: prices, a budget, limits; nobody reaches them, and each is asked before every call.
    limits = {"requests_per_minute": 10_000_000, "tokens_per_minute": 2_000_000_000, "max_in_flight": 10_000}
    models = [{**planned_model(slug, url), **limits} for slug in ("simulator", "judge", *targets)]
    benchmarks = [f"benchmark-{number:02d}" for number in range(1, min(metrics, BENCHMARKS) + 1)]
    return write_plan(
        folder, url, name="full-scale", benchmarks=benchmarks, targets=targets, turns=TURNS, concurrency=in_flight,
        budget_usd=1_000_000, models=models,
    )  # fmt: skip


@contextmanager
def _command(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    plan = home.folder / "full-scale.yaml"
    command = [sys.executable, "manage.py", "run_evaluation", str(plan), "--workers", str(WORKERS)]
    with (home.folder / "command.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait()


def _worked_off(promises: Promises, home: Home, server: Server, run: Run) -> list[Look]:
    """Looks at everything each second until the run ends, and prints a line now and then."""
    looks: list[Look] = []
    told_at = began = time.monotonic()
    with _command(home) as process:
        while process.poll() is None:
            look = _look(home, server, process.pid, run, time.monotonic() - began)
            if len(look.memory) == WORKERS + 2:
                looks.append(look)
            if time.monotonic() - told_at >= _SECONDS_BETWEEN_LINES and looks:
                told_at = time.monotonic()
                promises.say(f"{looks[-1].done:,} conversations done, {looks[-1].calls:,} calls")
            time.sleep(_SECONDS_BETWEEN_LOOKS)
    promises.say((home.folder / "command.log").read_text().splitlines()[-1])
    return looks


def _look(home: Home, server: Server, command: int, run: Run, seconds: float) -> Look:
    from evaluation.models import Conversation

    workers = sorted(pid for pid in tree(command) if pid != command)
    parts = {f"worker {number}": [pid] for number, pid in enumerate(workers, start=1)}
    parts |= {"PostgreSQL": tree(home.postgres.pid), "Valkey": tree(home.valkey.pid)}
    done = Conversation.objects.filter(run=run, is_judged=True).count()
    return Look(
        seconds=seconds,
        done=done,
        calls=server.stats()["total_calls"],
        cpu=sum(cpu_seconds(pids) for pids in parts.values()),
        resident={name: sum(_resident_mb(pid) for pid in pids) for name, pids in parts.items()},
        memory={name: sum(memory_mb(pid) for pid in pids) for name, pids in parts.items()},
    )


def _resident_mb(pid: int) -> float:
    """Memory of one process in MB with every page that it shares (RSS); 0 when it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024**2


def _tell_memory(promises: Promises, looks: list[Look]) -> None:
    names = list(looks[0].memory)
    promises.say("memory in MB, a shared page counted in parts (and counted whole in brackets):")
    promises.say("   s     done  " + "".join(f"{name:>16}" for name in names))
    for look in _thinned(looks):
        cells = "".join(f"{f'{look.memory[name]:.0f} ({look.resident[name]:.0f})':>16}" for name in names)
        promises.say(f"{look.seconds:5.0f} {look.done:8,} {cells}")


def _thinned(looks: list[Look]) -> list[Look]:
    """About `_LINES` of them, evenly, the last one among them."""
    step = -(-len(looks) // _LINES)
    return looks[::-1][::step][::-1]


def _judge_run(promises: Promises, run: Run, looks: list[Look], server: Server) -> None:
    run.refresh_from_db()
    n = run.conversations.count()
    judged = run.conversations.filter(state="finished", is_judged=True, judgments__state="judged").count()
    promises.check("every conversation is held and judged", holds=judged == n, found=f"{judged:,} of {n:,}")
    calls = server.stats()["total_calls"]
    needed = n * (2 * TURNS + 1)
    promises.check("with not one call too many", holds=calls == needed, found=f"{calls:,} calls, {needed:,} needed")
    _judge_speed(promises, run, n)
    first, last = _working(looks)
    each = 1000 * (last.cpu - first.cpu) / max(1, last.calls - first.calls)
    promises.check(
        f"at most {MOST_CPU_MS} ms CPU a call for workers, PostgreSQL and Valkey together",
        holds=each <= MOST_CPU_MS,
        found=f"{each:.2f} ms over {last.calls - first.calls:,} calls",
    )
    most = max(look.memory[name] for look in looks for name in look.memory if name.startswith("worker"))
    promises.check(f"each worker under {MOST_WORKER_MB:.0f} MB", holds=most < MOST_WORKER_MB, found=f"{most:.0f} MB")


def _working(looks: list[Look]) -> tuple[Look, Look]:
    """The looks between which calls were made, from when both workers were at it."""
    most = max(look.calls for look in looks)
    busy = [look for look in looks if 0 < look.calls < most] or looks
    return busy[0], busy[-1]


def _judge_speed(promises: Promises, run: Run, n: int) -> None:
    """Conversations a second, from the ends that the database keeps."""
    ends = sorted(end for end in run.conversations.values_list("finished_at", flat=True) if end)
    begun = min(began for began in run.conversations.values_list("started_at", flat=True) if began)
    tenth = max(1, n // 10)
    whole = n / (ends[-1] - begun).total_seconds()
    first = tenth / (ends[tenth - 1] - begun).total_seconds()
    last = (tenth - 1 or 1) / max(0.001, (ends[-1] - ends[n - tenth]).total_seconds())
    speeds = f"{whole:.1f} conversations/s, {first:.1f} in the first tenth, {last:.1f} in the last"
    minutes = CONVERSATIONS / whole / 60
    if n < LEAST_TO_JUDGE_SPEED:
        promises.say(f"{speeds}; too few to promise a speed")
        return
    promises.check(
        f"{CONVERSATIONS:,} conversations take less than {MOST_MINUTES:.0f} minutes at this speed",
        holds=minutes < MOST_MINUTES,
        found=f"{speeds}: {minutes:.1f} minutes",
    )
    promises.check(
        f"the last tenth has at least {LEAST_OF_FIRST_TENTH} of the first one's speed",
        holds=last >= LEAST_OF_FIRST_TENTH * first,
        found=f"{last / first:.2f}",
    )


def _tell_sizes(promises: Promises) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # or nobody knows how many rows there are
        cursor.execute("SELECT pg_database_size(current_database())")
        promises.say(f"database: {_mb(cursor.fetchone()[0])}, of which (with indexes):")
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid), reltuples::bigint FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT 8"
        )
        for name, size, rows in cursor.fetchall():
            promises.say(f"  {name:<32} {_mb(size):>10}, about {max(0, rows):,} rows")


def _mb(size: Any) -> str:
    return f"{int(size) / 1e6:,.1f} MB"


def _publish(promises: Promises, run: Run) -> None:
    from django.core.management import call_command

    for name, arguments in (
        ("publish_release", {"run": [run.slug]}),
        ("verify_release", {}),
    ):
        out = StringIO()
        began = time.perf_counter()
        call_command(name, "full-scale", stdout=out, stderr=StringIO(), **arguments)
        promises.say(f"{name}: {time.perf_counter() - began:.1f} s. {out.getvalue().splitlines()[-1]}")


if __name__ == "__main__":
    main()
