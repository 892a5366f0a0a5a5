"""The evaluation application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class EvaluationConfig(AppConfig):
    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make known: the paper's taxonomy, what is kept about raters, and the letters that studies write."""
        from evaluation.personal_data import (  # noqa: PLC0415  (models exist only from here on)
            erase_from_studies,
            export_studies,
        )
        from evaluation.services import (  # noqa: PLC0415  (models exist only from here on)
            paper_taxonomy,
            schedule_letters,
        )
        from evaluation.services.studies import reminding  # noqa: PLC0415  (models exist only from here on)
        from impactbench.accounts import mail_preferences, personal_data  # noqa: PLC0415  (the apps must be loaded)
        from impactbench.common.mail import register_check  # noqa: PLC0415  (the apps must be loaded first)

        post_migrate.connect(paper_taxonomy.load_after_migrations, sender=self)
        register_check(reminding.CHECK, reminding.is_unfinished)
        personal_data.register("studies", export_studies, erase_from_studies)
        mail_preferences.register(schedule_letters.KIND, "Scheduled runs: what got worse, and what stopped")
        mail_preferences.register(reminding.KIND, "Reminders of studies in which you rate")
