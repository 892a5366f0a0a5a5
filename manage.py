#!/usr/bin/env python
"""Run a management command of ImpactBench."""

import os
import sys

# Django's own commands that talk to the database; ours make the servers ready by themselves.
DATABASE_COMMANDS = {
    "changepassword",
    "clearsessions",
    "createsuperuser",
    "dbshell",
    "dumpdata",
    "flush",
    "inspectdb",
    "loaddata",
    "makemigrations",
    "migrate",
    "runserver",
    "shell",
    "showmigrations",
    "sqlmigrate",
}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "impactbench.settings.dev")
    from django.core.management import execute_from_command_line  # noqa: PLC0415  (settings must be named first)

    import impactbench.celery  # noqa: F401, PLC0415  (tasks find their broker through it)

    lease = None
    if len(sys.argv) > 1 and sys.argv[1] in DATABASE_COMMANDS and "--help" not in sys.argv:
        from impactbench.common.readiness import join_servers  # noqa: PLC0415
        from impactbench.embedded import EmbeddedServerError  # noqa: PLC0415

        try:
            lease = join_servers()
        except EmbeddedServerError as problem:
            sys.exit(f"CommandError: {problem}")
    execute_from_command_line(sys.argv)
    if lease is not None:
        lease.close()


if __name__ == "__main__":
    main()
