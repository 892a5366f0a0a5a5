"""`studies/`: what published studies found of the metrics of a release."""

from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.models import CorrectedRates, Release, Study, StudyFinding
from impactbench.common.api.fields import SlugOrNull
from labels.api.base import ItemList
from labels.api.parameters import METRIC, STUDY, STUDY_KIND
from labels.studied import holds_for


class CorrectedRatesSerializer(serializers.Serializer):
    """Rates of a release with the labels of a study: beside those of the release, which never change."""

    release = serializers.SlugField(source="release.slug")
    n_labels = serializers.IntegerField(help_text="Conversations with a label.")
    n_adjudicated = serializers.IntegerField(help_text="How many labels were decided where raters did not agree.")
    n_unlabelled = serializers.IntegerField(help_text="Rated conversations without a label: nothing was clear.")
    rates = serializers.JSONField(help_text="`judge` and `corrected`: each with n, interval and method, or a reason.")
    reason = serializers.CharField(help_text="Why there are no rates at all; empty otherwise.")


class FindingSerializer(serializers.Serializer):
    """What one published study says of one metric, or of all that it looked at. It never changes."""

    study = serializers.CharField(source="study.public_id")
    kind = serializers.ChoiceField(Study.Kind.choices)
    title = serializers.CharField(source="study.title")
    published_at = serializers.DateTimeField(source="study.published_at")
    page = serializers.SerializerMethodField(help_text="Path of the study’s page; its files stand beside it.")
    release = SlugOrNull(help_text="The release whose conversations were looked at; null for ones not published then.")
    metric = serializers.CharField(
        source="metric_version.metric.slug", allow_null=True, default=None, help_text="Null: all that it looked at."
    )
    version = serializers.IntegerField(source="metric_version.number", allow_null=True, default=None)
    values = serializers.JSONField(
        help_text="Every number with its n and its interval, or the reason why there is none."
    )

    corrected_rates = serializers.SerializerMethodField(
        help_text="Of a finding on all that was looked at: the pass rates of the asked release, by polarity and model "
        "(null: all together), as the judge has them and as the study’s labels correct them. Null: no labels of it."
    )

    @extend_schema_field(CorrectedRatesSerializer(allow_null=True))
    def get_corrected_rates(self, finding: StudyFinding) -> dict[str, Any] | None:
        found = getattr(finding.study, "of_release", []) if finding.metric_version_id is None else []
        return dict(CorrectedRatesSerializer(found[0]).data) if found else None

    def get_page(self, finding: StudyFinding) -> str:
        return reverse("labels:study", args=[finding.study.public_id])


class StudyList(ItemList):
    """What published studies found of the metrics of the release; nothing about verdicts of another release."""

    serializer_class = FindingSerializer
    queryset = StudyFinding.objects.none()
    parameters = (STUDY, STUDY_KIND, METRIC)

    def items(self, release: Release) -> QuerySet[Any]:
        versions = Q(metric_version__releases=release) | Q(metric_version=None)
        found = StudyFinding.objects.filter(versions, holds_for(release)).distinct()
        columns = {"study": "study__public_id", "kind": "kind", "metric": "metric_version__metric__slug"}
        wanted = {column: self.values[name] for name, column in columns.items() if name in self.values}
        related = found.filter(**wanted).select_related("study", "release", "metric_version__metric")
        corrected = CorrectedRates.objects.filter(release=release).select_related("release")
        return related.prefetch_related(Prefetch("study__corrected_rates", corrected, to_attr="of_release"))
