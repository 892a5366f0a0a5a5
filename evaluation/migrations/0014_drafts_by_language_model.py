"""Keep what language models drafted, what was asked of them, and what people made of each draft."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0013_usage_of_judgments"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="benchmark",
            name="research_summary",
            field=models.TextField(blank=True, db_default=""),
        ),
        migrations.CreateModel(
            name="DraftingQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("metric", "Metric"),
                            ("scenario", "Scenario"),
                            ("variant", "Variant"),
                            ("clause", "Clause"),
                        ],
                        max_length=10,
                    ),
                ),
                ("place", models.CharField(max_length=400)),
                ("prompt_hash", models.CharField(max_length=64)),
                ("items", models.JSONField(default=list)),
                (
                    "outcome",
                    models.CharField(
                        choices=[("drafted", "Drafted"), ("repaired", "Repaired"), ("refused", "Refused")],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=40)),
                ("refusal", models.TextField(blank=True)),
                ("calls", models.PositiveIntegerField(default=0)),
                ("input_tokens", models.PositiveBigIntegerField(null=True)),
                ("output_tokens", models.PositiveBigIntegerField(null=True)),
                ("cost_usd", models.DecimalField(decimal_places=9, max_digits=16, null=True)),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafting_questions",
                        to="evaluation.benchmark",
                    ),
                ),
                (
                    "language_model",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="evaluation.languagemodel"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="GeneratedDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("metric", "Metric"),
                            ("scenario", "Scenario"),
                            ("variant", "Variant"),
                            ("clause", "Clause"),
                        ],
                        max_length=10,
                    ),
                ),
                ("number", models.PositiveIntegerField(default=1)),
                ("written", models.JSONField()),
                ("content", models.JSONField()),
                ("flags", models.JSONField(default=list)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("proposed", "Proposed"),
                            ("kept", "Kept"),
                            ("revised", "Revised"),
                            ("merged", "Merged"),
                            ("removed", "Removed"),
                        ],
                        default="proposed",
                        max_length=10,
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("became", models.CharField(blank=True, max_length=400)),
                (
                    "base",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="variants",
                        to="evaluation.generateddraft",
                    ),
                ),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="generated_drafts",
                        to="evaluation.benchmark",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged",
                        to="evaluation.generateddraft",
                    ),
                ),
                (
                    "metric_version",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="generated_drafts",
                        to="evaluation.metricversion",
                    ),
                ),
                (
                    "profile",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="evaluation.profile",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drafts",
                        to="evaluation.draftingquestion",
                    ),
                ),
            ],
            options={
                "ordering": ["benchmark", "metric_version__metric__local_id", "kind", "number", "profile__order", "pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="draftingquestion",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["metric", "scenario", "variant", "clause"])),
                name="drafting_question_kind_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="draftingquestion",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome__in", ["drafted", "repaired", "refused"])),
                name="drafting_question_outcome_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="draftingquestion",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome", "refused"), ("reason", ""), _connector="XOR"),
                name="refused_question_has_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["metric", "scenario", "variant", "clause"])),
                name="generated_draft_kind_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["proposed", "kept", "revised", "merged", "removed"])),
                name="generated_draft_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at", None), ("state", "proposed")),
                    models.Q(models.Q(("state", "proposed"), _negated=True), ("decided_at__isnull", False)),
                    _connector="OR",
                ),
                name="generated_draft_is_decided_once_it_is_not_proposed",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "removed"), _negated=True),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="removed_draft_has_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.CheckConstraint(
                condition=models.Q(("state", "merged"), ("merged_into", None), _connector="XOR"),
                name="merged_draft_says_into_which",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "scenario")),
                fields=("metric_version", "number"),
                name="generated_scenario_number_unique",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "variant"), models.Q(("state", "removed"), _negated=True)),
                fields=("base", "profile"),
                name="generated_variant_once_a_profile",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "clause"), models.Q(("state__in", ["removed", "merged"]), _negated=True)),
                fields=("metric_version",),
                name="generated_clause_once_a_version",
            ),
        ),
    ]
