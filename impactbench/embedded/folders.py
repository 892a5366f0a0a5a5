"""Creates the folders of a home, and refuses a socket folder that somebody else prepared."""

import os
import stat

from impactbench.embedded.layout import Paths
from impactbench.embedded.services import EmbeddedServerError


def create(paths: Paths) -> None:
    """Make home, log and socket folders; raises EmbeddedServerError where that is impossible or unsafe."""
    try:
        paths.logs.mkdir(parents=True, exist_ok=True)
        # Root's PostgreSQL runs under another account and must pass through; entering is not listing.
        paths.sockets.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, exist_ok=True)
    except OSError as error:
        raise unusable(paths, error) from error
    if paths.home not in paths.sockets.parents:
        _check_private(paths)


def unusable(paths: Paths, error: OSError) -> EmbeddedServerError:
    """The sentence for a home that we may not read or write."""
    return EmbeddedServerError(
        f"The embedded servers cannot use {paths.home} ({error.strerror}: {error.filename}); "
        "set IMPACTBENCH_HOME to a folder of your own."
    )


def _check_private(paths: Paths) -> None:
    # SECURITY: everybody may write to /tmp, so the folder may be a trap: a link, or another user's.
    found = paths.sockets.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise EmbeddedServerError(
            f"The folder {paths.sockets} is not private to you; remove it, or set IMPACTBENCH_HOME to a shorter path."
        )
