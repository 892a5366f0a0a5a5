"""How outcomes for people are sorted: taxonomies, their areas and subareas, profiles, and the rows of the label."""

from django.db import models
from django.utils import timezone

from evaluation.models.choices import Polarity, one_of


class Taxonomy(models.Model):
    """A versioned taxonomy of outcomes (ImpactBench paper, section 3.1); a release pins one."""

    slug = models.SlugField(max_length=100)
    version = models.PositiveIntegerField(default=1)
    title = models.CharField(max_length=200)

    class Meta:
        verbose_name_plural = "taxonomies"
        constraints = [models.UniqueConstraint(fields=["slug", "version"], name="taxonomy_slug_version_unique")]

    def __str__(self) -> str:
        return f"{self.slug}@{self.version}"


class TaxonomyDraft(models.Model):
    """What editors want to change of a taxonomy's newest version, until they adopt it as the next one.

    `acts` are those of `evaluation.taxonomy_acts`, in their order. A version has at most one draft.
    """

    base = models.OneToOneField(Taxonomy, on_delete=models.CASCADE, related_name="draft")
    acts = models.JSONField(default=list, blank=True)
    begun_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"draft after {self.base}"


class Area(models.Model):
    """A domain of life, such as the psychological one."""

    taxonomy = models.ForeignKey(Taxonomy, on_delete=models.CASCADE, related_name="areas")
    slug = models.SlugField(max_length=100)
    name = models.CharField(max_length=200)
    order = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["order", "slug"]
        constraints = [models.UniqueConstraint(fields=["taxonomy", "slug"], name="area_slug_unique_in_taxonomy")]

    def __str__(self) -> str:
        return self.name


class Subarea(models.Model):
    """A part of an area that metrics are placed in; its slug is unique in the whole taxonomy."""

    taxonomy = models.ForeignKey(Taxonomy, on_delete=models.CASCADE, related_name="subareas")
    area = models.ForeignKey(Area, on_delete=models.CASCADE, related_name="subareas")
    slug = models.SlugField(max_length=100)
    name = models.CharField(max_length=200)
    plain_name = models.CharField(max_length=200, blank=True)
    plain_sentence = models.CharField(max_length=400, blank=True)
    order = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["area__order", "order", "slug"]
        constraints = [models.UniqueConstraint(fields=["taxonomy", "slug"], name="subarea_slug_unique_in_taxonomy")]

    def __str__(self) -> str:
        return self.name


class Profile(models.Model):
    """A demographic profile of the simulated user, such as teen (13-17); never renamed by an import."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=100)
    attributes = models.JSONField(default=dict, blank=True)
    order = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["order", "slug"]

    def __str__(self) -> str:
        return self.name


class LabelRow(models.Model):
    """A row of the AI Nutrition Label: metrics of one polarity under one title, in an order fixed for all models.

    A source row that mixes polarities is two rows of one slug and title, one in each block of the label.
    """

    taxonomy = models.ForeignKey(Taxonomy, on_delete=models.CASCADE, related_name="label_rows")
    slug = models.SlugField(max_length=100)
    polarity = models.CharField(max_length=10, choices=Polarity)
    title = models.CharField(max_length=200)
    plain_sentence = models.CharField(max_length=400, blank=True)
    order = models.PositiveIntegerField(default=0)
    metrics = models.ManyToManyField("evaluation.Metric", related_name="label_rows")

    class Meta:
        ordering = ["order", "slug", "-polarity"]
        constraints = [
            models.UniqueConstraint(fields=["taxonomy", "slug", "polarity"], name="label_row_unique"),
            one_of("polarity", Polarity, "label_row_polarity_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.polarity})"
