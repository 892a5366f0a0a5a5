"""`releases/<slug>/`: one release, with the files that hold it whole."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.models import Release
from labels.addresses import public_url
from labels.api.base import ItemDetail
from labels.api.parameters import FIELDS
from labels.api.views.releases import ReleaseSerializer
from labels.snapshots.kept import KeptFile, kept_files


class FileSerializer(serializers.Serializer):
    """A file that holds a whole table of the release, or tells of such files."""

    name = serializers.CharField()
    media_type = serializers.CharField()
    rows = serializers.IntegerField(allow_null=True, help_text="Null where it is no table.")
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    url = serializers.SerializerMethodField(help_text="Where it is; another content gets another address.")

    def get_url(self, file: KeptFile) -> str:
        return public_url(self.context["request"], file.path)


class WholeReleaseSerializer(ReleaseSerializer):
    """A release with its files."""

    files = serializers.SerializerMethodField(help_text="The whole release as files; null while they are not made.")

    @extend_schema_field(FileSerializer(many=True, allow_null=True))
    def get_files(self, release: Release) -> list[dict[str, Any]] | None:
        files = kept_files(release)
        return None if files is None else list(FileSerializer(files, many=True, context=self.context).data)


class ReleaseDetail(ItemDetail):
    """One release, retracted or not."""

    serializer_class = WholeReleaseSerializer
    queryset = Release.objects.none()

    @classmethod
    def known_parameters(cls) -> tuple[Any, ...]:
        return (FIELDS,)

    def get_queryset(self) -> QuerySet[Release]:
        return Release.objects.select_related("taxonomy", "judge", "user_simulator").defer("groups")
