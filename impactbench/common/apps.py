"""The application of what all others share."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "impactbench.common"
    label = "common"
    default_auto_field = "django.db.models.BigAutoField"
