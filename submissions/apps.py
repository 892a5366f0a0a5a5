"""The submissions application."""

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "submissions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the checks of letters known, to pages and workers, and what is kept about people."""
        from impactbench.accounts import personal_data  # noqa: PLC0415  (the apps must be loaded first)
        from impactbench.common.mail import register_check  # noqa: PLC0415  (the apps must be loaded first)
        from submissions.personal_data import (  # noqa: PLC0415  (the apps must be loaded first)
            erase_from_submissions,
            export_submissions,
        )
        from submissions.services import outbox_checks  # noqa: PLC0415  (the apps must be loaded first)

        register_check("assignment-unanswered", outbox_checks.is_unanswered)
        register_check("assignment-unfinished", outbox_checks.is_unfinished)
        personal_data.register("submissions", export_submissions, erase_from_submissions)
