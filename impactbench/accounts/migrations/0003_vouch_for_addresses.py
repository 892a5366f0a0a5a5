"""The addresses of existing accounts count as confirmed: operators made them, and handed out the links to sign in."""

from django.db import migrations


def vouch(apps, _schema_editor):
    addresses = apps.get_model("account", "EmailAddress").objects
    for user in apps.get_model("accounts", "User").objects.iterator():
        if not addresses.filter(user_id=user.pk).exists():
            addresses.create(user_id=user.pk, email=user.email.lower(), verified=True, primary=True)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_profile_of_a_person"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [
        migrations.RunPython(vouch, migrations.RunPython.noop),
    ]
