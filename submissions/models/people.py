"""People around a submission: co-authors, reviewers and their seats, and who must keep out."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from submissions.models.submission import Submission


class CoAuthorState(models.TextChoices):
    """Where a coauthor is."""

    INVITED = "invited"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    REMOVED = "removed"


class CoAuthor(models.Model):
    """Somebody who wrote it too; counted in conflicts from the invitation on, reads it once confirmed."""

    State = CoAuthorState

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="co_authors")
    email = models.EmailField()
    name = models.CharField(max_length=200, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    state = models.CharField(max_length=10, choices=State, default=State.INVITED)
    # sha256 of the token in the invitation; empty once it was used.
    token_hash = models.CharField(max_length=64, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    order = models.PositiveSmallIntegerField(default=0)
    invited_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["order", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "email"], name="co_author_once"),
            one_of("state", CoAuthorState, "co_author_state_is_known"),
        ]

    def __str__(self) -> str:
        return f"A co-author of {self.submission}"


class ConflictKind(models.TextChoices):
    """What kind of conflict it is."""

    DECLARED = "declared", "said so"
    NAMED = "named", "named by the author"
    FOUND = "found", "found by an editor"


class Conflict(models.Model):
    """A reason why somebody should not see a submission; it holds until an editor clears it."""

    Kind = ConflictKind

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="conflicts")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.TextField(blank=True)
    declared_at = models.DateTimeField(default=timezone.now)
    cleared_at = models.DateTimeField(null=True, blank=True)
    cleared_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["declared_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "person"],
                condition=models.Q(cleared_at__isnull=True),
                name="conflict_open_once",
            ),
            one_of("kind", ConflictKind, "conflict_kind_is_known"),
        ]

    def __str__(self) -> str:
        return f"A conflict with {self.submission}"


class Reviewer(models.Model):
    """What somebody reviews, and how much at a time."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reviewer")
    subareas = models.ManyToManyField("evaluation.Subarea", related_name="+", blank=True)
    most_open = models.PositiveSmallIntegerField(default=4)
    away_until = models.DateField(null=True, blank=True)
    # Wants to be named among the reviewers of a year, never beside a submission.
    wants_credit = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"Reviewer {self.person_id}"


class Seat(models.Model):
    """The number under which a person reviews one submission, the same for its whole life ("Reviewer 2")."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="seats")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "person"], name="seat_person_unique"),
            models.UniqueConstraint(fields=["submission", "number"], name="seat_number_unique"),
        ]

    def __str__(self) -> str:
        return f"Reviewer {self.number} of {self.submission}"


INVITATION_LIFE = timedelta(days=14)
