"""200 conversations against endpoints that fail in every way, beside the same against sound ones: `make faults`.

One call in twenty is refused with 429, one in twenty breaks with 500, one in twenty comes back empty, one in a hundred
hangs, and half of the verdicts stand in a fence. Two workers each time, the same plan but for the names of the models.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.bench.own_home import Home, own_home
from tests.bench.promises import Promises
from tests.bench.scripted_server import Server, scripted_server
from tests.support.production_server import ROOT

if TYPE_CHECKING:
    from evaluation.models import Run

CONVERSATIONS = 200
TURNS = 6
IN_FLIGHT = 25  # in each of the two workers
LATENCY_MS = 50
FAULTS = ("--p429", ".05", "--p500", ".05", "--pnone", ".05", "--pfence", ".5", "--phang", ".01")
# How long an attempt and a call with all its attempts may take; a hanging endpoint is silent for longer than both.
ATTEMPTS, ATTEMPT_SECONDS, CALL_SECONDS, HANG_SECONDS = 6, 3, 20, 60


@dataclass(frozen=True)
class Ended:
    """A run with what the server counted meanwhile."""

    run: Run
    stats: dict[str, Any]

    @property
    def seconds(self) -> float:
        """From the first call to the last one."""
        return float(self.stats["span_s"])


def main() -> None:
    """Prints both runs and each promise; ends with 1 where one was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS, metavar="N", help="in fours (200)")
    parser.add_argument("--seed", type=int, default=1, help="which calls fail (1)")
    given = parser.parse_args()
    promises = Promises("faults")
    patience = {
        "MODEL_CALL_ATTEMPTS": str(ATTEMPTS),
        "MODEL_CALL_SECONDS": str(ATTEMPT_SECONDS),
        "MODEL_CALL_TOTAL_SECONDS": str(CALL_SECONDS),
    }
    with own_home(patience) as home:
        from tests.support.plans import make_small_benchmark

        make_small_benchmark()
        clean = _held(promises, home, "clean", given.conversations, ())
        more = (*FAULTS, "--hang-s", str(HANG_SECONDS), "--seed", str(given.seed))
        faulty = _held(promises, home, "faulty", given.conversations, more)
        _judge(promises, clean, faulty)
    promises.close()


def _held(promises: Promises, home: Home, name: str, conversations: int, options: tuple[str, ...]) -> Ended:
    from evaluation.models import Run

    with scripted_server("--latency-ms", str(LATENCY_MS), "--target-words", "40", *options) as server:
        _write_plan(home, name, server, conversations)
        command = [sys.executable, "manage.py", "run_evaluation", str(home.folder / f"{name}.yaml"), "--workers", "2"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        promises.say(f"{name}: {(done.stdout + done.stderr).splitlines()[-1]}")
        ended = Ended(Run.objects.get(slug=name), server.stats())
    promises.say(f"{name}: {ended.seconds:.1f} s of calls; the server counted {_told(ended.stats)}")
    return ended


def _write_plan(home: Home, name: str, server: Server, conversations: int) -> None:
    """The small benchmark holds four scenarios; so many samples of each, with one target."""
    from tests.support.plans import planned_model, write_plan

    simulator, judge, target = (f"{name}-{part}" for part in ("simulator", "judge", "target"))
    write_plan(
        home.folder, server.url, name=name, turns=TURNS, samples=max(1, conversations // 4), concurrency=IN_FLIGHT,
        user_simulator=simulator, judge=judge, targets=[target], budget_usd=1_000_000,
        models=[planned_model(slug, server.url) for slug in (simulator, judge, target)],
    )  # fmt: skip


def _told(stats: dict[str, Any]) -> str:
    faults = ", ".join(f"{n} x {kind}" for kind, n in sorted(stats["faults"].items()))
    return f"{stats['total_calls']:,} calls, of which went wrong: {faults or 'none'}"


def _judge(promises: Promises, clean: Ended, faulty: Ended) -> None:
    from evaluation.selectors.progress import run_progress

    for ended in (clean, faulty):
        _judge_ends(promises, ended)
    progress, stats = run_progress(faulty.run), faulty.stats
    promises.check(
        "every call is counted",
        holds=progress.calls == stats["total_calls"],
        found=f"{progress.calls:,} by the run, {stats['total_calls']:,} by the server",
    )
    wrong = sum(n for kind, n in stats["faults"].items() if kind in ("429", "500", "hang"))
    promises.check(
        "every repeated call is counted",
        holds=progress.retries == wrong,
        found=f"{progress.retries:,} by the run, {wrong:,} answers of the server that ask for it",
    )
    allowed = 2 * clean.seconds + CALL_SECONDS
    promises.check(
        "at most twice as long as the clean run, plus the deadline of a call",
        holds=faulty.seconds <= allowed,
        found=f"{faulty.seconds:.1f} s and {clean.seconds:.1f} s; allowed {allowed:.1f} s",
    )


def _judge_ends(promises: Promises, ended: Ended) -> None:
    from evaluation.engine.reasons import sentence
    from evaluation.models import Conversation, Judgment, Turn

    run = ended.run
    conversations = Conversation.objects.filter(run=run)
    ends = Counter(conversations.values_list("state", "reason"))
    for (state, reason), n in sorted(ends.items()):
        promises.say(f"  {run.slug}: {n:4d} {state}, {reason}: {sentence(reason)}")
    unread = Counter(Judgment.objects.filter(conversation__run=run, state="unjudged").values_list("reason", flat=True))
    for reason, n in sorted(unread.items()):
        promises.say(f"  {run.slug}: {n:4d} of them without a verdict, {reason}: {sentence(reason)}")
    explained = sum(n for (state, reason), n in ends.items() if state in ("finished", "failed") and reason)
    promises.check(
        f"{run.slug}: every conversation ends finished or explained",
        holds=run.state == "finished" and explained == conversations.count(),
        found=f"{explained} of {conversations.count()}, the run is {run.state}",
    )
    empty = Turn.objects.filter(conversation__run=run, reply="").count()
    judged = Judgment.objects.filter(conversation__run=run)
    strange = judged.exclude(conversation__state="finished").count()
    promises.check(
        f"{run.slug}: nothing empty is kept or judged",
        holds=empty == strange == 0,
        found=f"{empty} empty turns, {strange} judgments of conversations that failed",
    )


if __name__ == "__main__":
    main()
