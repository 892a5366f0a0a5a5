"""Versions of a submission: every saved draft, every version sent, and what approval made of it."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from submissions.content import Content
from submissions.models.submission import Submission


class DraftVersion(models.Model):
    """A draft as it was saved once; its author can go back to it, and two that collide are compared with it."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="draft_versions")
    version = models.PositiveIntegerField()
    content = models.JSONField()
    saved_at = models.DateTimeField(default=timezone.now)
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["submission", "version"], name="draft_version_unique")]

    def __str__(self) -> str:
        return f"{self.submission} draft {self.version}"


class Revision(models.Model):
    """A version as it was sent; never changed. Its receipt is named after it."""

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    sent_at = models.DateTimeField(default=timezone.now)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    # How the judge did on the author's own examples: {n_examples, n_agree, n_differ, n_unjudged, model, tried_at,
    # rows: [...]}; null when no trial was made on this text.
    trial = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["submission", "number"], name="revision_number_unique")]

    def __str__(self) -> str:
        return f"{self.submission} version {self.number}"

    @property
    def receipt(self) -> str:
        """What the author can quote, such as R-2K7QXM-1."""
        return f"R{self.submission.public_id.removeprefix('S')}-{self.number}"

    @property
    def text(self) -> Content:
        """What was sent."""
        return Content.from_json(self.content)


class Attachment(models.Model):
    """A file that an author put beside the text; kept outside the web root, handed out to those who may read it."""

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="attachments")
    stored = models.CharField(max_length=100, unique=True)
    # As the author named it: shown to authors and editors only.
    name = models.CharField(max_length=200)
    content_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    warning = models.CharField(max_length=300, blank=True)
    added_at = models.DateTimeField(default=timezone.now)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["added_at", "pk"]

    def __str__(self) -> str:
        return f"{self.submission} attachment {self.pk}"


class ApprovedMetric(models.Model):
    """The metric version that one question of an approved revision became."""

    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="approved_metrics")
    question = models.PositiveIntegerField()
    metric_version = models.OneToOneField(
        "evaluation.MetricVersion", on_delete=models.PROTECT, related_name="approved_from"
    )
    # [{"person": key of an account, "text": name and affiliation}]: who is named on the page, in order
    credits = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["question"]
        constraints = [models.UniqueConstraint(fields=["revision", "question"], name="approved_metric_question_unique")]

    def __str__(self) -> str:
        return f"{self.revision} question {self.question}"
