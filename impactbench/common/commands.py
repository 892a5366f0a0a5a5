"""The base of ImpactBench's management commands: servers ready, failures in one sentence, honest exit codes."""

import re
import sys
from abc import abstractmethod
from pathlib import PurePath
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.readiness import prepare
from impactbench.embedded import EmbeddedServerError


class Interrupted(CommandError):
    """Somebody pressed Ctrl-C: whatever called the command ends too."""


class ImpactBenchCommand(BaseCommand):
    """A command whose work stands in `run`, which returns the one-line summary.

    Exit codes: 0 done; 1 failed, with the reason on standard error in one sentence; 2 unusable arguments or input.
    """

    requires_system_checks: list[str] = []
    # False for a command that works on files alone: no server is started or joined.
    needs_servers = True

    @abstractmethod
    def run(self, options: dict[str, Any]) -> str:
        """Do the work and return the summary; raise DomainError (1) or UnusableInput (2) with one clear sentence."""

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            _refuse_broken_text(options)
            self.lease = prepare() if self.needs_servers else None
            summary = self.run(options)
        except UnusableInput as problem:
            raise CommandError(str(problem), returncode=2) from problem
        except (DomainError, EmbeddedServerError) as problem:
            raise CommandError(str(problem), returncode=1) from problem
        except OperationalError as problem:
            raise CommandError(
                f"the database cannot be used: {str(problem).strip().splitlines()[0]}", returncode=1
            ) from problem
        except KeyboardInterrupt:
            raise Interrupted("give the same command again to go on", returncode=1) from None
        if summary:
            self.stdout.write(summary)

    @property
    def is_terminal(self) -> bool:
        """True when progress may be drawn instead of printed line by line."""
        return sys.stderr.isatty()


def _refuse_broken_text(options: dict[str, Any]) -> None:
    """Bytes of an argument that are no UTF-8 arrive as lone surrogates, which no database and no file takes."""
    for name, value in options.items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str | PurePath) and re.search("[\ud800-\udfff]", str(text)):
                raise UnusableInput(f"{name.replace('_', ' ')} is not UTF-8 text; write it in UTF-8")
