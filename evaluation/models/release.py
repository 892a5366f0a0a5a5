"""Published results: releases, the verdicts they rest on, and every number computed from them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from evaluation.models.choices import Polarity, one_of
from evaluation.models.conversation import Conversation
from evaluation.models.language_model import JudgeConfiguration, LanguageModel
from evaluation.models.metric import MetricVersion
from evaluation.models.run import Run
from evaluation.models.taxonomy import Profile, Taxonomy


class Release(models.Model):
    """A published, immutable set of results; made by `services.publishing.publish`, retracted, never deleted.

    `content_hash` covers the verdicts and every result. `unlike` lists what differs between its runs when they
    were mixed on purpose, as sentences. `user_simulator`, `prompt_hashes` and `code_version` are null or empty where
    an imported source did not publish them.
    """

    class Status(models.TextChoices):
        PUBLISHED = "published"
        RETRACTED = "retracted"

    slug = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Status, default=Status.PUBLISHED)
    retraction_reason = models.TextField(blank=True)
    published_at = models.DateTimeField(default=timezone.now)
    taxonomy = models.ForeignKey(Taxonomy, on_delete=models.PROTECT, related_name="releases")
    runs = models.ManyToManyField(Run, related_name="releases")
    # null: all judges of the runs count (the majority over them).
    judge = models.ForeignKey(JudgeConfiguration, null=True, blank=True, on_delete=models.PROTECT)
    user_simulator = models.ForeignKey(LanguageModel, null=True, blank=True, on_delete=models.PROTECT)
    prompt_hashes = models.JSONField(null=True, blank=True)
    code_version = models.CharField(max_length=100, blank=True)
    resamples = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    method = models.TextField()
    unlike = models.JSONField(default=list, blank=True)
    notes = models.JSONField(default=list, blank=True)
    is_demonstration = models.BooleanField(default=False)
    is_imported = models.BooleanField(default=False)
    profiles = models.ManyToManyField(Profile, related_name="releases")
    targets = models.ManyToManyField(LanguageModel, related_name="releases")
    metric_versions = models.ManyToManyField(MetricVersion, related_name="releases")
    # Which metrics stood in which area, subarea, benchmark and label row when the release was made:
    # {group: {key: [metric slug, ...]}}; the keys of label rows are "<polarity> <slug>".
    groups = models.JSONField(default=dict)
    n_models = models.PositiveIntegerField()
    n_benchmarks = models.PositiveIntegerField()
    n_metrics = models.PositiveIntegerField()
    n_conversations = models.PositiveIntegerField()
    n_judged = models.PositiveIntegerField()
    n_unjudged = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    # What the content hash covers: 1 = verdicts and results, 2 = comparisons, sensitivity and all inputs as well.
    content_version = models.PositiveSmallIntegerField(default=2)
    # {part of the inputs: sha256}, so that a later change can be named: see `services.release_inputs`.
    input_hashes = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-published_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="published") | (Q(status="retracted") & ~Q(retraction_reason="")),
                name="retraction_has_a_reason",
            )
        ]

    def __str__(self) -> str:
        return self.slug


class Verdict(models.Model):
    """The verdict that counts for one conversation of a release: the majority over its judgments.

    `present` is null where there is none, with the reason; `passed` follows from polarity and is null too where the
    polarity is unknown. Metric version, model and profile are repeated from the conversation for quick reading.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="verdicts")
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="verdicts")
    metric_version = models.ForeignKey(MetricVersion, on_delete=models.PROTECT, related_name="verdicts")
    model = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="verdicts")
    profile = models.ForeignKey(Profile, on_delete=models.PROTECT, related_name="verdicts")
    # False for a planned conversation that never ended: it is in n_planned only.
    has_ended = models.BooleanField(default=True)
    present = models.BooleanField(null=True)
    passed = models.BooleanField(null=True)
    reason = models.CharField(max_length=60, blank=True)

    class Meta:
        ordering = ["release", "conversation"]
        constraints = [
            models.UniqueConstraint(fields=["release", "conversation"], name="verdict_once_in_release"),
            models.CheckConstraint(
                condition=Q(present__isnull=False) | Q(passed__isnull=True), name="no_pass_without_a_verdict"
            ),
        ]
        indexes = [
            models.Index(fields=["release", "metric_version", "model"], name="verdict_by_metric"),
            models.Index(fields=["release", "model"], name="verdict_by_model"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation} in {self.release}"


class Result(models.Model):
    """One number of a release: a pass rate with its counts and its interval (paper, section 3.6).

    `model` null pools all models; `profile` is `all` or a profile's slug; `key` is empty for `overall`.
    Rates and limits are between 0 and 1, null where nothing was judged. `ci50_*` hold the middle half of the draws.
    """

    class Group(models.TextChoices):
        OVERALL = "overall"
        AREA = "area"
        SUBAREA = "subarea"
        BENCHMARK = "benchmark"
        LABEL_ROW = "label-row"
        METRIC = "metric"

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="results")
    group = models.CharField(max_length=10, choices=Group)
    key = models.CharField(max_length=260, blank=True)
    model = models.ForeignKey(LanguageModel, null=True, blank=True, on_delete=models.PROTECT, related_name="results")
    polarity = models.CharField(max_length=10, choices=Polarity)
    profile = models.CharField(max_length=60, default="all")
    n_metrics = models.PositiveIntegerField()
    n_planned = models.PositiveIntegerField()
    n_conversations = models.PositiveIntegerField()
    n_judged = models.PositiveIntegerField()
    n_unjudged = models.PositiveIntegerField()
    n_passed = models.PositiveIntegerField()
    pass_rate = models.FloatField(null=True)
    ci_low = models.FloatField(null=True)
    ci_high = models.FloatField(null=True)
    ci50_low = models.FloatField(null=True)
    ci50_high = models.FloatField(null=True)
    ci_method = models.CharField(max_length=30)
    n_draws = models.PositiveIntegerField()
    coverage = models.FloatField()
    unjudged_reasons = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["release", "group", "key", "model", "polarity", "profile"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "group", "key", "model", "polarity", "profile"],
                name="result_once_in_release",
                nulls_distinct=False,
            ),
            one_of("polarity", Polarity, "result_polarity_is_known"),
            models.CheckConstraint(
                condition=Q(n_judged=0, pass_rate__isnull=True) | Q(n_judged__gt=0, pass_rate__isnull=False),
                name="no_data_is_null_never_zero",
            ),
            models.CheckConstraint(
                condition=Q(ci_method__in=["metric-cluster-bootstrap", "wilson", "none"]),
                name="result_ci_method_is_known",
            ),
        ]
        indexes = [models.Index(fields=["release", "group", "model"], name="result_by_group")]

    def __str__(self) -> str:
        return f"{self.release} {self.group} {self.key} {self.model_id or 'all'} {self.polarity} {self.profile}"


