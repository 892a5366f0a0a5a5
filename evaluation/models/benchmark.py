"""Where metrics come from: a benchmark is a family of metrics with its sources and licence."""

from django.db import models
from django.utils import timezone


class Benchmark(models.Model):
    """A family of metrics; written by imports and approved submissions."""

    slug = models.SlugField(max_length=150, unique=True)
    name = models.CharField(max_length=300)
    description = models.TextField(blank=True)
    sources = models.JSONField(default=list, blank=True)
    licence = models.CharField(max_length=300, blank=True)
    contributors = models.JSONField(default=list, blank=True)
    target_context = models.TextField(blank=True)
    # What research says of it, for those who draft and review interpretive clauses.
    research_summary = models.TextField(blank=True, db_default="")
    content_notices = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name
