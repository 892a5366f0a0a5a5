"""What every view of the API shares: strict queries, problem details, headers, and the release it is about."""

from collections.abc import Callable
from functools import cached_property
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
from labels.api.parameters import CURSOR, PAGE_SIZE, RELEASE, Parameter, read_query
from labels.api.problems import problem_response
from labels.api.release_choice import chosen_release
from labels.api.schema import ApiSchema
from labels.api.throttling import ByAddress


class ApiView(APIView):
    """A public, read-only address. `values` are the checked parameters of the query."""

    http_method_names = ["get", "head"]
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

    def get_exception_handler(self) -> Callable[..., Response | None]:
        return problem_response

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers["Access-Control-Allow-Origin"] = "*"
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


class ItemList(ReleaseView, ListAPIView):
    """Cursor pages of things of a release; `ordering` is a unique column."""

    pagination_class = CursorPages
    ordering = "pk"
    pages_name_the_release = True

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        return (RELEASE, *cls.parameters, CURSOR, PAGE_SIZE)


class ItemDetail(ReleaseView, RetrieveAPIView):
    """One thing of a release, by its slug."""

    lookup_field = "slug"
