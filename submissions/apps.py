"""The submissions application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy

# The kinds of letters that a person may do without; decisions and what guards the account always arrive.
MAIL_KINDS = {
    "receipt": "A receipt for what you sent",
    "assignment": "Invitations to review, and what changes about them",
    "revision": "A new version of what you reviewed",
    "reminder": "Reminders of what is due",
    "discussion": "Questions and answers about a submission",
    "publication": "What was published of yours",
}


class SubmissionsConfig(AppConfig):
    name = "submissions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make known: checks of letters, what is kept about people, and what the search of the site finds here."""
        from evaluation.services.studies.statuses import register_disputes  # noqa: PLC0415  (the apps must be loaded first)
        from impactbench.accounts import mail_preferences, personal_data  # noqa: PLC0415  (the apps must be loaded first)
        from impactbench.common import searchable  # noqa: PLC0415  (the apps must be loaded first)
        from impactbench.common.mail import register_check  # noqa: PLC0415  (the apps must be loaded first)
        from submissions.personal_data import (  # noqa: PLC0415  (the apps must be loaded first)
            erase_from_submissions,
            export_submissions,
        )
        from submissions.selectors.cases import found_cases  # noqa: PLC0415  (the apps must be loaded first)
        from submissions.services import outbox_checks  # noqa: PLC0415  (the apps must be loaded first)
        from submissions.services.suggestions import open_disputes  # noqa: PLC0415  (the apps must be loaded first)

        register_check("assignment-unanswered", outbox_checks.is_unanswered)
        register_check("assignment-unfinished", outbox_checks.is_unfinished)
        register_disputes(open_disputes)
        personal_data.register("submissions", export_submissions, erase_from_submissions)
        searchable.register("case-studies", gettext_lazy("Case studies"), found_cases)
        for kind, words in MAIL_KINDS.items():
            mail_preferences.register(kind, words)
