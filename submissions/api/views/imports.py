"""`imports/`: benchmark files that become drafts at the import desk, where people decide on them."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.db.models import Count, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from impactbench.accounts.api.once import KEY_PARAMETER, once
from impactbench.common.api.paging import CursorPages
from impactbench.common.api.parameters import CURSOR, PAGE_SIZE
from impactbench.common.api.problems import Refused, printable
from submissions.api.base import PortalView
from submissions.models import DraftRow, SourceImport
from submissions.selectors.imports import imports
from submissions.services.reading_sources import MOST_FILES, read_source

FILES = {
    "multipart/form-data": {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {
                "type": "array",
                "description": f"One file, or up to {MOST_FILES} that are one benchmark.",
                "minItems": 1,
                "maxItems": MOST_FILES,
                "items": {"type": "string", "format": "binary"},
            }
        },
    }
}


class ImportSerializer(serializers.Serializer):
    """A file, or several of one benchmark, as it was read."""

    id = serializers.IntegerField(source="pk")
    file_name = serializers.CharField()
    sha256 = serializers.CharField(help_text="Over names and contents of all files.")
    format = serializers.CharField()
    is_verified = serializers.BooleanField(help_text="Whether the format's reader was tried on the source's own files.")
    benchmark = serializers.CharField(source="slug")
    name = serializers.CharField()
    licence = serializers.CharField(help_text="As the source has it; empty where it names none.")
    sharing = serializers.ChoiceField(
        ["yes", "no", "unknown"], help_text="Whether the source's words may be shown to others."
    )
    read_at = serializers.DateTimeField()


class ListedImportSerializer(ImportSerializer):
    """An import among others, with how far the desk has come with its metrics."""

    n_metrics = serializers.IntegerField()
    n_open = serializers.IntegerField(help_text="Still to be worked on.")
    n_sent = serializers.IntegerField(help_text="Sent on, as submissions.")


class RemarkSerializer(serializers.Serializer):
    """Something to know of a place in the file."""

    place = serializers.CharField()
    text = serializers.CharField()


class ImportReportSerializer(ImportSerializer):
    """An import with what was noticed on reading, and what has become of its drafts."""

    flags = RemarkSerializer(many=True, help_text="What somebody should look at.")
    skipped = RemarkSerializer(many=True, help_text="What was not taken, and why.")
    drafts = serializers.SerializerMethodField(help_text="How many drafts there are, by kind and state.")
    page = serializers.SerializerMethodField(help_text="Where people go on with it.")

    def get_drafts(self, source: SourceImport) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {kind: {} for kind in DraftRow.Kind.values}
        counted = source.rows.order_by("kind", "state").values_list("kind", "state").annotate(n=Count("pk"))
        for kind, state, n in counted:
            found[kind][state] = n
        return found

    def get_page(self, source: SourceImport) -> str:
        return reverse("submissions:import", args=[source.pk])


class ImportList(PortalView, ListAPIView):
    """The imports that were not discarded, newest first."""

    noun = "imports"
    parser_classes = [MultiPartParser]
    serializer_class = ListedImportSerializer
    queryset = SourceImport.objects.none()
    pagination_class = CursorPages
    ordering = "-pk"
    parameters = (CURSOR, PAGE_SIZE)

    def get_queryset(self) -> QuerySet[SourceImport]:
        return imports()

    @extend_schema(
        parameters=[KEY_PARAMETER],
        request=FILES,
        responses={200: ImportReportSerializer, 201: ImportReportSerializer},
    )
    @once
    def post(self, request: Request) -> Response:
        """Read files as drafts, all or nothing; 200 for the very files that were read before. People accept them."""
        _refuse_other_parts(request)
        source, is_new = read_source(request.FILES.getlist("file"), actor=request.user)
        location = reverse("submissions-api:import", args=[source.pk])
        status = HTTPStatus.CREATED if is_new else HTTPStatus.OK
        return self.answer(ImportReportSerializer, source, status, location)


class ImportDetail(PortalView):
    """One import."""

    noun = "imports"

    @extend_schema(responses=ImportReportSerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002  (a view's signature)
        """One import, with what has become of its drafts."""
        return self.answer(ImportReportSerializer, get_object_or_404(SourceImport, pk=pk))


def _refuse_other_parts(request: Request) -> None:
    data: Any = request.data
    unknown = [printable(name) for name in data if name != "file" or name not in request.FILES]
    if unknown:
        errors = [{"field": name, "detail": "Send files only, each in a part named “file”."} for name in unknown]
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, errors[0]["detail"], errors)
