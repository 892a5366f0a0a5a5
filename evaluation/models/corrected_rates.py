"""What experts' labels say of the rates of a release."""

from django.db import models
from django.utils import timezone

from evaluation.models.release import Release
from evaluation.models.study import Study


class CorrectedRates(models.Model):
    """The pass rates of a release, corrected by the labels of one published study; beside them, never in their place.

    Made once, when the later of the two is published, and never changed. Each entry of `rates` is about a polarity and
    a target (null: all together): `labels`, `metrics_labelled`, `judged`, the judge's own rate as `judge` and the
    corrected one as `corrected`, each with its n and its interval or the reason why there is none. `reason` says why
    there is no entry at all.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="corrected_rates")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="corrected_rates")
    n_labels = models.PositiveIntegerField()
    n_adjudicated = models.PositiveIntegerField()
    # Conversations of the study that have no label: contested, or without a majority.
    n_unlabelled = models.PositiveIntegerField()
    rates = models.JSONField(default=list)
    reason = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "corrected rates"
        ordering = ["release", "-made_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["study", "release"], name="corrected_rates_once")]

    def __str__(self) -> str:
        return f"rates of {self.release_id} by {self.study_id}"
