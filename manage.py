#!/usr/bin/env python
"""Run a management command of ImpactBench."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "impactbench.settings.dev")
    from django.core.management import execute_from_command_line  # noqa: PLC0415  (settings must be named first)

    import impactbench.celery  # noqa: F401, PLC0415  (tasks find their broker through it)

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
