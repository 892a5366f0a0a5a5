"""Where everything of the embedded servers lies; pure, so that settings may ask at import."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

DATABASE = "impactbench"
DATABASE_USER = "postgres"
POSTGRES_PORT = 5432  # names the socket file only: nothing listens on TCP

# The kernel's limit for a socket path is 108 bytes on Linux and 104 on macOS.
LONGEST_SOCKET_PATH = 99
_LONGEST_SOCKET_NAME = f"pg/.s.PGSQL.{POSTGRES_PORT}.lock"


@dataclass(frozen=True)
class Paths:
    """Files and folders of one home; computing them touches nothing on disk except to resolve links."""

    home: Path
    sockets: Path

    @property
    def postgres_data(self) -> Path:
        return self.home / "postgres"

    @property
    def valkey_data(self) -> Path:
        return self.home / "valkey"

    @property
    def postgres_socket_dir(self) -> Path:
        return self.sockets / "pg"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def supervisor_socket(self) -> Path:
        return self.sockets / "supervisor.sock"

    @property
    def supervisor_lock(self) -> Path:
        """Held by the one supervisor for as long as it lives."""
        return self.home / "supervisor.lock"

    @property
    def start_lock(self) -> Path:
        """Held by the one client that is starting a supervisor."""
        return self.home / "start.lock"

    @property
    def logs(self) -> Path:
        return self.home / "log"

    def log(self, name: str) -> Path:
        """The log file of `supervisor` or of a service, by its name."""
        return self.logs / f"{name}.log"


def paths(home: Path) -> Paths:
    """Where the embedded servers of `home` keep their files and sockets."""
    home = Path(os.path.realpath(home))
    return Paths(home=home, sockets=_sockets(home))


def _sockets(home: Path) -> Path:
    """`home/run`, or a private folder in /tmp where that would be too long for a socket."""
    beside = home / "run"
    if len(os.fsencode(beside / _LONGEST_SOCKET_NAME)) <= LONGEST_SOCKET_PATH:
        return beside
    digest = hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    # Not tempfile.gettempdir(): two processes with different TMPDIR must find the same sockets.
    return Path("/tmp") / f"impactbench-{os.geteuid()}-{digest}"  # noqa: S108  (owner checked in folders.py)  # nosec B108


def database_settings(home: Path) -> dict[str, str]:
    """HOST, PORT, USER, PASSWORD and NAME of the embedded database, as Django's DATABASES wants them."""
    return {
        "HOST": str(paths(home).postgres_socket_dir),
        "PORT": str(POSTGRES_PORT),  # said, so that a PGPORT in the environment cannot lead astray
        "USER": DATABASE_USER,
        "PASSWORD": "",  # nosec B105
        "NAME": DATABASE,
    }


def database_url(home: Path) -> str:
    """The embedded database as a libpq address (psycopg, psql, pg_dump)."""
    where = urlencode({"host": str(paths(home).postgres_socket_dir), "port": POSTGRES_PORT}, quote_via=quote)
    return f"postgresql://{DATABASE_USER}@/{DATABASE}?{where}"


def broker_url(home: Path, database: int = 0) -> str:
    """The embedded Valkey as Celery's broker address."""
    return f"redis+socket://{quote(str(paths(home).valkey_socket))}?virtual_host={database}"


def redis_url(home: Path, database: int = 1) -> str:
    """The embedded Valkey as redis-py and Django's cache take it; another database than the broker's."""
    return f"unix://{quote(str(paths(home).valkey_socket))}?db={database}"
