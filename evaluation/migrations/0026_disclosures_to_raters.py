"""Keep what became public of an open study, and what its raters then said they know of it."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0025_schedules_of_runs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="releaserequest",
            name="despite_open_studies",
            field=models.BooleanField(default=False, db_default=False),
        ),
        migrations.CreateModel(
            name="RaterDeclaration",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "knows",
                    models.CharField(
                        choices=[
                            ("nothing", "I have seen nothing of the results"),
                            ("averages", "I have seen results, but of no conversation that I rate"),
                            ("conversations", "I have seen results of conversations that I rate"),
                        ],
                        max_length=15,
                    ),
                ),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="declarations",
                        to="evaluation.studyrater",
                    ),
                ),
            ],
            options={
                "ordering": ["rater", "made_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("knows__in", ["nothing", "averages", "conversations"])),
                        name="rater_declaration_is_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StudyDisclosure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("n_unfinished", models.PositiveSmallIntegerField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disclosed_in",
                        to="evaluation.study",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disclosures",
                        to="evaluation.release",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="disclosures", to="evaluation.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "made_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("release", None), ("other", None), _connector="XOR"),
                        name="disclosure_is_by_one_of_two",
                    )
                ],
            },
        ),
    ]
