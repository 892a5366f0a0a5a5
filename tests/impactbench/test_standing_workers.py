"""The workers beside the web server: they take what is queued, and are gone with the process that started them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from impactbench.common import mail
from impactbench.common.models import OutgoingMail
from tests.support.commands import ROOT, environment

pytestmark = pytest.mark.alone

SECONDS_TO_BE_READY = 90.0
SECONDS_TO_BE_GONE = 40.0
# A stand-in for the web server's master: starts the workers as it does, and sleeps.
MASTER = """
import os, subprocess, sys, time

subprocess.Popen([sys.executable, "-m", "impactbench.standing_workers"], start_new_session=True,
                 env={**os.environ, "IMPACTBENCH_PARENT_PID": str(os.getpid())})
time.sleep(600)
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home whose processes are all ended at the end of the test."""
    yield tmp_path
    for number in _processes(tmp_path):
        os.kill(number, signal.SIGKILL)


def _processes(home: Path) -> list[int]:
    """The processes that were given this home."""
    wanted = f"IMPACTBENCH_HOME={home}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if wanted in variables:
            found.append(int(folder.name))
    return found


def _leads_a_worker(number: int) -> bool:
    try:
        return b"celery" in Path(f"/proc/{number}/cmdline").read_bytes() and os.getpgid(number) == number
    except OSError:  # it ended meanwhile
        return False


def _start_master(home: Path, **variables: str) -> "subprocess.Popen[bytes]":
    everything = {**os.environ, **environment(home), "STANDING_WORKER": "yes", **variables}
    return subprocess.Popen([sys.executable, "-c", MASTER], cwd=ROOT, env=everything)


def _comes_true(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not (is_true := condition()) and time.monotonic() < deadline:
        time.sleep(0.2)
    return is_true


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_mail_is_sent_by_the_standing_workers_and_all_end_with_a_killed_master(home: Path) -> None:
    with _start_master(home) as master:
        letter = mail.post(event="hello", kind="account", address="ada@example.org", subject="Hello", text="Hello.")
        letters = OutgoingMail.objects.filter(pk=letter.pk, state="sent")
        was_sent = _comes_true(letters.exists, SECONDS_TO_BE_READY)
        master.kill()

    assert was_sent
    assert _comes_true(lambda: _processes(home) == [], SECONDS_TO_BE_GONE)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_killed_worker_is_started_again(home: Path) -> None:
    def workers() -> set[int]:
        return {number for number in _processes(home) if _leads_a_worker(number)}

    with _start_master(home) as master:
        assert _comes_true(lambda: len(workers()) == 2, SECONDS_TO_BE_READY)
        killed = min(workers())
        os.kill(killed, signal.SIGKILL)
        # One look for both: a process that was killed may be there for another moment.
        came_back = _comes_true(lambda: len({killed, *workers()}) == 3, SECONDS_TO_BE_READY)
        master.kill()

    assert came_back
    assert _comes_true(lambda: _processes(home) == [], SECONDS_TO_BE_GONE)


def test_nothing_stands_where_the_setting_is_off(home: Path) -> None:
    variables = {**os.environ, **environment(home), "STANDING_WORKER": "no", "IMPACTBENCH_PARENT_PID": str(os.getpid())}
    command = [sys.executable, "-m", "impactbench.standing_workers"]

    ended = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, timeout=30, check=True)

    assert (ended.stdout, ended.stderr, _processes(home)) == (b"", b"", [])
