"""Remember which workers were asked for a run, so that they can be asked again when they are lost."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0014_drafts_by_language_model")]

    operations = [
        migrations.AddField(model_name="run", name="queue", field=models.CharField(blank=True, max_length=150)),
        migrations.AddField(model_name="run", name="runners", field=models.PositiveSmallIntegerField(default=0)),
    ]
