"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "impactbench.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
