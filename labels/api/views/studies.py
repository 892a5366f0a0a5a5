"""`studies/`: what published studies found of the metrics of a release."""

from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from rest_framework import serializers

from evaluation.models import Release, Study, StudyFinding
from labels.api.base import ItemList
from labels.api.fields import SlugOrNull
from labels.api.parameters import METRIC, STUDY, STUDY_KIND
from labels.studied import holds_for


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
        return found.filter(**wanted).select_related("study", "release", "metric_version__metric")
