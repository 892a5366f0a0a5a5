"""The signing secret of a machine that was given none."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path


def local_secret(home: Path) -> str:
    """The secret kept in `home/secret-key`, made on first use and readable by its owner alone.

    Safe when many processes and threads ask at once: the first one to put its file in place decides.
    """
    path = home / "secret-key"
    home.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # mkstemp gives a name of its own to everybody who tries, and a file that nobody else may read.
        handle, draft = tempfile.mkstemp(prefix="secret-key.", dir=home)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        Path(draft).unlink()
    return path.read_text(encoding="ascii")
