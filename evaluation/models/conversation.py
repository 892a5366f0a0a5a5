"""Conversations between a simulated user and a model under test, turn by turn."""

from django.db import models
from django.db.models import Q

from evaluation.models.language_model import LanguageModel
from evaluation.models.run import Run
from evaluation.models.scenario import Scenario


class Conversation(models.Model):
    """One (run, scenario, target, sample); leased and ended by `services.running` alone, ended exactly once.

    `finished` has a transcript that may be judged (or, imported without turns, a published verdict); `failed` names
    in `reason` why there is none (evaluation/engine/reasons.py); `extra` is a sample that a source left unjudged and
    that stands outside every count.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        FINISHED = "finished"
        FAILED = "failed"
        EXTRA = "extra"

    public_id = models.CharField(max_length=32, unique=True)
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="conversations")
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="conversations")
    target = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="conversations")
    sample = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    reason = models.CharField(max_length=60, blank=True)
    detail = models.TextField(blank=True)
    flags = models.JSONField(default=list, blank=True)
    # The conversation was run again once after a leak (engine rules); its first attempt's turns are gone.
    is_second_attempt = models.BooleanField(default=False)
    is_judged = models.BooleanField(default=False)
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # Of calls that belong to no saved turn: the one that ended the conversation, failed ones, a leaked attempt.
    calls = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(null=True, default=0)
    output_tokens = models.PositiveBigIntegerField(null=True, default=0)
    cost_usd = models.DecimalField(max_digits=14, decimal_places=8, null=True, default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "scenario", "target", "sample"], name="conversation_once_in_run"),
            models.CheckConstraint(
                condition=Q(state__in=["pending", "running", "finished", "failed", "extra"]),
                name="conversation_state_is_known",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | ~Q(reason=""), name="failed_conversation_has_a_reason"
            ),
        ]
        indexes = [
            # What a worker looks for: what is left to hold or to judge in a run, in the order in which it is claimed.
            # Without the order the end of a run costs more than its beginning: every claim would pass all that is done.
            models.Index(
                fields=["run", "id"],
                condition=Q(is_judged=False, state__in=["pending", "running", "finished"]),
                name="conversation_left_in_order",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


class Turn(models.Model):
    """One exchange, saved before the next call to the target; `plan` is the simulator's private thought.

    `unedited_message` is the message before typing edits. Tokens and cost cover both calls of the turn; null means
    unknown. `finish_reason` and `latency_ms` belong to the target's reply. `usage` splits the cost by role. An
    imported turn may lack either side (null): kept as its source has it.
    """

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveSmallIntegerField()
    user_message = models.TextField(null=True, blank=True)
    unedited_message = models.TextField(null=True, blank=True)
    plan = models.TextField(null=True, blank=True)
    anchors = models.JSONField(default=list, blank=True)
    reply = models.TextField(null=True, blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    calls = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(null=True)
    output_tokens = models.PositiveBigIntegerField(null=True)
    cost_usd = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    latency_ms = models.PositiveIntegerField(null=True)
    usage = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["conversation", "number"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "number"], name="turn_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="turn_number_from_1"),
            models.CheckConstraint(
                condition=Q(user_message__isnull=False) | Q(reply__isnull=False), name="turn_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation} turn {self.number}"
