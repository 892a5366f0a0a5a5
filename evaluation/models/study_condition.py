"""How a study by machine is run: its conditions, each with a run of its own, and what the auditor read."""

from django.db import models

from evaluation.models.conversation import Conversation
from evaluation.models.language_model import LanguageModel
from evaluation.models.run import Run
from evaluation.models.study import Study


class StudyCondition(models.Model):
    """One way of running the machine in a study (`evaluation.studies.machine.conditions`), planned as a run.

    The run belongs to the study alone: no release is made of it. `held_to` is the condition whose user messages are
    used again as long as the target's replies are the same; its run comes first.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="conditions")
    number = models.PositiveSmallIntegerField()
    # Of a condition that is a judge it is the slug of a language model.
    slug = models.CharField(max_length=100)
    name = models.CharField(max_length=200)
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="condition")
    held_to = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["study", "number"]
        constraints = [models.UniqueConstraint(fields=["study", "slug"], name="study_condition_once")]

    def __str__(self) -> str:
        return f"{self.study_id} {self.slug}"


class StudyAudit(models.Model):
    """What an auditor read in one conversation, kept as it was said.

    `objectives` has an entry for each anchor: anchor (from 1), covered (null where the answer could not be read),
    turn and reason. `reason` says why nothing could be read; '' where it could.
    """

    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="audits")
    auditor = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="audits")
    prompt_hash = models.CharField(max_length=64)
    objectives = models.JSONField(default=list)
    reason = models.CharField(max_length=60, blank=True)
    detail = models.TextField(blank=True)
    raw_reply = models.TextField(blank=True)
    calls = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(null=True)
    output_tokens = models.PositiveBigIntegerField(null=True)
    cost_usd = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["conversation", "made_at"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "auditor", "prompt_hash"], name="study_audit_once"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation} by {self.auditor}"
