"""Measurements of the measurement itself."""

from django.db import models
from django.utils import timezone


class Study(models.Model):
    """A designed study: judge repeatability, simulator ablation, model selection or expert review.

    Its sampling frame and seed are kept, so that anybody can draw the same sample again.
    """

    class Kind(models.TextChoices):
        JUDGE_REPEATABILITY = "judge-repeatability"
        SIMULATOR_ABLATION = "simulator-ablation"
        MODEL_SELECTION = "model-selection"
        EXPERT_REVIEW = "expert-review"

    public_id = models.CharField(max_length=32, unique=True)
    kind = models.CharField(max_length=30, choices=Kind)
    title = models.CharField(max_length=200)
    sampling_frame = models.JSONField()
    seed = models.BigIntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=["judge-repeatability", "simulator-ablation", "model-selection", "expert-review"]
                ),
                name="study_kind_is_known",
            )
        ]

    def __str__(self) -> str:
        return self.title
