"""People in studies: who was asked, what they answered, and what was made of their disagreements."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from evaluation.models.choices import one_of
from evaluation.models.study import Study, StudyItem


class RaterState(models.TextChoices):
    """Where a rater is between the invitation and the end."""

    INVITED = "invited"
    ACCEPTED = "accepted"
    FINISHED = "finished"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class RatingState(models.TextChoices):
    """A dropped rating is one whose rater withdrew it: it keeps its place and no answers."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    SKIPPED = "skipped"
    DROPPED = "dropped"


class AdjudicationOutcome(models.TextChoices):
    """What an adjudication may come to."""

    PRESENT = "present", "The behaviour is there"
    ABSENT = "absent", "The behaviour is not there"
    CONTESTED = "contested", "It stays contested"


class StudyRater(models.Model):
    """A person in one study, known as "Rater <seat>" to all but the person and those who run the study.

    `user` and `email` are empty once the person is erased. `plan` says which share of the study's assignment the rater
    takes: somebody who comes for another takes what that one left. `order` holds the numbers of the items as
    this rater meets them, frozen when the invitation is accepted. Only the hash of the invitation's token is kept.
    """

    State = RaterState

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="raters")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="study_seats"
    )
    seat = models.PositiveSmallIntegerField()
    plan = models.PositiveSmallIntegerField(default=1)
    email = models.EmailField(blank=True)
    token_hash = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=10, choices=RaterState, default=RaterState.INVITED)
    invited_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    # May each rating be published under the pseudonym? Asked before the first one; null until then.
    consents_to_release = models.BooleanField(null=True, blank=True)
    # Declared not to have looked the conversations up on the public site.
    has_not_looked_up = models.BooleanField(default=False)
    order = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["study", "seat"]
        constraints = [
            one_of("state", RaterState, "study_rater_state_is_known"),
            models.UniqueConstraint(fields=["study", "seat"], name="study_rater_seat_unique"),
            models.UniqueConstraint(fields=["study", "user"], name="study_rater_once_a_person"),
            models.UniqueConstraint(
                fields=["study", "email"], condition=~Q(email=""), name="study_rater_once_an_address"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["accepted", "finished"])
                | Q(accepted_at__isnull=False, consents_to_release__isnull=False),
                name="study_rater_decided_on_release_first",
            ),
            models.CheckConstraint(
                condition=Q(state="withdrawn", withdrawn_at__isnull=False) | ~Q(state="withdrawn"),
                name="withdrawn_study_rater_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        # SECURITY: this reaches the audit trail, so it must name neither the person nor the address.
        return f"{self.pseudonym} of study {self.study_id}"

    @property
    def pseudonym(self) -> str:
        """What everybody else calls this rater."""
        return f"Rater {self.seat}"


class Rating(models.Model):
    """One rater's answers on one item; written by `services.studies.rating` alone.

    `version` grows with each saved text, so that two windows never overwrite each other. `seconds` is the time the
    item was in view.
    """

    State = RatingState

    item = models.ForeignKey(StudyItem, on_delete=models.PROTECT, related_name="ratings")
    rater = models.ForeignKey(StudyRater, on_delete=models.PROTECT, related_name="ratings")
    answers = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=10, choices=RatingState, default=RatingState.DRAFT)
    seconds = models.PositiveIntegerField(default=0)
    begun_at = models.DateTimeField(default=timezone.now)
    saved_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["item", "rater"]
        constraints = [
            one_of("state", RatingState, "rating_state_is_known"),
            models.UniqueConstraint(fields=["item", "rater"], name="rating_once"),
            models.CheckConstraint(
                condition=~Q(state="submitted") | Q(submitted_at__isnull=False), name="submitted_rating_has_a_time"
            ),
            models.CheckConstraint(
                condition=~Q(state="dropped") | Q(answers={}), name="dropped_rating_keeps_no_answers"
            ),
        ]

    def __str__(self) -> str:
        return f"rating of {self.item} by {self.rater}"


class Adjudication(models.Model):
    """What somebody decided about an item on which raters disagree: one more opinion, which overwrites none.

    Rows are only added; the newest one of an item counts.
    """

    Outcome = AdjudicationOutcome

    item = models.ForeignKey(StudyItem, on_delete=models.PROTECT, related_name="adjudications")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    outcome = models.CharField(max_length=10, choices=AdjudicationOutcome)
    reasons = models.TextField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["item", "made_at", "pk"]
        constraints = [
            one_of("outcome", AdjudicationOutcome, "adjudication_outcome_is_known"),
            models.CheckConstraint(condition=~Q(reasons=""), name="adjudication_has_reasons"),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.outcome}"
