"""Under which account a server runs, and how it is launched so that it can reach its files and dies with us."""

import os
import pwd
import shutil
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from impactbench.embedded.services import EmbeddedServerError

# The weaker one first: it lets a process enter and read any folder, the other one write as well (containers
# often grant only that). Capability numbers are those of linux/capability.h.
_ENTERING_CAPABILITIES = (("dac_read_search", 2), ("dac_override", 1))


@dataclass(frozen=True)
class Account:
    """An ordinary account that root hands a server to."""

    uid: int
    gid: int


@dataclass(frozen=True)
class Launch:
    """How a command is started: words before it, and options for the process call."""

    prefix: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)


def account_for(data: Path) -> Account | None:
    """Whom PostgreSQL runs as: nobody else (None) for ordinary users; as root, the owner of the data or `nobody`."""
    if os.geteuid() != 0:
        return None
    if data.exists() and data.stat().st_uid != 0:
        found = data.stat()
        return Account(found.st_uid, found.st_gid)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError as error:
        raise EmbeddedServerError(
            "PostgreSQL does not run as root and this machine has no account `nobody`; "
            "run as an ordinary user, or set DATABASE_URL."
        ) from error
    return Account(nobody.pw_uid, nobody.pw_gid)


def launch(death_signal: signal.Signals, account: Account | None = None, reach: tuple[Path, ...] = ()) -> Launch:
    """How to start a server that receives `death_signal` when the supervisor dies (Linux only).

    `reach` are the paths an `account` must get to. Under a private folder (/root) it cannot, and is then given
    the one capability for it. Raises EmbeddedServerError where that is impossible.
    """
    setpriv = shutil.which("setpriv")
    blocked = [path for path in reach if account and not _can_reach(account, path)]
    if setpriv:
        capability = _capability(blocked[0]) if blocked else []
        return Launch([setpriv, "--pdeathsig", death_signal.name, *_identity(account), *capability, "--"])
    if blocked:
        raise _unreachable(blocked[0])
    if account:
        return Launch(options={"user": account.uid, "group": account.gid, "extra_groups": []})
    return Launch()


def _identity(account: Account | None) -> list[str]:
    return [f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups"] if account else []


def _can_reach(account: Account, path: Path) -> bool:
    """Whether every folder above `path` lets the account enter (access lists are not considered)."""
    for folder in Path(os.path.realpath(path)).parents:
        found = folder.stat()
        entering = 0o100 if found.st_uid == account.uid else 0o001
        if not found.st_mode & entering:
            return False
    return True


def _capability(blocked: Path) -> list[str]:
    held = _own_capabilities()
    for name, number in _ENTERING_CAPABILITIES:
        if held >> number & 1:
            # no_setuid_fixup: else access(2), with which PostgreSQL looks for its own program, ignores capabilities.
            return [
                "--securebits=+no_setuid_fixup",
                f"--inh-caps=-all,+{name}",
                f"--ambient-caps=-all,+{name}",
                f"--bounding-set=-all,+{name}",
            ]
    raise _unreachable(blocked)


def _own_capabilities() -> int:
    status = Path("/proc/self/status").read_text().splitlines()
    return next((int(line.split()[1], 16) for line in status if line.startswith("CapEff:")), 0)


def _unreachable(path: Path) -> EmbeddedServerError:
    return EmbeddedServerError(
        f"PostgreSQL does not run as root, and the account `nobody` cannot reach {path}; "
        "set IMPACTBENCH_HOME to a folder that everybody may enter, keep the project in such a folder too, "
        "or set DATABASE_URL."
    )
