"""`releases/`: what has been published, newest first, retracted releases with their reason."""

from django.db.models import QuerySet
from rest_framework import serializers

from evaluation.models import JudgeConfiguration, Release
from impactbench.common.api.fields import SlugOrNull, TextOrNull
from labels.api.base import ItemList


def judge_slug(judge: JudgeConfiguration | None) -> str | None:
    """The public name of a judge; None where its source did not publish which model judged."""
    return judge.slug if judge is not None and judge.language_model_id is not None else None


class ReleaseSerializer(serializers.Serializer):
    """A published, immutable set of results. Null means: not published, or not the same for all runs."""

    slug = serializers.CharField()
    title = serializers.CharField()
    status = serializers.ChoiceField(Release.Status.choices)
    retraction_reason = TextOrNull()
    published_at = serializers.DateTimeField()
    taxonomy = serializers.CharField(source="taxonomy.slug")
    judge = serializers.SerializerMethodField(help_text="Slug; null too where several judges count together.")
    user_simulator = SlugOrNull()
    prompt_hashes = serializers.JSONField(allow_null=True)
    code_version = TextOrNull()
    content_hash = serializers.CharField()
    n_models = serializers.IntegerField()
    n_benchmarks = serializers.IntegerField()
    n_metrics = serializers.IntegerField()
    n_conversations = serializers.IntegerField(help_text="Conversations that ended.")
    n_judged = serializers.IntegerField()
    n_unjudged = serializers.IntegerField()
    resamples = serializers.IntegerField(help_text="Draws of the bootstrap.")
    seed = serializers.IntegerField()
    method = serializers.CharField()

    def get_judge(self, release: Release) -> str | None:
        return judge_slug(release.judge)


class ReleaseList(ItemList):
    """All releases, newest first; with `release` only that one."""

    serializer_class = ReleaseSerializer
    queryset = Release.objects.none()
    ordering = "-pk"
    pages_name_the_release = False

    def get_queryset(self) -> QuerySet[Release]:
        releases = Release.objects.select_related("taxonomy", "judge", "user_simulator").defer("groups")
        if "release" in self.values and self.release is not None:
            return releases.filter(pk=self.release.pk)
        return releases
