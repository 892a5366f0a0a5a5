"""A home of their own for the tests of the embedded servers, and a look at what runs in it."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from impactbench.embedded import paths
from tests.impactbench.embedded.observing import stop_everything


@pytest.fixture
def home() -> Iterator[Path]:
    with fresh_home() as folder:
        yield folder


@contextlib.contextmanager
def fresh_home() -> Iterator[Path]:
    """A short new folder that everybody may enter; what runs in it is ended afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="ib-", dir="/tmp"))
    folder.chmod(0o755)
    yield folder / "home"
    for home in (folder / "home", *folder.glob("*/home")):
        stop_everything(home)
        shutil.rmtree(paths(home).sockets, ignore_errors=True)
    shutil.rmtree(folder)
