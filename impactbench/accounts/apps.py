"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "impactbench.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from impactbench.accounts import (  # noqa: PLC0415  (models must be loaded first)
            personal_data,
            session_age,  # noqa: F401
            signals,  # noqa: F401
        )
        from impactbench.accounts.erasure import erase_sign_in, export_account  # noqa: PLC0415  (as above)

        personal_data.register("account", export_account, erase_sign_in)
