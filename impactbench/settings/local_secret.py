"""The signing secret of a machine that was given none."""

import os
import secrets
from pathlib import Path


def local_secret(home: Path) -> str:
    """The secret kept in `home/secret-key`, made on first use and readable by its owner alone.

    Safe when several processes ask at once: the first one to create the file decides.
    """
    path = home / "secret-key"
    home.mkdir(parents=True, exist_ok=True)
    draft = home / f"secret-key.{os.getpid()}"
    if not path.exists():
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="ascii")
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii")
