"""For somebody who lost phone, key and recovery codes."""

from typing import Any

from django.core.management.base import CommandParser

from impactbench.accounts.addresses import sign_in_link
from impactbench.accounts.models import User
from impactbench.accounts.services import remove_second_factors
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import UnusableInput


class Command(ImpactBenchCommand):
    help = "Take away the second factors of an account and print a link that signs it in once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", metavar="EMAIL")

    def run(self, options: dict[str, Any]) -> str:
        user = User.objects.by_email(options["email"])
        if user is None or not user.is_active:
            raise UnusableInput(f"there is no account of {options['email']!r}")
        count = remove_second_factors(user, by=None)
        self.stdout.write(f"sign in within a day: {sign_in_link(user)}")
        return f"{user.email}: {count} second factors removed"
