"""Make an account, or give an existing one more roles."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser
from django.core.validators import validate_email

from impactbench.accounts.addresses import sign_in_link
from impactbench.accounts.models import RoleGrant
from impactbench.accounts.services import create_account
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import UnusableInput


class Command(ImpactBenchCommand):
    help = "Make an account with roles and print a link that signs it in once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--role", nargs="+", action="extend", default=[], choices=RoleGrant.Role.values)

    def run(self, options: dict[str, Any]) -> str:
        try:
            validate_email(options["email"])
        except ValidationError:
            raise UnusableInput(f"{options['email']!r} is not an e-mail address") from None
        user, is_new = create_account(email=options["email"], roles=options["role"])
        roles = ", ".join(sorted(user.role_grants.values_list("role", flat=True))) or "no role"
        self.stdout.write(f"sign in within a day: {sign_in_link(user)}")
        return f"{user.email}: {'made' if is_new else 'was there already'}, {roles}"
