"""When the worker on a trial last gave a sign of life."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0003_change_to_a_sent_review"),
    ]

    operations = [
        migrations.AddField(
            model_name="trial",
            name="heard_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
