"""Send the mails that are due, once; for a machine without a standing worker."""

from typing import Any

from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.mail_delivery import deliver_due


class Command(ImpactBenchCommand):
    help = "Send the mails that are due, once."

    def run(self, options: dict[str, Any]) -> str:  # noqa: ARG002  (it has no options)
        outcomes = deliver_due()
        told = ", ".join(f"{outcomes[state]} {state}" for state in sorted(outcomes))
        return f"mails: {told or 'none is due'}"
