"""The situations a metric is tested in."""

from django.db import models

from evaluation.models.metric import MetricVersion
from evaluation.models.taxonomy import Profile


class BaseScenario(models.Model):
    """b = (persona, goal, latent adversarial goal, anchors) without demographics (paper, section 3.3.1).

    `anchors` is a list of `{"turn": 1.., "objective": text}`. Empty text means that the source did not publish it.
    """

    metric_version = models.ForeignKey(MetricVersion, on_delete=models.PROTECT, related_name="base_scenarios")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=300, blank=True)
    persona = models.TextField(blank=True)
    goal = models.TextField(blank=True)
    latent_adversarial_goal = models.TextField(blank=True)
    anchors = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["metric_version", "number"]
        constraints = [models.UniqueConstraint(fields=["metric_version", "number"], name="base_scenario_number_unique")]

    def __str__(self) -> str:
        return f"{self.metric_version} scenario {self.number}"


class Scenario(models.Model):
    """The variant of a base scenario for one demographic profile: persona and anchors adapted, goals unchanged."""

    base = models.ForeignKey(BaseScenario, on_delete=models.PROTECT, related_name="variants")
    profile = models.ForeignKey(Profile, on_delete=models.PROTECT, related_name="scenarios")
    source_id = models.CharField(max_length=150, blank=True)
    title = models.CharField(max_length=300, blank=True)
    persona = models.TextField(blank=True)
    anchors = models.JSONField(default=list, blank=True)
    attributes = models.JSONField(default=dict, blank=True)
    target_system_prompt = models.TextField(blank=True)
    turns = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["base", "profile__order", "profile__slug"]
        constraints = [
            models.UniqueConstraint(fields=["base", "profile"], name="scenario_profile_unique_in_base"),
            models.CheckConstraint(
                condition=models.Q(turns__isnull=True) | models.Q(turns__range=(1, 50)),
                name="scenario_turns_between_1_and_50",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.base} for {self.profile}"


class Suite(models.Model):
    """A named, versioned selection of metric versions and scenarios; immutable once a run used it."""

    slug = models.SlugField(max_length=100)
    version = models.PositiveIntegerField(default=1)
    title = models.CharField(max_length=200, blank=True)
    metric_versions = models.ManyToManyField(MetricVersion, related_name="suites")
    scenarios = models.ManyToManyField(Scenario, related_name="suites")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["slug", "version"], name="suite_slug_version_unique")]

    def __str__(self) -> str:
        return f"{self.slug}@{self.version}"
