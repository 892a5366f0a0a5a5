"""Works a run off from a command: workers, a progress bar, and what to say at the end."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from typing import Any, Protocol

from tqdm import tqdm

from evaluation.engine.reasons import sentence
from evaluation.management.local_workers import local_workers, queue_of
from evaluation.models import Run
from evaluation.selectors.progress import Progress, run_progress, unjudged_reasons, unverified_quotes
from evaluation.services import judging, running
from impactbench.common.errors import DomainError, UnusableInput

_SECONDS_BETWEEN_LOOKS = 0.5
# Counting a long run takes the database a while: afterwards it is left alone for so many times as long.
_TIMES_WITHOUT_COUNTING = 20.0
_SECONDS_BETWEEN_LINES = 5.0
_SECONDS_WITHOUT_NEWS = 20.0


class Out(Protocol):
    """Where lines are written to: a command's output."""

    def write(self, line: str, /) -> Any: ...

    def flush(self) -> None: ...


def run_named(slug: str) -> Run:
    """The run of that name. Raises UnusableInput where there is none."""
    run = Run.objects.defer("spec").filter(slug=slug).first()
    if run is None:
        raise UnusableInput(f"there is no run {slug!r}")
    return run


def work_off(run: Run, *, workers: int, wait: bool, out: Out) -> None:
    """Has a running run worked off: by `workers` processes of our own, or by the standing ones where that is 0.

    Returns when the run is not running any more (at once without `wait` and without workers of our own).
    """
    if run.state != Run.State.RUNNING:
        return
    if workers == 0:
        running.enqueue(run.pk)
        if wait:
            _watch(run, out, look_after=lambda: None)
        return
    with local_workers(run, workers) as ours:
        running.enqueue(run.pk, queue=queue_of(run), runners=workers)
        _watch(run, out, look_after=ours.look_after)


def report(run: Run) -> dict[str, Any]:
    """The run's totals, as `--json` writes them (contract: `run_evaluation`)."""
    run.refresh_from_db(fields=["state", "state_reason", "started_at", "finished_at"])
    progress = run_progress(run)
    unverified, _ = unverified_quotes(run)
    return {
        "run": run.slug,
        "state": run.state,
        "reason": run.state_reason,
        "conversations": progress.finished + progress.failed,
        "conversations_planned": progress.total,
        "turns": progress.turns,
        "judgments": progress.judged,
        "unjudged": unjudged_reasons(run),
        "unverified_quotes": unverified,
        "agreement": _agreement(run),
        "calls": progress.calls,
        "retries": progress.retries,
        "tokens": progress.tokens,
        "cost_usd": None if progress.cost_usd is None else float(progress.cost_usd),
        "seconds": round(progress.seconds, 1),
    }


def _agreement(run: Run) -> dict[str, Any] | None:
    """How far several judges or repeats agree; None where each conversation is judged once."""
    judges = judging.judges_of(run)
    if sum(repeats for _, _, repeats in judges) < 2:
        return None
    from evaluation.selectors.judge_agreement import agreement_of  # noqa: PLC0415  (loads pandas, mostly for nothing)

    return {"judges": [judge.slug for judge, _, _ in judges], **asdict(agreement_of(run))}


def summary(found: dict[str, Any]) -> str:
    """One line about a run; its reasons in words."""
    done = f"{found['conversations']} of {found['conversations_planned']} conversations"
    parts = [
        f"run {found['run']} {found['state']}: {done}",
        f"{found['judgments']} judgments",
        f"{found['calls']} calls ({found['retries']} repeated)",
        cost_in_words(found["cost_usd"]),
        duration(found["seconds"]),
    ]
    reasons = [f"{count}: {sentence(reason)}" for reason, count in found["unjudged"].items()]
    without = f"; without a verdict: {' '.join(reasons)}" if reasons else ""
    return f"{', '.join(parts)}{without}"


def check_ended_well(found: dict[str, Any]) -> None:
    """Raises DomainError with the reason when the run is not finished."""
    if found["state"] != Run.State.FINISHED:
        why = found["reason"] or "somebody asked for it"
        raise DomainError(
            f"run {found['run']} is {found['state']} after {found['conversations']} of "
            f"{found['conversations_planned']} conversations: {why}"
        )


def cost_in_words(usd: Any) -> str:
    """`$0.0123`, or that it is unknown."""
    if usd is None:
        return "cost unknown"
    return f"${float(usd):.4f}" if float(usd) < 1 else f"${float(usd):,.2f}"


def duration(seconds: float) -> str:
    """`8 s`, `3 min 05 s`, `1 h 50 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _watch(run: Run, out: Out, *, look_after: Any) -> None:
    """Shows progress until the run is not running any more."""
    shown, look_at = _Shown(run, out), 0.0
    try:
        while True:
            run.refresh_from_db(fields=["state", "state_reason", "started_at", "finished_at"])
            is_over = run.state != Run.State.RUNNING
            began = time.monotonic()
            if is_over or began >= look_at:
                shown.show(run_progress(run), is_last=is_over)
                look_at = began + _TIMES_WITHOUT_COUNTING * (time.monotonic() - began)
            if is_over:
                return
            look_after()
            time.sleep(_SECONDS_BETWEEN_LOOKS)
    finally:
        shown.close()


class _Shown:
    """Progress on a terminal as a bar, elsewhere as a line every few seconds."""

    def __init__(self, run: Run, out: Out) -> None:
        self._run = run
        self._out = out
        self._began = time.monotonic()
        self._first: Progress | None = None
        self._bar: tqdm[Any] | None = None
        self._line_at = 0.0
        self._done_at_line = -1

    def show(self, progress: Progress, *, is_last: bool) -> None:
        self._first = self._first or progress
        words = self._words(progress)
        if sys.stderr.isatty():
            self._draw(progress, words)
        elif is_last or self._is_time_for_a_line(progress):
            self._out.write(f"{self._run.slug}: {progress.done} of {progress.total} conversations, {words}\n")
            self._out.flush()
            self._line_at, self._done_at_line = time.monotonic(), progress.done

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def _is_time_for_a_line(self, progress: Progress) -> bool:
        """Soon after conversations ended, and now and then while none did."""
        quiet = _SECONDS_BETWEEN_LINES if progress.done != self._done_at_line else _SECONDS_WITHOUT_NEWS
        return time.monotonic() - self._line_at >= quiet

    def _draw(self, progress: Progress, words: str) -> None:
        if self._bar is None:
            form = "{desc} {percentage:3.0f}% |{bar}| {n_fmt} of {total_fmt} conversations, {postfix}"
            self._bar = tqdm(total=progress.total, desc=self._run.slug, bar_format=form, leave=True)
        self._bar.total = progress.total
        self._bar.n = progress.done
        self._bar.set_postfix_str(words, refresh=True)

    def _words(self, progress: Progress) -> str:
        """Rate and time left from what was done since we began to look; all costs of the run."""
        assert self._first is not None
        seconds = time.monotonic() - self._began
        done, steps = progress.done - self._first.done, progress.steps - self._first.steps
        words = [f"{progress.turns} turns"]
        if done and seconds > 1:
            words.append(f"{60 * done / seconds:.{0 if done > seconds / 6 else 1}f} a minute")
        words.append(cost_in_words(progress.cost_usd))
        if steps > 0 and progress.steps_left:
            words.append(f"about {duration(progress.steps_left * seconds / steps)} left")
        if progress.failed or progress.unjudged:
            words.append(f"{progress.failed + progress.unjudged} without a verdict")
        return ", ".join(words)
