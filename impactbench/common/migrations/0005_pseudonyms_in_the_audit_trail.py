"""Names and addresses of people in older events give way to the pseudonyms that new ones are written with."""

from django.db import migrations
from django.db.models import CharField, F, Value
from django.db.models.functions import Cast, Concat


def use_pseudonyms(apps, _schema_editor):
    events = apps.get_model("common", "AuditEvent").objects
    events.filter(actor_id__isnull=False).update(
        actor_name=Concat(Value("account "), Cast(F("actor_id"), CharField()), output_field=CharField())
    )
    events.filter(actor_id__isnull=True).exclude(actor_name="").update(actor_name="a deleted account")
    events.filter(target_type="accounts.user").update(target_name=Concat(Value("account "), F("target_id")))


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0004_audit_append_only"),
    ]

    operations = [
        migrations.RunPython(use_pseudonyms, migrations.RunPython.noop),
    ]
