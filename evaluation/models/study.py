"""Measurements of the measurement itself: what a study is about, and what it found."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from evaluation.models.choices import one_of
from evaluation.models.conversation import Conversation
from evaluation.models.judgment import Judgment
from evaluation.models.language_model import LanguageModel
from evaluation.models.metric import MetricVersion
from evaluation.models.release import Release
from evaluation.models.run import Run
from evaluation.models.scenario import Scenario


class StudyKind(models.TextChoices):
    """What is studied; `evaluation.studies.kinds` says what belongs to each."""

    SCENARIO_REVIEW = "scenario-review", "Scenario review"
    SIMULATION_REVIEW = "simulation-review", "Simulation review"
    JUDGMENT_REVIEW = "judgment-review", "Judgment review"
    EXPERT_REVIEW = "expert-review", "External expert review"
    SIMULATOR_SELECTION = "simulator-selection", "Simulator selection"
    JUDGE_REPEATABILITY = "judge-repeatability", "Judge repeatability"
    JUDGE_COMPARISON = "judge-comparison", "Judge comparison"
    SIMULATOR_ABLATION = "simulator-ablation", "Simulator ablation"
    REPEAT_SIMULATIONS = "repeat-simulations", "Repeat simulations"


class StudyState(models.TextChoices):
    """How far a study is; `evaluation.services.studies.states` has the only ways between them."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"
    PUBLISHED = "published"


class ItemUnit(models.TextChoices):
    """What one item is."""

    METRIC = "metric"
    SCENARIO = "scenario"
    CONVERSATION = "conversation"
    JUDGMENT = "judgment"
    # A scenario with a target, to be simulated.
    CONTEXT = "context"


class Study(models.Model):
    """A designed study. Its sampling frame and seed are kept, so that anybody can draw the same sample again.

    `drawn` says for each stratum what was wished, available and drawn, `short` what could not be drawn as wished, in
    sentences. `analysis` is what was found when it was closed; until then it is computed live.
    """

    Kind, State = StudyKind, StudyState

    public_id = models.CharField(max_length=32, unique=True)
    kind = models.CharField(max_length=30, choices=StudyKind)
    title = models.CharField(max_length=200)
    instructions = models.TextField(blank=True)
    preset = models.CharField(max_length=60, blank=True)
    design = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    runs = models.ManyToManyField(Run, related_name="studies", blank=True)
    release = models.ForeignKey(Release, null=True, blank=True, on_delete=models.PROTECT, related_name="studies")
    sampling_frame = models.JSONField()
    # Of a study by machine: what each of its runs and its auditor may spend, and who audits; set when it is started.
    budget_usd = models.DecimalField(max_digits=12, decimal_places=4, null=True, blank=True)
    auditor = models.ForeignKey(LanguageModel, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    drawn = models.JSONField(default=list, blank=True)
    short = models.JSONField(default=list, blank=True)
    n_raters = models.PositiveSmallIntegerField(default=0)
    # Who rates what: {plan: [number of an item, ...]}, as many plans as raters were planned.
    assignment = models.JSONField(default=dict, blank=True)
    # Its conversations may be looked up on the public site: raters declare that they did not.
    is_public_material = models.BooleanField(default=False)
    # Whoever has a link may accept; else only the person whose address it was sent to.
    has_open_links = models.BooleanField(default=False, db_default=False)
    # Nobody can accept once so many take part; null for no end.
    most_raters = models.PositiveSmallIntegerField(null=True, blank=True)
    consent_text = models.TextField(blank=True)
    # Raters who have not finished are reminded after so many days without a word; null for never.
    reminder_days = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=StudyState, default=StudyState.DRAFT)
    analysis = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["-created_at", "-pk"]
        constraints = [
            one_of("kind", StudyKind, "study_kind_is_known"),
            one_of("state", StudyState, "study_state_is_known"),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "open"], closed_at=None)
                | Q(state__in=["closed", "published"], closed_at__isnull=False, analysis__isnull=False),
                name="closed_study_has_its_analysis",
            ),
            models.CheckConstraint(
                condition=Q(state="published") ^ Q(published_at=None), name="published_study_has_a_time"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class StudyItem(models.Model):
    """What one rating is about. Items are drawn with the study and never change once it is open."""

    Unit = ItemUnit

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    unit = models.CharField(max_length=15, choices=ItemUnit)
    metric_version = models.ForeignKey(MetricVersion, on_delete=models.PROTECT, related_name="study_items")
    scenario = models.ForeignKey(Scenario, null=True, on_delete=models.PROTECT, related_name="study_items")
    conversation = models.ForeignKey(Conversation, null=True, on_delete=models.PROTECT, related_name="study_items")
    judgment = models.ForeignKey(Judgment, null=True, on_delete=models.PROTECT, related_name="study_items")
    target = models.ForeignKey(LanguageModel, null=True, on_delete=models.PROTECT, related_name="study_items")
    stratum = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["study", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="study_item_number_unique"),
            models.CheckConstraint(
                condition=Q(unit="metric")
                | Q(unit="scenario", scenario__isnull=False)
                | Q(unit="conversation", conversation__isnull=False)
                | Q(unit="judgment", conversation__isnull=False, judgment__isnull=False)
                | Q(unit="context", scenario__isnull=False, target__isnull=False),
                name="study_item_has_what_it_shows",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study_id} item {self.number}"


class StudyFinding(models.Model):
    """What a published study says of one metric version, or of all it looked at (`metric_version` null).

    Made when the study is published, and never changed. `values` holds every number with its n and its interval.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="findings")
    metric_version = models.ForeignKey(
        MetricVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="study_findings"
    )
    kind = models.CharField(max_length=30, choices=StudyKind)
    values = models.JSONField()
    release = models.ForeignKey(Release, null=True, blank=True, on_delete=models.PROTECT, related_name="study_findings")
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.PROTECT, related_name="study_findings")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["study", "metric_version"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "metric_version"], name="study_finding_once", nulls_distinct=False
            ),
            one_of("kind", StudyKind, "study_finding_kind_is_known"),
        ]

    def __str__(self) -> str:
        return f"finding of {self.study_id} on {self.metric_version_id or 'all'}"
