"""One site with the data of `july_shape` behind the production server, shared by all processes of a test run.

The fixture `july_site` (tests/journeys/conftest.py) is its address; `july`, `july_phone` and `july_without_javascript`
are visits of it:

    def test_a_label_fits(july: Visit) -> None:
        july.open(f"/labels/{july_words.PARTIAL}/")
        assert july.overflow() <= 0

Whoever asks first starts a keeper: a process of its own with embedded servers of its own, which builds the data (about
20 s), serves them with gunicorn and the page cache as `make serve` does, and stops when the last user is gone, even one
that was killed. Tests only read: nothing that they do is undone. They need no database of their own, so mark them
`browser` only; slugs and public ids are in `july_words` and `july_shape`.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from impactbench import embedded
from impactbench.embedded import Service
from tests.support.production_server import ROOT, environment, served

SECONDS_TO_START = 600


@contextmanager
def shared_site(folder: Path) -> Iterator[str]:
    """The address of the site that all users of `folder` share, without a slash at its end."""
    folder.mkdir(exist_ok=True)
    with _locked(folder / "users", fcntl.LOCK_SH):
        with _locked(folder / "start", fcntl.LOCK_EX):
            url = _address(folder) or _start(folder)
        yield url


@contextmanager
def _locked(path: Path, kind: int) -> Iterator[IO[str]]:
    """Hold a lock that the kernel lets go of when this process ends, however it does."""
    with path.open("a") as file:
        fcntl.flock(file, kind)
        yield file


def _address(folder: Path) -> str:
    with suppress(FileNotFoundError):
        return (folder / "address").read_text()
    return ""


def _start(folder: Path) -> str:
    """Start the keeper and wait for its site. Raises RuntimeError with its last words where it fails."""
    home = tempfile.mkdtemp(prefix="home-", dir=folder)
    with (folder / "log").open("wb") as log:
        keeper = subprocess.Popen(
            [sys.executable, "-m", "tests.support.july_site", str(folder)],
            cwd=ROOT,
            env=environment(Path(home)),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    # Somebody has to take note of its end, which may come after ours.
    threading.Thread(target=keeper.wait, name="july-site", daemon=True).start()
    deadline = time.monotonic() + SECONDS_TO_START
    while not _address(folder):
        if keeper.poll() is not None or time.monotonic() > deadline:
            keeper.kill()
            raise RuntimeError(f"the site of the tests did not start:\n{(folder / 'log').read_text()[-3000:]}")
        time.sleep(0.1)
    return _address(folder)


# --- The keeper


def keep(folder: Path) -> None:
    """Build and serve until nobody uses the folder any more; then nothing is left of the site but its log."""
    try:
        with embedded.join(Path(os.environ["IMPACTBENCH_HOME"]), Service.POSTGRES, Service.VALKEY):
            _build()
            _serve_until_unused(folder)
    finally:
        shutil.rmtree(os.environ["IMPACTBENCH_HOME"], ignore_errors=True)


def _serve_until_unused(folder: Path) -> None:
    with served(os.environ) as url:
        _write(folder / "address", url)
        with _locked(folder / "users", fcntl.LOCK_EX):
            (folder / "address").unlink()


def _build() -> None:
    """In a process of its own, which is gone with its memory when the site is served."""
    subprocess.run([sys.executable, "-c", "from tests.support.july_site import build; build()"], check=True)


def build() -> None:
    """Fill the database that the settings name."""
    import django

    django.setup()
    from impactbench.common.readiness import apply_pending_migrations
    from tests.support import july_shape

    apply_pending_migrations()
    july_shape.build()


def _write(path: Path, text: str) -> None:
    """At once: whoever sees the file sees all of it."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.rename(path)


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
