"""What operators ask to be published from the pages, and what became of it."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from evaluation.models.language_model import JudgeConfiguration
from evaluation.models.release import Release
from evaluation.models.run import Run


class ReleaseRequestState(models.TextChoices):
    """Where a request is. It waits until the very transaction that makes its release, or refuses it."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


class ReleaseRequest(models.Model):
    """Runs that somebody asked to publish as a release; worked on by `services.release_requests`."""

    State = ReleaseRequestState

    slug = models.CharField(max_length=100)
    title = models.CharField(max_length=200, blank=True)
    runs = models.ManyToManyField(Run, related_name="+")
    # null: all judges of the runs count.
    judge = models.ForeignKey(JudgeConfiguration, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    # Empty: the one that the metrics are placed in.
    taxonomy = models.CharField(max_length=100, blank=True)
    # Somebody was told that raters of open studies could look up what is hidden, and went on.
    despite_open_studies = models.BooleanField(default=False, db_default=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=ReleaseRequestState, default=ReleaseRequestState.WAITING)
    # How often a worker began; each time but the last it was gone before the end.
    tries = models.PositiveSmallIntegerField(default=0)
    trouble = models.TextField(blank=True)
    release = models.OneToOneField(
        Release, null=True, blank=True, on_delete=models.CASCADE, related_name="release_request"
    )

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            one_of("state", ReleaseRequestState, "release_request_state_is_known"),
            models.CheckConstraint(
                condition=models.Q(state="done") ^ models.Q(release=None), name="done_release_request_has_its_release"
            ),
            models.CheckConstraint(
                condition=models.Q(state="failed") ^ models.Q(trouble=""), name="failed_release_request_says_why"
            ),
            models.UniqueConstraint(
                fields=["slug"], condition=models.Q(state="waiting"), name="release_asked_for_once_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return self.slug
