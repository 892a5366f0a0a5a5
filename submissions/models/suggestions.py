"""What readers say about a published metric: improvements, comments of people concerned, disputes."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of


class SuggestionKind(models.TextChoices):
    """What kind of suggestion it is."""

    IMPROVEMENT = "improvement", "A suggestion to improve the metric"
    EXPERIENCE = "experience", "A comment from somebody it concerns"
    DISPUTE = "dispute", "A doubt that the metric is right"


class SuggestionState(models.TextChoices):
    """Where a suggestion is."""

    WAITING = "waiting"
    SHOWN = "shown"
    DECLINED = "declined"


class Suggestion(models.Model):
    """One contribution; shown to the public after an editor has read it."""

    Kind = SuggestionKind

    State = SuggestionState

    metric = models.ForeignKey("evaluation.Metric", on_delete=models.PROTECT, related_name="suggestions")
    kind = models.CharField(max_length=20, choices=Kind)
    text = models.TextField()
    # How the writer wants to be called in public; empty = without a name.
    signed_as = models.CharField(max_length=100, blank=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    written_at = models.DateTimeField(default=timezone.now)
    # The editors' public reply.
    reply = models.TextField(blank=True)
    moderated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    moderated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["written_at"]
        constraints = [
            one_of("kind", SuggestionKind, "suggestion_kind_is_known"),
            one_of("state", SuggestionState, "suggestion_state_is_known"),
        ]

    def __str__(self) -> str:
        return f"A suggestion on {self.metric}"
