"""What language models drafted, and what people made of each draft; nothing of it is public or runs by itself."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.benchmark import Benchmark
from evaluation.models.choices import one_of
from evaluation.models.language_model import LanguageModel
from evaluation.models.metric import MetricVersion
from evaluation.models.scenario import BaseScenario
from evaluation.models.taxonomy import Profile


class GeneratedKind(models.TextChoices):
    """What a draft would become."""

    METRIC = "metric"
    SCENARIO = "scenario"
    VARIANT = "variant"
    CLAUSE = "clause"


class Outcome(models.TextChoices):
    """How a question to a drafter ended."""

    DRAFTED = "drafted"
    REPAIRED = "repaired"
    REFUSED = "refused"


class GeneratedState(models.TextChoices):
    """What became of a draft. `kept` is word for word as it was drafted, `revised` kept with a person's changes."""

    PROPOSED = "proposed"
    KEPT = "kept"
    REVISED = "revised"
    MERGED = "merged"
    REMOVED = "removed"


class DraftingQuestion(models.Model):
    """One question to a drafter, answered or refused. `items` are digests of the criteria that it was about."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="drafting_questions")
    kind = models.CharField(max_length=10, choices=GeneratedKind)
    # The metric, scenario or batch that it was about, in words.
    place = models.CharField(max_length=400)
    language_model = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="+")
    prompt_hash = models.CharField(max_length=64)
    items = models.JSONField(default=list)
    outcome = models.CharField(max_length=10, choices=Outcome)
    reason = models.CharField(max_length=40, blank=True)
    refusal = models.TextField(blank=True)
    calls = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(null=True)
    output_tokens = models.PositiveBigIntegerField(null=True)
    cost_usd = models.DecimalField(max_digits=16, decimal_places=9, null=True)
    asked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            one_of("kind", GeneratedKind, "drafting_question_kind_is_known"),
            one_of("outcome", Outcome, "drafting_question_outcome_is_known"),
            models.CheckConstraint(
                condition=models.Q(outcome="refused") ^ models.Q(reason=""), name="refused_question_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.place}"


class GeneratedDraft(models.Model):
    """One draft. `written` is what the model wrote and never changes, `content` what it says now.

    A scenario or clause belongs to a metric version, a variant to the draft of its base or to a base scenario that
    there is already. `became` names what was made of it once it was taken over. `flags` are for the person who decides.
    """

    Kind, State = GeneratedKind, GeneratedState

    question = models.ForeignKey(DraftingQuestion, on_delete=models.PROTECT, related_name="drafts")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="generated_drafts")
    kind = models.CharField(max_length=10, choices=GeneratedKind)
    metric_version = models.ForeignKey(
        MetricVersion, null=True, blank=True, on_delete=models.CASCADE, related_name="generated_drafts"
    )
    base = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="variants")
    base_scenario = models.ForeignKey(
        BaseScenario, null=True, blank=True, on_delete=models.PROTECT, related_name="drafted_variants"
    )
    profile = models.ForeignKey(Profile, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(default=1)
    written = models.JSONField()
    content = models.JSONField()
    flags = models.JSONField(default=list)
    state = models.CharField(max_length=10, choices=GeneratedState, default=GeneratedState.PROPOSED)
    reason = models.TextField(blank=True)
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    became = models.CharField(max_length=400, blank=True)

    class Meta:
        ordering = ["benchmark", "metric_version__metric__local_id", "kind", "number", "profile__order", "pk"]
        constraints = [
            one_of("kind", GeneratedKind, "generated_draft_kind_is_known"),
            one_of("state", GeneratedState, "generated_draft_state_is_known"),
            models.CheckConstraint(
                condition=models.Q(state="proposed", decided_at=None)
                | (~models.Q(state="proposed") & models.Q(decided_at__isnull=False)),
                name="generated_draft_is_decided_once_it_is_not_proposed",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="removed") | ~models.Q(reason=""), name="removed_draft_has_a_reason"
            ),
            models.CheckConstraint(
                condition=models.Q(state="merged") ^ models.Q(merged_into=None), name="merged_draft_says_into_which"
            ),
            models.UniqueConstraint(
                fields=["metric_version", "number"],
                condition=models.Q(kind="scenario"),
                name="generated_scenario_number_unique",
            ),
            models.UniqueConstraint(
                fields=["base", "profile"],
                condition=models.Q(kind="variant") & ~models.Q(state="removed"),
                name="generated_variant_once_a_profile",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="variant") & (models.Q(base=None) ^ models.Q(base_scenario=None))
                | ~models.Q(kind="variant") & models.Q(base=None, base_scenario=None),
                name="generated_variant_has_one_base",
            ),
            models.UniqueConstraint(
                fields=["base_scenario", "profile"],
                condition=models.Q(kind="variant", became="") & ~models.Q(state="removed"),
                name="missing_variant_once_a_profile",
            ),
            models.UniqueConstraint(
                fields=["metric_version"],
                condition=models.Q(kind="clause") & ~models.Q(state__in=["removed", "merged"]),
                name="generated_clause_once_a_version",
            ),
        ]

    def __str__(self) -> str:
        if self.kind == self.Kind.METRIC:
            return f"metric draft {self.number} of {self.benchmark_id}"
        if self.kind == self.Kind.VARIANT:
            return f"{self.base or self.base_scenario} for {self.profile}"
        word = "clause" if self.kind == self.Kind.CLAUSE else f"drafted scenario {self.number}"
        return f"{self.metric_version} {word}"
