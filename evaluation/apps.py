"""The evaluation application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class EvaluationConfig(AppConfig):
    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from evaluation.services import paper_taxonomy  # noqa: PLC0415  (models exist only from here on)

        post_migrate.connect(paper_taxonomy.load_after_migrations, sender=self)
