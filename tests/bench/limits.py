"""600 requests a minute, kept by two workers, and a model that refuses everything: `python -m tests.bench.limits`.

The server notes when each call arrives, and counts those in every window of 60 seconds. Another target of the same
run answers 429 to everything; only its own conversations may wait.
"""

from __future__ import annotations

import argparse
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tests.bench.own_home import Home, own_home
from tests.bench.promises import Promises
from tests.bench.standing import standing_workers
from tests.support.llm_server import Behaviour, Call, ScriptedLLM

if TYPE_CHECKING:
    from evaluation.models import Run

A_MINUTE = 600
SECONDS = 150
TURNS = 6
IN_FLIGHT = 40  # in each worker
LATENCY_MS = 20
LEAST_SHARE_USED = 0.8
_WINDOW = 60.0
_MOST_SECONDS = 400.0
_SECONDS_BETWEEN_LINES = 15.0


def main() -> None:
    """Prints what the server counted and each promise; ends with 1 where one was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="about how long to call (150)")
    given = parser.parse_args()
    promises = Promises("limits")
    arrivals: list[float] = []
    with own_home() as home, ScriptedLLM(latency_ms=LATENCY_MS) as server:
        server.keeps_calls = False
        server.script("limited", _noting(arrivals))
        server.script("refusing", lambda _: Behaviour.error(429, "come back later"))
        run = _planned(home, server, given.seconds)
        with standing_workers(home, "one", "two"):
            _wait(promises, run, arrivals)
        _judge_window(promises, arrivals)
        _judge_conversations(promises, run, server)
    promises.close()


def _noting(arrivals: list[float]) -> Callable[[Call], None]:
    def note(_: Call) -> None:
        arrivals.append(time.monotonic())

    return note


def _planned(home: Home, server: ScriptedLLM, seconds: int) -> Run:
    from evaluation.services import planning, running
    from tests.support.plans import make_small_benchmark, planned_model, write_plan

    make_small_benchmark()  # four scenarios
    models = [planned_model(slug, server.url) for slug in ("simulator", "judge", "limited", "refusing")]
    models[2]["requests_per_minute"] = A_MINUTE
    samples = max(1, round(A_MINUTE / 60 * seconds / TURNS / 4))
    plan = write_plan(
        home.folder, server.url, name="limits", targets=["limited", "refusing"], turns=TURNS, samples=samples,
        concurrency=IN_FLIGHT, models=models,
    )  # fmt: skip
    run, _ = planning.freeze(planning.load_plan(plan))
    running.start(run)
    running.enqueue(run.pk)
    return run


def _wait(promises: Promises, run: Run, arrivals: Sequence[float]) -> None:
    """Returns when the run is not running any more: it pauses when nothing but the refusing model is left."""
    began = told_at = time.monotonic()
    while run.state == "running" and time.monotonic() - began < _MOST_SECONDS:
        time.sleep(1)
        run.refresh_from_db(fields=["state", "state_reason"])
        if time.monotonic() - told_at >= _SECONDS_BETWEEN_LINES:
            told_at = time.monotonic()
            last = sum(told_at - at < _WINDOW for at in list(arrivals))
            promises.say(f"{len(arrivals):,} calls of the limited model, {last} in the last 60 s")


def most_in_a_window(arrivals: Sequence[float], seconds: float = _WINDOW) -> int:
    """The most arrivals (ascending) in any span of so many seconds, its end left out."""
    return max((bisect_left(arrivals, at + seconds) - place for place, at in enumerate(arrivals)), default=0)


def _judge_window(promises: Promises, arrivals: list[float]) -> None:
    arrivals.sort()
    most = most_in_a_window(arrivals)
    seconds = arrivals[-1] - arrivals[0]
    promises.check(
        f"at most {A_MINUTE} calls in any 60 s",
        holds=most <= A_MINUTE,
        found=f"{most} at most, {len(arrivals):,} calls in {seconds:.0f} s",
    )
    share = len(arrivals) / (A_MINUTE / 60 * seconds)
    promises.check(
        f"at least {LEAST_SHARE_USED:.0%} of the limit are used", holds=share >= LEAST_SHARE_USED, found=f"{share:.1%}"
    )


def _judge_conversations(promises: Promises, run: Run, server: ScriptedLLM) -> None:
    conversations = run.conversations.all()
    limited, refusing = (conversations.filter(target__slug=slug) for slug in ("limited", "refusing"))
    done = limited.filter(state="finished", is_judged=True).count()
    promises.check(
        "all conversations of the limited model are held and judged",
        holds=done == limited.count(),
        found=f"{done} of {limited.count()}",
    )
    ended = refusing.filter(state__in=("finished", "failed")).count()
    promises.check(
        "none of the refusing model has ended: they wait",
        holds=ended == 0,
        found=f"{refusing.count() - ended} wait after {server.counts['refusing']} calls, {ended} ended",
    )
    promises.check(
        "then the run pauses and says which model it was",
        holds=run.state == "paused" and "refusing" in run.state_reason,
        found=f"{run.state}: {run.state_reason}",
    )


if __name__ == "__main__":
    main()
