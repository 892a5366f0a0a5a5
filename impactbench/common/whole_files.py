"""Files and folders that are there whole or not at all, and their checksums."""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def made_whole(path: Path) -> Iterator[Path]:
    """A place beside `path` to make a file or folder at, which becomes `path` when all went well and is gone when not.

    Raises FileExistsError where something stands at `path` already, and what the file system refuses.
    """
    if path.exists():
        raise FileExistsError(path)
    made = path.with_name(f".{path.name}.part")
    remove(made)
    try:
        yield made
        made.rename(path)
    finally:
        remove(made)


def checksum(file: Path) -> str:
    """SHA-256 of a file, as 64 digits."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def remove(path: Path) -> None:
    """Delete a file, or a folder with everything in it; no matter if it is gone."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
