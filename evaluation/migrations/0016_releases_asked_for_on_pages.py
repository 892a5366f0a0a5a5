"""Keep which releases operators asked for on pages, and what became of each."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0015_workers_of_a_run"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ReleaseRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=100)),
                ("title", models.CharField(blank=True, max_length=200)),
                ("taxonomy", models.CharField(blank=True, max_length=100)),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("done", "Done"), ("failed", "Failed")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("trouble", models.TextField(blank=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "judge",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="evaluation.judgeconfiguration",
                    ),
                ),
                (
                    "release",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="release_request",
                        to="evaluation.release",
                    ),
                ),
                ("runs", models.ManyToManyField(related_name="+", to="evaluation.run")),
            ],
            options={
                "ordering": ["-asked_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "done", "failed"])),
                        name="release_request_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "done"), ("release", None), _connector="XOR"),
                        name="done_release_request_has_its_release",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "failed"), ("trouble", ""), _connector="XOR"),
                        name="failed_release_request_says_why",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "waiting")),
                        fields=("slug",),
                        name="release_asked_for_once_at_a_time",
                    ),
                ],
            },
        ),
    ]
