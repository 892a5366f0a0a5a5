"""Runs: frozen plans and how far they have come."""

from django.db import models
from django.utils import timezone

from evaluation.models.language_model import JudgeConfiguration, LanguageModel
from evaluation.models.metric import MetricVersion


class Run(models.Model):
    """A frozen plan. `spec` never changes (a database trigger keeps it); `state` only by `services.running`.

    An imported run stands for results that somebody else produced: what its source did not publish is null.
    """

    class Kind(models.TextChoices):
        EVALUATION = "evaluation"
        IMPORTED = "imported"

    class State(models.TextChoices):
        CREATED = "created"
        RUNNING = "running"
        PAUSED = "paused"
        FINISHED = "finished"
        CANCELLED = "cancelled"

    slug = models.SlugField(max_length=100, unique=True)
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.EVALUATION)
    state = models.CharField(max_length=20, choices=State, default=State.CREATED)
    state_reason = models.CharField(max_length=500, blank=True)
    # The whole plan as it was frozen, models included; the hash names it.
    spec = models.JSONField(default=dict)
    spec_hash = models.CharField(max_length=64)
    metric_versions = models.ManyToManyField(MetricVersion, related_name="runs")
    targets = models.ManyToManyField(LanguageModel, related_name="runs_as_target")
    user_simulator = models.ForeignKey(
        LanguageModel, null=True, blank=True, on_delete=models.PROTECT, related_name="runs_as_user_simulator"
    )
    judges = models.ManyToManyField(JudgeConfiguration, related_name="runs")
    # Judges added after the run was finished (`services.judging`): how often each judges a conversation, by slug.
    later_judges = models.JSONField(default=dict, blank=True)
    turns = models.PositiveSmallIntegerField(null=True, blank=True)
    seed = models.BigIntegerField(null=True, blank=True)
    prompt_hashes = models.JSONField(null=True, blank=True)
    code_version = models.CharField(max_length=100, blank=True)
    # Conversations in flight per worker process, changed at any time; null where the frozen plan still tells it.
    concurrency = models.PositiveIntegerField(null=True, blank=True)
    # Which workers were asked for the run last, and how many of them: a run that lost them asks the same ones again.
    queue = models.CharField(max_length=150, blank=True)
    runners = models.PositiveSmallIntegerField(default=0)
    budget_usd = models.DecimalField(max_digits=12, decimal_places=4, null=True, blank=True)
    # True for the run of `make demo`: pages say that it is a demonstration and no finding.
    is_demonstration = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=["evaluation", "imported"]), name="run_kind_is_known"),
            models.CheckConstraint(
                condition=models.Q(state__in=["created", "running", "paused", "finished", "cancelled"]),
                name="run_state_is_known",
            ),
            models.CheckConstraint(
                # A range check on its own lets null pass.
                condition=models.Q(kind="imported")
                | models.Q(user_simulator__isnull=False, turns__isnull=False, turns__range=(1, 50)),
                name="run_knows_its_settings_unless_imported",
            ),
        ]

    def __str__(self) -> str:
        return self.slug
