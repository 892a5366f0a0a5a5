"""Second factors that were kept as they are, sealed."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations

from impactbench.accounts.sealing import seal, unseal

SEALED = "gAAAA"  # what everything that Fernet makes begins with


def seal_all(apps: Apps, _editor: Any) -> None:
    _change(apps, lambda text: text if text.startswith(SEALED) else seal(text))


def unseal_all(apps: Apps, _editor: Any) -> None:
    _change(apps, lambda text: unseal(text) if text.startswith(SEALED) else text)


def _change(apps: Apps, change: Any) -> None:
    for factor in apps.get_model("mfa", "Authenticator").objects.filter(type__in=["totp", "recovery_codes"]):
        for name in {"secret", "seed"} & set(factor.data):
            factor.data[name] = change(factor.data[name])
        if "migrated_codes" in factor.data:
            factor.data["migrated_codes"] = [change(code) for code in factor.data["migrated_codes"]]
        factor.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_vouch_for_addresses"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [
        migrations.RunPython(seal_all, unseal_all),
    ]
