"""`schema/`: the OpenAPI description of the API."""

from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from labels.api.base import PublicView
from labels.api.schema import openapi_document


class SchemaView(PublicView):
    """The description of everything here, as OpenAPI 3.1 in JSON."""

    renderer_classes = [JSONRenderer, OpenApiJsonRenderer]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:  # noqa: ARG002  (a view's signature)
        return Response(openapi_document())
