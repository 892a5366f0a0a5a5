"""Run studies by machine: their conditions with a run each, and what their auditor read; neither is lost."""

import django.db.models.deletion
from django.db import migrations, models

KEPT = """
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_studycondition
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_studycondition
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_studyaudit
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_studyaudit
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
"""

BACK = """
DROP TRIGGER never_goes ON evaluation_studycondition;
DROP TRIGGER stays_frozen ON evaluation_studycondition;
DROP TRIGGER never_goes ON evaluation_studyaudit;
DROP TRIGGER stays_frozen ON evaluation_studyaudit;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0022_who_rates_what"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="study",
            name="conditions",
        ),
        migrations.AddField(
            model_name="study",
            name="auditor",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="evaluation.languagemodel",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="budget_usd",
            field=models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
        ),
        migrations.CreateModel(
            name="StudyAudit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("prompt_hash", models.CharField(max_length=64)),
                ("objectives", models.JSONField(default=list)),
                ("reason", models.CharField(blank=True, max_length=60)),
                ("detail", models.TextField(blank=True)),
                ("raw_reply", models.TextField(blank=True)),
                ("calls", models.PositiveIntegerField(default=0)),
                ("retries", models.PositiveIntegerField(default=0)),
                ("input_tokens", models.PositiveBigIntegerField(null=True)),
                ("output_tokens", models.PositiveBigIntegerField(null=True)),
                ("cost_usd", models.DecimalField(decimal_places=8, max_digits=14, null=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "auditor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audits",
                        to="evaluation.languagemodel",
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="audits", to="evaluation.conversation"
                    ),
                ),
            ],
            options={
                "ordering": ["conversation", "made_at"],
                "constraints": [
                    models.UniqueConstraint(fields=("conversation", "auditor", "prompt_hash"), name="study_audit_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="StudyCondition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("slug", models.CharField(max_length=100)),
                ("name", models.CharField(max_length=200)),
                (
                    "held_to",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="evaluation.studycondition",
                    ),
                ),
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="condition", to="evaluation.run"
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="conditions", to="evaluation.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "number"],
                "constraints": [models.UniqueConstraint(fields=("study", "slug"), name="study_condition_once")],
            },
        ),
        migrations.RunSQL(KEPT, reverse_sql=BACK),
    ]
