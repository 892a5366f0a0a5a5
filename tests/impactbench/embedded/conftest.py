"""A home of their own for the tests of the embedded servers, and a look at what runs in it."""

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from impactbench.embedded import Service, join, paths
from tests.impactbench.embedded.observing import stop_everything


@pytest.fixture(scope="session")
def first_home() -> Iterator[Path]:
    """A home that has been used once; the others copy its database, since making one takes its time."""
    with fresh_home() as home:
        join(home, Service.POSTGRES).close()
        stop_everything(home)
        yield home


@pytest.fixture
def home(first_home: Path) -> Iterator[Path]:
    """A home of the test's own, with an unused database."""
    with fresh_home() as home:
        home.mkdir()
        copy_folder(first_home / "postgres", home)
        yield home


@pytest.fixture
def empty_home() -> Iterator[Path]:
    """A home that does not exist yet."""
    with fresh_home() as home:
        yield home


def copy_folder(folder: Path, target: Path) -> None:
    """Copy a folder into another, owners included."""
    subprocess.run(["cp", "-a", folder, target], check=True)  # shutil would not keep the owner


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
