"""Let a run go on with another number of conversations in flight than its plan was frozen with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0010_find_metrics_by_words")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="concurrency",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
