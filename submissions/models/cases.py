"""Case studies: one conversation that an editor chose and annotated turn by turn, kept in all its versions."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class CaseStudy(models.Model):
    """A conversation of a release, explained. What readers see is its newest published version, unless it is retired.

    It stands for the metric of its conversation, and its numbers are those of its release, whatever comes later.
    """

    slug = models.SlugField(max_length=100, unique=True)
    conversation = models.ForeignKey("evaluation.Conversation", on_delete=models.PROTECT, related_name="case_studies")
    release = models.ForeignKey("evaluation.Release", on_delete=models.PROTECT, related_name="case_studies")
    created_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True, blank=True)
    retirement_reason = models.TextField(blank=True)
    retired_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name_plural = "case studies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(retired_at__isnull=True, retirement_reason="")
                | (models.Q(retired_at__isnull=False) & ~models.Q(retirement_reason="")),
                name="retired_case_has_a_reason",
            )
        ]

    def __str__(self) -> str:
        return self.slug


class CaseVersion(models.Model):
    """What an editor saved; every save is a version, and another editor publishes it.

    `annotations` is a list of {turn, kind, text} in the order of the turns; see `submissions.turn_notes`.
    """

    case = models.ForeignKey(CaseStudy, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    summary = models.TextField()
    annotations = models.JSONField(default=list, blank=True)
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    written_at = models.DateTimeField(default=timezone.now)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["case", "number"]
        constraints = [models.UniqueConstraint(fields=["case", "number"], name="case_version_number_unique")]

    def __str__(self) -> str:
        return f"{self.case} v{self.number}"
