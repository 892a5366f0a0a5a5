"""Keep beside a release what experts' labels say of its rates: made once, never changed."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

KEPT = """
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_correctedrates
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_correctedrates
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
"""

BACK = """
DROP TRIGGER never_goes ON evaluation_correctedrates;
DROP TRIGGER stays_frozen ON evaluation_correctedrates;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0023_conditions_of_studies"),
    ]

    operations = [
        migrations.CreateModel(
            name="CorrectedRates",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("n_labels", models.PositiveIntegerField()),
                ("n_adjudicated", models.PositiveIntegerField()),
                ("n_unlabelled", models.PositiveIntegerField()),
                ("rates", models.JSONField(default=list)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrected_rates",
                        to="evaluation.release",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrected_rates",
                        to="evaluation.study",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "corrected rates",
                "ordering": ["release", "-made_at", "-pk"],
                "constraints": [models.UniqueConstraint(fields=["study", "release"], name="corrected_rates_once")],
            },
        ),
        migrations.RunSQL(KEPT, reverse_sql=BACK),
    ]
