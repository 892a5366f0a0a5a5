"""The application of what all others share."""

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created


class CommonConfig(AppConfig):
    name = "impactbench.common"
    label = "common"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from impactbench.common import fault_reports  # noqa: PLC0415  (settings must be ready first)
        from impactbench.common.page_version import watch_writes  # noqa: PLC0415  (settings must be ready first)

        fault_reports.begin(settings.SENTRY_DSN, environment=settings.SENTRY_ENVIRONMENT)
        connection_created.connect(watch_writes, dispatch_uid="page-version")
