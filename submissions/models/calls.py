"""Calls for submissions: when one may send, and by which rules it is reviewed."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone


class CallBlinding(models.TextChoices):
    """Who sees whom in a review."""

    DOUBLE = "double", "Reviewers do not see the author, the author does not see the reviewers"
    SINGLE = "single", "Reviewers see the author, the author does not see the reviewers"


class Call(models.Model):
    """An invitation to submit, open between two instants; a call without an end is always open."""

    Blinding = CallBlinding

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    opens_at = models.DateTimeField(default=timezone.now)
    closes_at = models.DateTimeField(null=True, blank=True)
    # A draft opened before the end may still be sent for so long after it.
    grace = models.DurationField(default=timedelta(hours=12))
    # The zone in which deadlines are shown first; they are kept as instants.
    time_zone = models.CharField(max_length=60, default="UTC")
    blinding = models.CharField(max_length=10, choices=Blinding, default=Blinding.DOUBLE)
    reviewers_wanted = models.PositiveSmallIntegerField(default=2)
    review_days = models.PositiveSmallIntegerField(default=14)
    answer_days = models.PositiveSmallIntegerField(default=28)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-opens_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(closes_at__isnull=True) | models.Q(closes_at__gt=models.F("opens_at")),
                name="call_closes_after_it_opens",
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def grace_ends_at(self) -> datetime | None:
        """Until when a draft opened before the end may still be sent; None for a call without an end."""
        return None if self.closes_at is None else self.closes_at + self.grace


class Extension(models.Model):
    """More time for one submission: to be sent after its call has closed, or to answer requests."""

    submission = models.ForeignKey("submissions.Submission", on_delete=models.CASCADE, related_name="extensions")
    until = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    reason = models.TextField(blank=True)
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["asked_at"]

    def __str__(self) -> str:
        return f"More time for {self.submission}"
