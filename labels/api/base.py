"""What every view of the API shares: strict queries, problem details, headers, and the release it is about."""

from collections.abc import Callable
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.models import Release
from labels.api.paging import CursorPages
from labels.api.parameters import CURSOR, FIELDS, PAGE_SIZE, RELEASE, Parameter, read_query
from labels.api.problems import BadQuery, problem_response, quoted
from labels.api.release_choice import chosen_release
from labels.api.schema import ApiSchema
from labels.api.throttling import ByAddress

# Scripts of any site may read, keep what they read, and ask whether it changed.
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
}


class ApiView(APIView):
    """A public, read-only address. `values` are the checked parameters of the query."""

    http_method_names = ["get", "head", "options"]
    renderer_classes = [JSONRenderer]
    permission_classes = [AllowAny]
    throttle_classes = [ByAddress]
    schema = ApiSchema()
    parameters: tuple[Parameter, ...] = ()
    values: dict[str, str] = {}

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        """Every parameter that the address knows."""
        return cls.parameters

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before the REST framework looks at `?format=`, which is no parameter of ours.
        self.values = read_query(request.query_params, self.known_parameters())
        if any("\x00" in str(part) for part in kwargs.values()):
            raise NotFound("There is nothing at this address.")
        super().initial(request, *args, **kwargs)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002  (a view's signature)
        """What a browser asks before a script of another site may send more than the plainest request."""
        return Response(status=HTTPStatus.NO_CONTENT, headers=PREFLIGHT)

    def get_exception_handler(self) -> Callable[..., Response | None]:
        return problem_response

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After, X-Request-Id"
        may_be_kept = RELEASE.name in self.values and response.status_code == 200
        response.headers["Cache-Control"] = "public, max-age=60" if may_be_kept else "no-cache"
        return response


class ReleaseView(ApiView, GenericAPIView):
    """An address that shows a part of one release, the newest unless the query names another."""

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        return (RELEASE, *cls.parameters)

    @cached_property
    def release(self) -> Release | None:
        """The release; None while nothing is published."""
        return chosen_release(self.values.get(RELEASE.name))

    def items(self, release: Release) -> QuerySet[Any]:
        """The things of the release that this address shows, by the parameters of the query."""
        raise NotImplementedError

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset() if self.release is None else self.items(self.release)

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        """The serializer with the members that the query asks for. Raises BadQuery for a member that items lack."""
        serializer: Any = super().get_serializer(*args, **kwargs)
        if FIELDS.name in self.values:
            members = getattr(serializer, "child", serializer).fields
            wanted = self.values[FIELDS.name].split(",")
            unknown = [quoted(name) for name in wanted if name not in members]
            if unknown:
                known = ", ".join(members)
                raise BadQuery({FIELDS.name: f"Items have no member {', '.join(unknown)}; they have: {known}."})
            for name in [name for name in members if name not in wanted]:
                del members[name]
        return serializer


class ItemList(ReleaseView, ListAPIView):
    """Cursor pages of things of a release; `ordering` is a unique column."""

    pagination_class = CursorPages
    ordering = "pk"
    pages_name_the_release = True

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        return (RELEASE, *cls.parameters, FIELDS, CURSOR, PAGE_SIZE)


class ItemDetail(ReleaseView, RetrieveAPIView):
    """One thing of a release, by its slug."""

    lookup_field = "slug"

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        return (RELEASE, *cls.parameters, FIELDS)