class Comparison(models.Model):
    """One difference a - b of a release with its paired interval (paper, section 3.6).

    `kind` says what a and b are: two models, two profiles, or the polarities. `distinguishable` is null where there
    is no interval; the adjusted one follows Holm within its family (`statistics.release_comparisons.adjusted`).
    """

    class Kind(models.TextChoices):
        MODEL = "model"
        PROFILE = "profile"
        POLARITY = "polarity"

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="comparisons")
    kind = models.CharField(max_length=10, choices=Kind)
    group = models.CharField(max_length=10, choices=Result.Group)
    key = models.CharField(max_length=260, blank=True)
    polarity = models.CharField(max_length=10, choices=Polarity, null=True)
    profile = models.CharField(max_length=60, null=True)
    model = models.ForeignKey(LanguageModel, null=True, on_delete=models.PROTECT, related_name="comparisons")
    a = models.CharField(max_length=100)
    b = models.CharField(max_length=100)
    difference = models.FloatField()
    ci_low = models.FloatField(null=True)
    ci_high = models.FloatField(null=True)
    p = models.FloatField(null=True)
    n_metrics = models.PositiveIntegerField()
    n_draws = models.PositiveIntegerField()
    distinguishable = models.BooleanField(null=True)
    distinguishable_adjusted = models.BooleanField(null=True)

    class Meta:
        ordering = ["release", "kind", "group", "key", "polarity", "profile", "model", "a", "b"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "kind", "group", "key", "polarity", "profile", "model", "a", "b"],
                name="comparison_once_in_release",
                nulls_distinct=False,
            ),
        ]
        indexes = [models.Index(fields=["release", "kind", "group", "key"], name="comparison_by_group")]

    def __str__(self) -> str:
        return f"{self.release} {self.kind} {self.a} - {self.b}"


class Sensitivity(models.Model):
    """One sensitivity analysis of a release (paper, sections 3.6, 4.7 and 4.10); null with the reason if undefined."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="sensitivity")
    kind = models.CharField(max_length=30)
    model = models.ForeignKey(LanguageModel, null=True, on_delete=models.PROTECT, related_name="+")
    benchmark = models.CharField(max_length=150, null=True)
    polarity = models.CharField(max_length=10, choices=Polarity, null=True)
    across = models.CharField(max_length=20, null=True)
    profile_a = models.CharField(max_length=60, null=True)
    profile_b = models.CharField(max_length=60, null=True)
    value = models.FloatField(null=True)
    n = models.PositiveIntegerField()
    reason = models.CharField(max_length=100, blank=True)

    class Meta:
        verbose_name_plural = "sensitivity"
        ordering = ["release", "kind", "polarity", "benchmark", "model", "across", "profile_a", "profile_b"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "kind", "model", "benchmark", "polarity", "across", "profile_a", "profile_b"],
                name="sensitivity_once_in_release",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=False) | ~Q(reason=""), name="undefined_sensitivity_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.release} {self.kind}"
