"""Who holds a lease: a name that tells whether its process is still alive on this machine."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
from functools import cache
from pathlib import Path


def new_owner() -> str:
    """A name for this process as a holder of leases; another one each time."""
    return f"{_this_system()}:{os.getpid()}:{secrets.token_hex(6)}"


def is_known_dead(owner: str) -> bool:
    """True only where the owner's process lived on this system and is gone or a zombie; else nobody knows."""
    system, _, rest = owner.partition(":")
    pid = rest.partition(":")[0]
    return system == _this_system() and pid.isdecimal() and not _is_alive(int(pid))


@cache
def _this_system() -> str:
    """Names the space in which a process number means something: machine, boot and process namespace."""
    parts = [socket.gethostname()]
    for path in ("/proc/sys/kernel/random/boot_id", "/etc/machine-id"):
        try:
            parts.append(Path(path).read_text(encoding="ascii").strip())
        except OSError:
            continue
    try:
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    except OSError:
        parts.append("")
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state not in ("Z", "X")
