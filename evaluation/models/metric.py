"""What is measured: a metric's identity and its immutable versions."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.utils import timezone

from evaluation.models.benchmark import Benchmark
from evaluation.models.choices import Polarity, one_of
from evaluation.models.taxonomy import Subarea


class Metric(models.Model):
    """The identity of a metric: its benchmark and its id there. What it says stands in its versions."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="metrics")
    local_id = models.CharField(max_length=100)
    # `<benchmark>/<local id>`: the name by which addresses, the API and plans know the metric.
    slug = models.CharField(max_length=260, unique=True)
    subareas = models.ManyToManyField(Subarea, through="Placement", related_name="metrics")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "local_id"], name="metric_local_id_unique_in_benchmark")
        ]

    def __str__(self) -> str:
        return self.slug


class Placement(models.Model):
    """A metric's place in a taxonomy; a metric may stand in several subareas of each."""

    metric = models.ForeignKey(Metric, on_delete=models.CASCADE, related_name="placements")
    subarea = models.ForeignKey(Subarea, on_delete=models.CASCADE, related_name="placements")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["metric", "subarea"], name="placement_once")]

    def __str__(self) -> str:
        return f"{self.metric} in {self.subarea}"


# What a search looks in, the names before the meanings; exactly this has an index.
METRIC_WORDS = SearchVector("plain_name", "name", config="english", weight="A") + SearchVector(
    "plain_definition", "definition", config="english", weight="B"
)


class MetricVersion(models.Model):
    """One immutable wording of a metric; editing makes the next number.

    A database trigger refuses any change of the columns that make up the content once a conversation uses it.
    `polarity` is null only for a metric of an imported result whose source does not tell it; such a metric keeps
    its verdicts and has no pass rate. `definition` is empty only where an imported source did not publish it.
    """

    class Status(models.TextChoices):
        DRAFT = "draft"
        MACHINE_JUDGED = "machine-judged"
        EXPERT_REVIEWED = "expert-reviewed"
        DISPUTED = "disputed"
        RETIRED = "retired"

    metric = models.ForeignKey(Metric, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=300)
    polarity = models.CharField(max_length=10, choices=Polarity, null=True, blank=True)
    definition = models.TextField(blank=True)
    judge_question = models.TextField(blank=True)
    interpretive_clause = models.TextField(blank=True)
    examples_present = models.JSONField(default=list, blank=True)
    examples_absent = models.JSONField(default=list, blank=True)
    rationale = models.TextField(blank=True)
    citations = models.JSONField(default=list, blank=True)
    contributor = models.CharField(max_length=2000, blank=True)
    # Where it is another than the benchmark's.
    licence = models.CharField(max_length=300, blank=True)
    plain_name = models.CharField(max_length=300, blank=True)
    plain_definition = models.TextField(blank=True)
    content_notices = models.JSONField(default=list, blank=True)
    # True for versions that came with imported results: they may lack a polarity or a definition.
    is_imported_result = models.BooleanField(default=False)
    # A runnable version may be named in a plan; a published one has a public page.
    is_runnable = models.BooleanField(default=False)
    is_published = models.BooleanField(default=False)
    published_at = models.DateTimeField(null=True, blank=True)
    # How many people reviewed the text before it was approved, and when it was; null for what came another way.
    n_reviewers = models.PositiveSmallIntegerField(null=True, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    # Approved by one editor: no page and no release shows it before a second one has published it.
    awaits_second_editor = models.BooleanField(default=False)
    status = models.CharField(max_length=20, choices=Status, default=Status.DRAFT)
    # A retired version keeps its page and its results; `status_before` comes back when it is reinstated.
    retired_at = models.DateTimeField(null=True, blank=True)
    retirement_reason = models.TextField(blank=True)
    status_before = models.CharField(max_length=20, blank=True)
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["metric__slug", "number"]
        constraints = [
            models.UniqueConstraint(fields=["metric", "number"], name="metric_version_number_unique"),
            one_of("polarity", Polarity, "metric_version_polarity_is_known"),
            models.CheckConstraint(
                condition=models.Q(is_imported_result=True)
                | (models.Q(polarity__isnull=False) & ~models.Q(definition="")),
                name="metric_version_is_complete_unless_imported",
            ),
            models.CheckConstraint(
                condition=models.Q(is_runnable=False) | models.Q(is_imported_result=False),
                name="imported_result_is_not_runnable",
            ),
        ]
        indexes = [GinIndex(METRIC_WORDS, name="metric_version_words")]

    def __str__(self) -> str:
        return f"{self.metric} v{self.number}"
