"""What judges said of conversations."""

from django.db import models
from django.db.models import Case, F, Q, Value, When

from evaluation.models.choices import Polarity, one_of
from evaluation.models.conversation import Conversation
from evaluation.models.language_model import JudgeConfiguration

# The polarity rule (paper, section 3.5), kept by the database itself; its Python twin is
# evaluation.statistics.pass_rates.outcome.
PASSED = Case(
    When(polarity="positive", then=F("present")),
    When(polarity="negative", present=True, then=Value(False)),
    When(polarity="negative", present=False, then=Value(True)),
    default=Value(None),
)


class Judgment(models.Model):
    """One (conversation, judge configuration, repeat).

    `present` is null exactly when the conversation could not be judged; then `reason` says why. `polarity` is the
    metric version's, null where an imported source does not tell it. `passed` is computed by the database.
    `evidence` is a list of `{"turn", "quote", "verified"}`.
    """

    class State(models.TextChoices):
        JUDGED = "judged"
        UNJUDGED = "unjudged"

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="judgments")
    judge = models.ForeignKey(JudgeConfiguration, on_delete=models.PROTECT, related_name="judgments")
    repeat = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, choices=State)
    reason = models.CharField(max_length=60, blank=True)
    detail = models.TextField(blank=True)
    present = models.BooleanField(null=True)
    polarity = models.CharField(max_length=10, choices=Polarity, null=True, blank=True)
    passed = models.GeneratedField(expression=PASSED, output_field=models.BooleanField(null=True), db_persist=True)
    justification = models.TextField(blank=True)
    evidence = models.JSONField(default=list, blank=True)
    first_turn = models.PositiveSmallIntegerField(null=True, blank=True)
    corrected_later = models.BooleanField(null=True, blank=True)
    raw_reply = models.TextField(blank=True)
    calls = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(null=True)
    output_tokens = models.PositiveBigIntegerField(null=True)
    cost_usd = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    latency_ms = models.PositiveIntegerField(null=True)
    # What the provider reported of each call, as it did.
    usage = models.JSONField(default=list, db_default=[], blank=True)
    # Unjudged, and to be replaced by another answer of the same judge (`services.trying_again`).
    ask_again = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["conversation", "judge", "repeat"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "judge", "repeat"], name="judgment_once"),
            one_of("polarity", Polarity, "judgment_polarity_is_known"),
            models.CheckConstraint(
                condition=Q(state="judged", present__isnull=False)
                | (Q(state="unjudged", present__isnull=True) & ~Q(reason="")),
                name="judgment_is_judged_or_says_why_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation} by {self.judge}"
