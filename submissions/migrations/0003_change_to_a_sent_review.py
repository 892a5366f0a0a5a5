# A sent review stays as it was sent until its writer sends the change.

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0002_plan_of_an_approval"),
    ]

    operations = [
        migrations.AddField(
            model_name="review",
            name="draft",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
