"""Trials: the judge on an author's examples, or one short conversation of a text that is not in use yet."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from submissions.models.submission import Submission


class TrialModelPart(models.TextChoices):
    """What a model is asked to be."""

    JUDGE = "judge"
    USER_SIMULATOR = "user-simulator"
    TARGET = "target"


class TrialModel(models.Model):
    """A model that an operator allows for trials, in one part."""

    Part = TrialModelPart

    language_model = models.ForeignKey("evaluation.LanguageModel", on_delete=models.PROTECT, related_name="+")
    part = models.CharField(max_length=20, choices=Part, unique=True)
    # The most that one call may cost, counted where the price is unknown.
    ceiling_usd = models.DecimalField(max_digits=8, decimal_places=4, default="0.0200")
    allowed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    allowed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [one_of("part", TrialModelPart, "trial_model_part_is_known")]

    def __str__(self) -> str:
        return f"{self.language_model} as {self.part}"


class TrialKind(models.TextChoices):
    """What kind of trial it is."""

    EXAMPLES = "examples"
    CONVERSATION = "conversation"


class TrialState(models.TextChoices):
    """Where a trial is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Trial(models.Model):
    """One trial of a submission that is being written, or of a scenario that a language model drafted.

    Its cost is reserved before the first call and settled after the last. It is no evidence: nothing counts it.
    """

    Kind = TrialKind

    State = TrialState

    submission = models.ForeignKey(Submission, null=True, blank=True, on_delete=models.CASCADE, related_name="trials")
    generated = models.ForeignKey(
        "evaluation.GeneratedDraft", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    # When the worker on it last gave a sign of life.
    heard_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # The text that was tried; a later text makes the result old, not wrong. Of a submission its content, of a drafted
    # scenario what `draft_trial_text` makes.
    content = models.JSONField()
    # The models as they were named to who asked: {part: {slug, name, provider}}
    asked_models = models.JSONField(default=dict)
    n_steps = models.PositiveSmallIntegerField(default=0)
    n_done = models.PositiveSmallIntegerField(default=0)
    # examples: {"rows": [{kind, number, metric, question, text, expected, present, state, reason, trouble,
    # justification}]}
    # conversation: {"turns": [{number, user, target}], "ending", "verdicts": [{metric, question, state, reason,
    # trouble, present, passed, justification, evidence: [{turn, quote}]}]}
    result = models.JSONField(default=dict)
    trouble = models.CharField(max_length=300, blank=True)
    reserved_usd = models.DecimalField(max_digits=8, decimal_places=4, default=0)
    # Null while unknown: the reservation counts then.
    cost_usd = models.DecimalField(max_digits=10, decimal_places=6, null=True, blank=True)

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            one_of("kind", TrialKind, "trial_kind_is_known"),
            one_of("state", TrialState, "trial_state_is_known"),
            models.UniqueConstraint(
                fields=["submission", "kind"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="trial_of_a_kind_under_way_once",
            ),
            models.UniqueConstraint(
                fields=["generated"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="trial_of_a_draft_under_way_once",
            ),
            models.CheckConstraint(
                condition=models.Q(submission=None) ^ models.Q(generated=None), name="trial_is_of_one_text"
            ),
            models.CheckConstraint(
                condition=models.Q(generated=None) | models.Q(kind="conversation"),
                name="draft_is_tried_in_conversation",
            ),
        ]

    def __str__(self) -> str:
        return f"A trial of {self.submission or self.generated}"
