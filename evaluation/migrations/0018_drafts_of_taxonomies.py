"""Let editors prepare the next version of a taxonomy."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0017_claim_in_order")]

    operations = [
        migrations.CreateModel(
            name="TaxonomyDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("acts", models.JSONField(blank=True, default=list)),
                ("begun_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "base",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft",
                        to="evaluation.taxonomy",
                    ),
                ),
            ],
        ),
    ]
