"""Rounds of review, who was asked, and what they said."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from submissions.models.revisions import Revision
from submissions.models.submission import Submission


class Round(models.Model):
    """One round of review of one revision."""

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveIntegerField()
    revision = models.OneToOneField(Revision, on_delete=models.PROTECT, related_name="round")
    opened_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "number"], name="round_number_unique"),
            models.UniqueConstraint(
                fields=["submission"], condition=models.Q(closed_at__isnull=True), name="round_open_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission} round {self.number}"


class AssignmentState(models.TextChoices):
    """Where an assignment is."""

    INVITED = "invited"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CONFLICT = "conflict"
    CANCELLED = "cancelled"
    HANDED_BACK = "handed_back"
    DONE = "done"


class Assignment(models.Model):
    """A person asked to review in one round."""

    State = AssignmentState

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="assignments")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=12, choices=State, default=State.INVITED)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    answer_by = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField()
    reminded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["round", "person"], name="assignment_once_in_round"),
            one_of("state", AssignmentState, "assignment_state_is_known"),
        ]

    def __str__(self) -> str:
        return f"An assignment of {self.round}"

    READING = (State.ACCEPTED, State.DONE, State.HANDED_BACK)


# Has opened the text, and is a reviewer of it for good, also when editors or a withdrawal cancelled the assignment.
OPENED = models.Q(state__in=Assignment.READING) | models.Q(state=AssignmentState.CANCELLED, answered_at__isnull=False)


class ReviewAdvice(models.TextChoices):
    """What a reviewer advises."""

    APPROVE = "approve", "Approve as it is"
    CHANGES = "changes", "Ask for changes"
    REJECT = "reject", "Do not accept"


class Review(models.Model):
    """One person's review in one round; kept while unfinished, read by others once sent."""

    Advice = ReviewAdvice

    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="review")
    rubric_version = models.PositiveSmallIntegerField()
    # {criterion: {"value": 1..4 | "abstain" | "", "comment": text, "question": shown, "anchor": shown}}
    answers = models.JSONField(default=dict)
    for_author = models.TextField(blank=True)
    # Read by editors only, always.
    private_remark = models.TextField(blank=True)
    # A change to a sent review that has not been sent yet, read by its writer only; null without one.
    # {"answers", "for_author", "private_remark", "advice"} like the columns
    draft = models.JSONField(null=True, blank=True)
    advice = models.CharField(max_length=10, choices=Advice, blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["assignment"]

    def __str__(self) -> str:
        return f"A review of {self.assignment.round}"
