"""What every address of the API shares: strict queries, problem details, limits, and headers."""

from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from impactbench.common.api.parameters import Parameter, read_query
from impactbench.common.api.problems import problem_response
from impactbench.common.api.schema import ApiSchema
from impactbench.common.api.throttling import ByAddress

# The methods that change nothing.
READING = ("GET", "HEAD", "OPTIONS")


class ApiView(APIView):
    """An address of the API, for nobody and kept by no cache unless a subclass says otherwise.

    `values` are the checked parameters of the query.
    """

    renderer_classes = [JSONRenderer]
    throttle_classes = [ByAddress]
    schema = ApiSchema()
    parameters: tuple[Parameter, ...] = ()
    values: dict[str, str] = {}

    @classmethod
    def known_parameters(cls) -> tuple[Parameter, ...]:
        """Every parameter that the address knows."""
        return cls.parameters

    @classmethod
    def known_errors(cls, method: str) -> Collection[str]:  # noqa: ARG003  (others tell them apart)
        """The statuses of the problems that it answers a request by this method with."""
        return ("400", "404", "406", "429")

    def page_query(self) -> Mapping[str, str]:
        """What the links from page to page must hold, whatever the query says."""
        return {}

    def headers_of(self, status: int) -> Mapping[str, str]:  # noqa: ARG002  (others tell them apart)
        """The headers of an answer with this status."""
        return {"Cache-Control": "no-store"}

    def preflight(self) -> Mapping[str, str]:
        """What a browser is told that asks for a script of another site; nothing means no."""
        return {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before the REST framework looks at `?format=`, which is no parameter of ours.
        known = self.known_parameters() if request.method in READING else ()
        self.values = read_query(request.query_params, known)
        if any("\x00" in str(part) for part in kwargs.values()):
            raise NotFound("There is nothing at this address.")
        super().initial(request, *args, **kwargs)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002  (a view's signature)
        """What a browser asks before a script of another site may send more than the plainest request."""
        return Response(status=HTTPStatus.NO_CONTENT, headers=dict(self.preflight()))

    def get_exception_handler(self) -> Callable[..., Response | None]:
        return problem_response

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in self.headers_of(response.status_code).items():
            response.headers[name] = value
        return response
