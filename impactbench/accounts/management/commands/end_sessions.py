"""For an account in the wrong hands, or all of them."""

from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management.base import CommandParser

from impactbench.accounts import traces
from impactbench.accounts.models import User
from impactbench.accounts.tokens.services import revoke_all
from impactbench.common.audit import record
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import UnusableInput


class Command(ImpactBenchCommand):
    help = (
        "End all sessions of an account and revoke its tokens, or end the sessions of everybody: "
        "who is signed in has to sign in again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("email", metavar="EMAIL", nargs="?")
        who.add_argument("--everybody", action="store_true")

    def run(self, options: dict[str, Any]) -> str:
        if options["everybody"]:
            count, _ = Session.objects.all().delete()
            UserSession.objects.all().delete()
            return f"{count} sessions ended"
        user = User.objects.by_email(options["email"])
        if user is None:
            raise UnusableInput(f"there is no account of {options['email']!r}")
        count = traces.end_sessions(user)
        record(actor=None, action="sessions-ended", target=user, details={"count": count})
        return f"{user.email}: {count} sessions ended, {revoke_all(user, by=None)} tokens of programs revoked"
