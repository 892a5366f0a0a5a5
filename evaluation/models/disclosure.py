"""What became public of an open study's items, and what its raters then said they know of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from evaluation.models.choices import one_of
from evaluation.models.rating import StudyRater
from evaluation.models.release import Release
from evaluation.models.study import Study


class Knowledge(models.TextChoices):
    """What a rater knows of results that became public, from the least to the most."""

    NOTHING = "nothing", "I have seen nothing of the results"
    AVERAGES = "averages", "I have seen results, but of no conversation that I rate"
    CONVERSATIONS = "conversations", "I have seen results of conversations that I rate"


class StudyDisclosure(models.Model):
    """A release, or another study, that was published while the study was open; somebody was warned and went on."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="disclosures")
    release = models.ForeignKey(Release, null=True, blank=True, on_delete=models.PROTECT, related_name="disclosures")
    other = models.ForeignKey(Study, null=True, blank=True, on_delete=models.PROTECT, related_name="disclosed_in")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    n_unfinished = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["study", "made_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(release=None) ^ Q(other=None), name="disclosure_is_by_one_of_two"),
        ]

    def __str__(self) -> str:
        return f"disclosure of {self.study_id}"


class RaterDeclaration(models.Model):
    """What a rater said to know of what became public meanwhile. Rows are only added."""

    Knowledge = Knowledge

    rater = models.ForeignKey(StudyRater, on_delete=models.CASCADE, related_name="declarations")
    knows = models.CharField(max_length=15, choices=Knowledge)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["rater", "made_at", "pk"]
        constraints = [one_of("knows", Knowledge, "rater_declaration_is_known")]

    def __str__(self) -> str:
        return f"{self.rater}: {self.knows}"
