"""Language models as they are called: one row is one API configuration under a public name."""

from django.db import models
from django.utils import timezone


class LanguageModel(models.Model):
    """An API configuration; a changed configuration is a new row under a new slug.

    The key itself is never stored, only the name of the environment variable that workers read it from.
    Of an imported model only what its source published is known; the rest stays empty.
    """

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=200)
    provider = models.CharField(max_length=200, blank=True)
    version = models.CharField(max_length=200, blank=True)
    litellm_model = models.CharField(max_length=200, blank=True)
    api_base = models.CharField(max_length=500, null=True, blank=True)
    api_key_env = models.CharField(max_length=100, null=True, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    system_prompt = models.TextField(null=True, blank=True)
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True)
    tokens_per_minute = models.PositiveIntegerField(null=True, blank=True)
    max_in_flight = models.PositiveIntegerField(null=True, blank=True)
    input_usd_per_million = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    output_usd_per_million = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    # None = not known.
    open_weights = models.BooleanField(null=True, blank=True)
    accessed_on = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "slug"]

    def __str__(self) -> str:
        return self.name

    @property
    def runs_here(self) -> bool:
        """Whether the small language model on this machine is meant: what it is asked goes to nobody else."""
        return (self.api_base or "").startswith("embedded:")


class JudgeConfiguration(models.Model):
    """A judge: a language model reading by one prompt; without a model when a source did not publish it."""

    slug = models.SlugField(max_length=150, unique=True)
    language_model = models.ForeignKey(LanguageModel, null=True, blank=True, on_delete=models.PROTECT)
    prompt_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug
