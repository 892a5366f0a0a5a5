"""`labels/<model>/`: the AI Nutrition Label of one model as data."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from evaluation.models import Polarity
from impactbench.common.api.parameters import Parameter
from labels.api.base import PublicView
from labels.api.filters import find_model
from labels.api.parameters import RELEASE
from labels.api.release_choice import chosen_release
from labels.api.views.results import ResultSerializer
from labels.label import label_document


class CellSerializer(ResultSerializer):
    """A number of a row. `band` is its word, null where it gets none."""

    band = serializers.CharField(allow_null=True)


class RowSerializer(serializers.Serializer):
    """A row of the label: one title and polarity, a cell for each profile."""

    slug = serializers.CharField()
    title = serializers.CharField()
    polarity = serializers.ChoiceField(Polarity.choices)
    cells = CellSerializer(many=True)


class LabelSerializer(serializers.Serializer):
    """A label. The two polarities are never added; `notes` must be shown wherever its numbers are."""

    model = serializers.CharField()
    release = serializers.CharField()
    profiles = serializers.ListField(child=serializers.CharField())
    headlines = ResultSerializer(many=True)
    rows = RowSerializer(many=True)
    notes = serializers.ListField(child=serializers.CharField())


class LabelDetail(PublicView):
    """The AI Nutrition Label of one model: headlines, rows in their fixed order, and what must be said beside them."""

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        return (RELEASE,)

    @extend_schema(responses=LabelSerializer)
    def get(self, request: Request, model: str) -> Response:  # noqa: ARG002  (a view's signature)
        release = chosen_release(self.values.get(RELEASE.name))
        if release is None:
            raise NotFound("Nothing has been published yet.")
        found = find_model(release, model)
        if found is None:
            raise NotFound("There is no such model in this release.")
        return Response(label_document(release, found))
