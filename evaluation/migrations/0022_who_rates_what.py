"""Say who rates what: the shares of a study, and which one a rater takes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0021_keep_ratings"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="assignment",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="studyrater",
            name="plan",
            field=models.PositiveSmallIntegerField(default=1),
        ),
    ]
