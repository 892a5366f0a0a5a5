"""Where one worker spends its time, by package: the same work under cProfile, in a process of its own."""

from __future__ import annotations

import cProfile
import pstats
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import django

from tests.bench.engine import ours
from tests.bench.scripted_server import scripted_server
from tests.support.production_server import ROOT, environment

CONVERSATIONS = 400
WORK_OFF = "import sys; from tests.bench.engine.profiling import work_off; work_off(sys.argv[1])"
SHOWN = 12
_PACKAGE = re.compile(r"(?:/site-packages/|/python3\.\d+/(?!site-packages))(\w+)|/(evaluation/\w+|impactbench)/")


def where_time_goes(home: Path) -> str:
    """A table of the packages by their own time, as shares of all of it."""
    path = home / "profile.yaml"
    with scripted_server("--latency-ms", "0", "--target-words", "40") as server:
        ours.write_plan(path, server.url, n=CONVERSATIONS, concurrency=50, prefix="quick-")
        command = [sys.executable, "-c", WORK_OFF, str(path)]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment(home, **{ours.KEY: "none"}),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return done.stdout.rstrip()


def work_off(plan: str) -> None:
    """Works the plan off in this process under the profiler, and prints the table."""
    django.setup()
    from evaluation.services import planning, running
    from evaluation.workers import runner

    run, _ = planning.freeze(planning.load_plan(Path(plan)))
    running.start(run)
    profiler = cProfile.Profile()
    profiler.runcall(runner.work_on, run.pk)
    sys.stdout.write(f"{_table(profiler)}\n")


def _table(profiler: cProfile.Profile) -> str:
    own_time: Counter[str] = Counter()
    for (file, _, function), (_, _, seconds, *_) in pstats.Stats(profiler).stats.items():  # type: ignore[attr-defined]
        own_time[_package(file, function)] += seconds
    busy = {name: seconds for name, seconds in own_time.items() if name != "waiting"}
    total = sum(busy.values())
    rows = sorted(busy.items(), key=lambda row: -row[1])[:SHOWN]
    lines = [f"engine: where a worker's time goes ({CONVERSATIONS} conversations, no latency, {total:.1f} s profiled)"]
    return "\n".join([*lines, *(f"  {seconds / total:6.1%} {name}" for name, seconds in rows)])


def _package(file: str, function: str) -> str:
    if "poll" in function and "select" in function:
        return "waiting"
    if "_socket.socket" in function:
        return "sockets"
    found = _PACKAGE.search(file)
    if found:
        return next(group for group in found.groups() if group)
    return "built in" if file == "~" else file
