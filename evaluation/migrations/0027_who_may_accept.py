"""Links of invitations that anybody may accept, and a number of raters at which a study takes no more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0026_disclosures_to_raters"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="has_open_links",
            field=models.BooleanField(default=False, db_default=False),
        ),
        migrations.AddField(
            model_name="study",
            name="most_raters",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
