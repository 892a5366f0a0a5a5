"""Keep what providers report of the calls of judges, as turns do of theirs."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0012_keep_evidence")]

    operations = [
        migrations.AddField(
            model_name="judgment",
            name="usage",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]
