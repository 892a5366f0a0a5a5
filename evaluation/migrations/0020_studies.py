"""Studies as people and machines do them: items, raters, ratings, adjudications and findings."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0019_variants_of_existing_scenarios"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("present", "The behaviour is there"),
                            ("absent", "The behaviour is not there"),
                            ("contested", "It stays contested"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reasons", models.TextField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ["item", "made_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("answers", models.JSONField(blank=True, default=dict)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("submitted", "Submitted"),
                            ("skipped", "Skipped"),
                            ("dropped", "Dropped"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("seconds", models.PositiveIntegerField(default=0)),
                ("begun_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("saved_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["item", "rater"],
            },
        ),
        migrations.CreateModel(
            name="StudyFinding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("scenario-review", "Scenario review"),
                            ("simulation-review", "Simulation review"),
                            ("judgment-review", "Judgment review"),
                            ("expert-review", "External expert review"),
                            ("simulator-selection", "Simulator selection"),
                            ("judge-repeatability", "Judge repeatability"),
                            ("judge-comparison", "Judge comparison"),
                            ("simulator-ablation", "Simulator ablation"),
                            ("repeat-simulations", "Repeat simulations"),
                        ],
                        max_length=30,
                    ),
                ),
                ("values", models.JSONField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ["study", "metric_version"],
            },
        ),
        migrations.CreateModel(
            name="StudyItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "unit",
                    models.CharField(
                        choices=[
                            ("metric", "Metric"),
                            ("scenario", "Scenario"),
                            ("conversation", "Conversation"),
                            ("judgment", "Judgment"),
                            ("context", "Context"),
                        ],
                        max_length=15,
                    ),
                ),
                ("stratum", models.CharField(blank=True, max_length=300)),
            ],
            options={
                "ordering": ["study", "number"],
            },
        ),
        migrations.CreateModel(
            name="StudyRater",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("token_hash", models.CharField(blank=True, max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("invited", "Invited"),
                            ("accepted", "Accepted"),
                            ("finished", "Finished"),
                            ("declined", "Declined"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="invited",
                        max_length=10,
                    ),
                ),
                ("invited_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("reminded_at", models.DateTimeField(blank=True, null=True)),
                ("consents_to_release", models.BooleanField(blank=True, null=True)),
                ("has_not_looked_up", models.BooleanField(default=False)),
                ("order", models.JSONField(blank=True, default=list)),
            ],
            options={
                "ordering": ["study", "seat"],
            },
        ),
        migrations.AlterModelOptions(
            name="study",
            options={"ordering": ["-created_at", "-pk"], "verbose_name_plural": "studies"},
        ),
        migrations.RemoveConstraint(
            model_name="study",
            name="study_kind_is_known",
        ),
        migrations.RunSQL(
            "UPDATE evaluation_study SET kind = 'simulator-selection' WHERE kind = 'model-selection'",
            reverse_sql="UPDATE evaluation_study SET kind = 'model-selection' WHERE kind = 'simulator-selection'",
        ),
        migrations.AddField(
            model_name="study",
            name="analysis",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="closed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="conditions",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="study",
            name="consent_text",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="study",
            name="created_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="design",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="study",
            name="drawn",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="study",
            name="instructions",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="study",
            name="is_public_material",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="study",
            name="n_raters",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="study",
            name="opened_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="preset",
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.AddField(
            model_name="study",
            name="published_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="release",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="studies",
                to="evaluation.release",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="reminder_days",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="runs",
            field=models.ManyToManyField(blank=True, related_name="studies", to="evaluation.run"),
        ),
        migrations.AddField(
            model_name="study",
            name="short",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="study",
            name="state",
            field=models.CharField(
                choices=[("draft", "Draft"), ("open", "Open"), ("closed", "Closed"), ("published", "Published")],
                default="draft",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="kind",
            field=models.CharField(
                choices=[
                    ("scenario-review", "Scenario review"),
                    ("simulation-review", "Simulation review"),
                    ("judgment-review", "Judgment review"),
                    ("expert-review", "External expert review"),
                    ("simulator-selection", "Simulator selection"),
                    ("judge-repeatability", "Judge repeatability"),
                    ("judge-comparison", "Judge comparison"),
                    ("simulator-ablation", "Simulator ablation"),
                    ("repeat-simulations", "Repeat simulations"),
                ],
                max_length=30,
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "scenario-review",
                            "simulation-review",
                            "judgment-review",
                            "expert-review",
                            "simulator-selection",
                            "judge-repeatability",
                            "judge-comparison",
                            "simulator-ablation",
                            "repeat-simulations",
                        ],
                    )
                ),
                name="study_kind_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["draft", "open", "closed", "published"])), name="study_state_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at", None), ("state__in", ["draft", "open"])),
                    models.Q(
                        ("analysis__isnull", False),
                        ("closed_at__isnull", False),
                        ("state__in", ["closed", "published"]),
                    ),
                    _connector="OR",
                ),
                name="closed_study_has_its_analysis",
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(("state", "published"), ("published_at", None), _connector="XOR"),
                name="published_study_has_a_time",
            ),
        ),
        migrations.AddField(
            model_name="adjudication",
            name="by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="studyfinding",
            name="metric_version",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="study_findings",
                to="evaluation.metricversion",
            ),
        ),
        migrations.AddField(
            model_name="studyfinding",
            name="release",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="study_findings",
                to="evaluation.release",
            ),
        ),
        migrations.AddField(
            model_name="studyfinding",
            name="run",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="study_findings",
                to="evaluation.run",
            ),
        ),
        migrations.AddField(
            model_name="studyfinding",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="findings", to="evaluation.study"
            ),
        ),
        migrations.AddField(
            model_name="studyitem",
            name="conversation",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="study_items",
                to="evaluation.conversation",
            ),
        ),
        migrations.AddField(
            model_name="studyitem",
            name="judgment",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="study_items",
                to="evaluation.judgment",
            ),
        ),
        migrations.AddField(
            model_name="studyitem",
            name="metric_version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="study_items", to="evaluation.metricversion"
            ),
        ),
        migrations.AddField(
            model_name="studyitem",
            name="scenario",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="study_items",
                to="evaluation.scenario",
            ),
        ),
        migrations.AddField(
            model_name="studyitem",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="items", to="evaluation.study"
            ),
        ),
        migrations.AddField(
            model_name="studyitem",
            name="target",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="study_items",
                to="evaluation.languagemodel",
            ),
        ),
        migrations.AddField(
            model_name="rating",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="ratings", to="evaluation.studyitem"
            ),
        ),
        migrations.AddField(
            model_name="adjudication",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="adjudications", to="evaluation.studyitem"
            ),
        ),
        migrations.AddField(
            model_name="studyrater",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="raters", to="evaluation.study"
            ),
        ),
        migrations.AddField(
            model_name="studyrater",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="study_seats",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="rating",
            name="rater",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="ratings", to="evaluation.studyrater"
            ),
        ),
        migrations.AddConstraint(
            model_name="studyfinding",
            constraint=models.UniqueConstraint(
                fields=("study", "metric_version"), name="study_finding_once", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="studyfinding",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "scenario-review",
                            "simulation-review",
                            "judgment-review",
                            "expert-review",
                            "simulator-selection",
                            "judge-repeatability",
                            "judge-comparison",
                            "simulator-ablation",
                            "repeat-simulations",
                        ],
                    )
                ),
                name="study_finding_kind_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="studyitem",
            constraint=models.UniqueConstraint(fields=("study", "number"), name="study_item_number_unique"),
        ),
        migrations.AddConstraint(
            model_name="studyitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("unit", "metric"),
                    models.Q(("scenario__isnull", False), ("unit", "scenario")),
                    models.Q(("conversation__isnull", False), ("unit", "conversation")),
                    models.Q(("conversation__isnull", False), ("judgment__isnull", False), ("unit", "judgment")),
                    models.Q(("scenario__isnull", False), ("target__isnull", False), ("unit", "context")),
                    _connector="OR",
                ),
                name="study_item_has_what_it_shows",
            ),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome__in", ["present", "absent", "contested"])),
                name="adjudication_outcome_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.CheckConstraint(
                condition=models.Q(("reasons", ""), _negated=True), name="adjudication_has_reasons"
            ),
        ),
        migrations.AddConstraint(
            model_name="studyrater",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["invited", "accepted", "finished", "declined", "withdrawn"])),
                name="study_rater_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="studyrater",
            constraint=models.UniqueConstraint(fields=("study", "seat"), name="study_rater_seat_unique"),
        ),
        migrations.AddConstraint(
            model_name="studyrater",
            constraint=models.UniqueConstraint(fields=("study", "user"), name="study_rater_once_a_person"),
        ),
        migrations.AddConstraint(
            model_name="studyrater",
            constraint=models.UniqueConstraint(
                condition=models.Q(("email", ""), _negated=True),
                fields=("study", "email"),
                name="study_rater_once_an_address",
            ),
        ),
        migrations.AddConstraint(
            model_name="studyrater",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["accepted", "finished"]), _negated=True),
                    models.Q(("accepted_at__isnull", False), ("consents_to_release__isnull", False)),
                    _connector="OR",
                ),
                name="study_rater_decided_on_release_first",
            ),
        ),
        migrations.AddConstraint(
            model_name="studyrater",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "withdrawn"), ("withdrawn_at__isnull", False)),
                    models.Q(("state", "withdrawn"), _negated=True),
                    _connector="OR",
                ),
                name="withdrawn_study_rater_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["draft", "submitted", "skipped", "dropped"])),
                name="rating_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(fields=("item", "rater"), name="rating_once"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "submitted"), _negated=True), ("submitted_at__isnull", False), _connector="OR"
                ),
                name="submitted_rating_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("state", "dropped"), _negated=True), ("answers", {}), _connector="OR"),
                name="dropped_rating_keeps_no_answers",
            ),
        ),
    ]
