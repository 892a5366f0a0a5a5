"""Decisions, their letters, and the changes they ask for."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from submissions.models.reviews import Round
from submissions.models.submission import Submission


class DecisionKind(models.TextChoices):
    """What kind of decision it is."""

    APPROVE = "approve", "Approve"
    REQUEST_CHANGES = "request_changes", "Ask for changes"
    REJECT = "reject", "Do not accept"


class DecisionState(models.TextChoices):
    """Where a decision is."""

    DRAFT = "draft"
    WAITING = "waiting"
    HELD = "held"
    SENT = "sent"
    UNDONE = "undone"


class Decision(models.Model):
    """A decision takes effect when its letter goes out; until then it can be undone, and only editors know of it."""

    Kind = DecisionKind

    State = DecisionState

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="decisions")
    # The round it ends; null for a submission that is not accepted before any review.
    round = models.ForeignKey(Round, null=True, blank=True, on_delete=models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    # [{"field": name in content.FIELD_NAMES, "text": what to change}]
    requests = models.JSONField(default=list, blank=True)
    # What an approval makes: services.approving.ApprovalPlan
    plan = models.JSONField(default=dict, blank=True)
    answer_due = models.DateTimeField(null=True, blank=True)
    subject = models.CharField(max_length=200, blank=True)
    letter = models.TextField(blank=True)
    release_at = models.DateTimeField(null=True, blank=True)
    # Why it was held by itself, such as a name that is taken by now.
    trouble = models.CharField(max_length=300, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["decided_at", "pk"]
        constraints = [
            one_of("kind", DecisionKind, "decision_kind_is_known"),
            one_of("state", DecisionState, "decision_state_is_known"),
            models.UniqueConstraint(
                fields=["submission"],
                condition=models.Q(state__in=["draft", "waiting", "held"]),
                name="decision_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"A decision on {self.submission}"


class RequestedChangeDone(models.TextChoices):
    """What the author did about a request."""

    CHANGED = "changed", "I changed it"
    LEFT = "left", "I left it, for the reason above"


class RequestedChange(models.Model):
    """One point of a request for changes, and the author's answer to it."""

    Done = RequestedChangeDone

    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="changes")
    number = models.PositiveSmallIntegerField()
    field = models.CharField(max_length=40)
    text = models.TextField()
    answer = models.TextField(blank=True)
    done = models.CharField(max_length=10, choices=Done, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["decision", "number"], name="requested_change_number_unique")]

    def __str__(self) -> str:
        return f"Change {self.number} of {self.decision}"
