"""Trials of scenarios that language models drafted, beside those of submissions."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0019_variants_of_existing_scenarios"),
        ("submissions", "0006_drafts_of_source_files"),
    ]

    operations = [
        migrations.AddField(
            model_name="trial",
            name="generated",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="evaluation.generateddraft",
            ),
        ),
        migrations.AlterField(
            model_name="trial",
            name="submission",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="trials",
                to="submissions.submission",
            ),
        ),
        migrations.AddConstraint(
            model_name="trial",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["waiting", "running"])),
                fields=("generated",),
                name="trial_of_a_draft_under_way_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="trial",
            constraint=models.CheckConstraint(
                condition=models.Q(("submission", None), ("generated", None), _connector="XOR"),
                name="trial_is_of_one_text",
            ),
        ),
        migrations.AddConstraint(
            model_name="trial",
            constraint=models.CheckConstraint(
                condition=models.Q(("generated", None), ("kind", "conversation"), _connector="OR"),
                name="draft_is_tried_in_conversation",
            ),
        ),
    ]
