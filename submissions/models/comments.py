"""The discussion of a submission: each comment says who reads it."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from submissions.models.submission import Submission


class CommentAudience(models.TextChoices):
    """Who reads a comment."""

    EDITORS = "editors", "The editors only"
    REVIEWERS = "reviewers", "The editors and the reviewers, once their reviews are in"
    EVERYONE = "everyone", "The editors, the reviewers and the author"


class Comment(models.Model):
    """One comment. Its writer always reads it; who else does is its audience, narrowest first."""

    Audience = CommentAudience

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="comments")
    writer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.EDITORS)
    # An editor's answer to one person: read by that person as well.
    addressee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    text = models.TextField()
    posted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["posted_at", "pk"]
        constraints = [one_of("audience", CommentAudience, "comment_audience_is_known")]

    def __str__(self) -> str:
        return f"A comment on {self.submission}"
