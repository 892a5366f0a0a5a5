"""`models/`: the models that a release tested, as they were called."""

import hashlib
from typing import Any

from django.db.models import Count, Q, QuerySet
from rest_framework import serializers

from evaluation.models import LanguageModel, Release, Result
from impactbench.common.api.fields import TextOrNull
from labels.api.base import ItemDetail, ItemList

ENDPOINT_KINDS = ("openai-compatible", "litellm", "embedded")


def endpoint_kind(model: LanguageModel) -> str | None:
    """How the model was reached; None where its source did not publish it. Never where, and never with which key."""
    if (model.api_base or "").startswith("embedded:"):
        return "embedded"
    if not model.litellm_model:
        return None
    return "openai-compatible" if model.litellm_model.startswith("openai/") else "litellm"


class ModelSerializer(serializers.Serializer):
    """An API configuration of a language model under its public name. Null means: not published."""

    slug = serializers.CharField()
    name = serializers.CharField()
    provider = TextOrNull()
    version = TextOrNull()
    open_weights = serializers.BooleanField(allow_null=True)
    accessed_on = serializers.DateField(allow_null=True)
    parameters = serializers.DictField()
    system_prompt_sha256 = serializers.SerializerMethodField()
    endpoint_kind = serializers.SerializerMethodField(help_text=f"One of {', '.join(ENDPOINT_KINDS)}, or null.")
    coverage = serializers.SerializerMethodField(
        help_text="Share of the release's metrics, of both polarities, with a judged conversation of this model."
    )

    def get_system_prompt_sha256(self, model: LanguageModel) -> str | None:
        return hashlib.sha256(model.system_prompt.encode()).hexdigest() if model.system_prompt else None

    def get_endpoint_kind(self, model: LanguageModel) -> str | None:
        return endpoint_kind(model)

    def get_coverage(self, model: Any) -> float | None:
        n_metrics = self.context["n_metrics"]
        return model.n_covered / n_metrics if n_metrics else None


def tested_models(release: Release) -> QuerySet[LanguageModel]:
    """The release's models, each with `n_covered`: on how many metrics it has a judged conversation."""
    covered = Q(results__release=release, results__group="metric", results__profile="all", results__n_judged__gt=0)
    return LanguageModel.objects.filter(releases=release).annotate(n_covered=Count("results", filter=covered))


class _WithMetricCount:
    """Tells the serializer how many metrics of known polarity the release has."""

    release: Release | None

    def get_serializer_context(self) -> dict[str, Any]:
        context = super().get_serializer_context()  # type: ignore[misc]
        metrics = Result.objects.filter(release=self.release, group="metric", model=None, profile="all")
        return {**context, "n_metrics": metrics.count() if self.release else 0}


class ModelList(_WithMetricCount, ItemList):
    """The models of the release, by slug."""

    serializer_class = ModelSerializer
    queryset = LanguageModel.objects.none()
    ordering = "slug"

    def items(self, release: Release) -> QuerySet[LanguageModel]:
        return tested_models(release)


class ModelDetail(_WithMetricCount, ItemDetail):
    """One model of the release."""

    serializer_class = ModelSerializer
    queryset = LanguageModel.objects.none()

    def items(self, release: Release) -> QuerySet[LanguageModel]:
        return tested_models(release)
