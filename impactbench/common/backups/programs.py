"""PostgreSQL's own programs for dumps, from the wheel that brings the embedded server."""

import os
import subprocess
from pathlib import Path

from django.db import connection

from impactbench.common.errors import DomainError
from impactbench.embedded.postgres import wheel_programs

# What the programs read instead of arguments, so that no password stands in the list of processes.
_VARIABLES = {"NAME": "PGDATABASE", "USER": "PGUSER", "PASSWORD": "PGPASSWORD", "HOST": "PGHOST", "PORT": "PGPORT"}  # nosec B105


def run_program(name: str, *arguments: str | Path) -> None:
    """Run `pg_dump` or `pg_restore` on the configured database. Raises DomainError with what it complained of."""
    settings = connection.settings_dict
    variables = {variable: str(settings[key]) for key, variable in _VARIABLES.items() if settings.get(key)}
    options = settings.get("OPTIONS", {})
    variables |= {f"PG{key.upper()}": str(options[key]) for key in ("sslmode", "sslrootcert") if key in options}
    try:
        done = subprocess.run(
            [wheel_programs() / name, *arguments],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as problem:
        raise DomainError(f"{name} cannot be started: {problem.strerror}; run `make setup`") from problem
    if done.returncode:
        complaint = " ".join((done.stderr.strip().splitlines() or ["no reason given"])[:2])
        raise DomainError(f"{name} failed: {complaint}")
