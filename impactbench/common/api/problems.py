"""Errors of the API as RFC 9457 problem details, `application/problem+json`."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.urls import Resolver404, resolve
from django.views import defaults
from redis.exceptions import RedisError
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

MEDIA_TYPE = "application/problem+json"
API_ROOT = "/api/"
SHOWN_CHARACTERS = 100
# What is raised while PostgreSQL or Valkey start again.
AWAY = (OperationalError, InterfaceError, RedisError)
SECONDS_UNTIL_BACK = 5


class BadQuery(APIException):
    """A query that cannot be answered: `errors` gives one sentence for each parameter that is at fault."""

    status_code = HTTPStatus.BAD_REQUEST

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = [{"parameter": name, "detail": detail} for name, detail in errors.items()]


class Refused(APIException):
    """A request that was understood and is not done.

    `errors` are `{"field", "number" (of a line, from 1, where it is one of several), "detail"}`; `members` are further
    members of the answer.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        errors: Sequence[Mapping[str, Any]] = (),
        members: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status_code = status
        self.errors = list(errors)
        self.members = dict(members or {})


class ErrorSerializer(serializers.Serializer):
    """What is wrong with one parameter of the query, or with one field of the body."""

    parameter = serializers.CharField(required=False)
    field = serializers.CharField(required=False, help_text="Its name in the body; of a list, the list.")
    number = serializers.IntegerField(required=False, help_text="Which line of a list, from 1.")
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(help_text="Always `about:blank`: the status says what kind of problem it is.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="One or more sentences that say what to do.")
    instance = serializers.CharField(help_text="The path that was asked for.")
    errors = ErrorSerializer(  # type: ignore[assignment]  # the stubs take it for Serializer.errors
        many=True, required=False, help_text="Only where parameters or fields are at fault."
    )


def quoted(text: str) -> str:
    """Hostile text for use in a sentence: shortened and in quotation marks."""
    return repr(text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "...")


def problem_response(exception: Exception, context: dict[str, Any]) -> Response | None:
    """The REST framework's exception handler; None (a fault of ours) lets the server's own 500 answer."""
    if isinstance(exception, SuspiciousOperation):
        exception = ParseError("The request cannot be read.")
    if isinstance(exception, ValidationError):
        exception = unusable(exception.detail)
    response = exception_handler(exception, context)
    if response is None:
        return None
    detail = str(getattr(exception, "detail", "")) or "There is nothing at this address."
    response.data = _problem(context["request"].path, response.status_code, detail)
    response.data |= getattr(exception, "members", {})
    if errors := getattr(exception, "errors", []):
        response.data["errors"] = errors
    response.content_type = MEDIA_TYPE
    return response


def unusable(detail: Any) -> Refused:
    """What a serializer says of a body, as one sentence for each field."""
    errors = list(_flat(detail, "", None))
    told = " ".join(f"{error['field']}: {error['detail']}" if error["field"] else error["detail"] for error in errors)
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, told, errors)


def _flat(detail: Any, field: str, number: int | None, member: str = "") -> Iterator[dict[str, Any]]:
    """Each sentence with the innermost text or list it is about; in a list, with the line and what is wrong in it."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            if isinstance(name, int):
                yield from _flat(inner, field, name + 1)
            elif name == "non_field_errors":
                yield from _flat(inner, field, number)
            elif number is None:
                yield from _flat(inner, str(name), None)
            else:
                yield from _flat(inner, field, number, str(name))
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        for place, inner in enumerate(detail, start=1):
            yield from _flat(inner, field, place if isinstance(inner, Mapping) else number, member)
    else:
        line = {} if number is None else {"number": number}
        said = f"{printable(member)}: {detail}" if member else str(detail)
        yield {"field": printable(field), **line, "detail": said}


def printable(text: str) -> str:
    """A short name for something that somebody made up."""
    return quoted(text)[1:-1]


def not_found(request: HttpRequest) -> HttpResponse:
    """The answer to every address under `/api/` that no other view has: 404, or the way to the closing slash."""
    if not request.path.endswith("/") and _leads_somewhere(request.path + "/"):
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
    detail = "There is nothing at this address. /api/v1/docs/ lists what there is."
    problem = _problem(request.path, HTTPStatus.NOT_FOUND, detail)
    response = JsonResponse(problem, status=HTTPStatus.NOT_FOUND, content_type=MEDIA_TYPE)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def needs_tls(request: HttpRequest) -> HttpResponse:
    """The answer to every address under `/api/` that was asked without TLS."""
    detail = "This API speaks HTTPS alone: use https:// in the address. A token that comes without it is revoked."
    problem = _problem(request.path, HTTPStatus.FORBIDDEN, detail)
    headers = {"Cache-Control": "no-store"}
    return JsonResponse(problem, status=HTTPStatus.FORBIDDEN, content_type=MEDIA_TYPE, headers=headers)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to what no view has seen, such as a host that is not ours; under `/api/` in the form of the API."""
    if not request.path_info.startswith(API_ROOT):
        return defaults.bad_request(request, exception)
    problem = _problem(request.path, HTTPStatus.BAD_REQUEST, "The request cannot be read.")
    return JsonResponse(problem, status=HTTPStatus.BAD_REQUEST, content_type=MEDIA_TYPE)


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer when a view failed: 503 with Retry-After while database or broker are away, 500 for our own faults."""
    is_away = isinstance(sys.exception(), AWAY)
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_away else HTTPStatus.INTERNAL_SERVER_ERROR
    if request.path_info.startswith(API_ROOT):
        detail = "A part of the site is starting again; ask again in some seconds." if is_away else "This is our fault."
        response: HttpResponse = JsonResponse(
            _problem(request.path, status, detail), status=status, content_type=MEDIA_TYPE
        )
    else:
        response = defaults.server_error(request, "503.html" if is_away else "500.html")
        response.status_code = status
    if is_away:
        response.headers["Retry-After"] = str(SECONDS_UNTIL_BACK)
    return response


def _leads_somewhere(path: str) -> bool:
    try:
        return resolve(path).func is not not_found
    except Resolver404:
        return False


def _problem(path: str, status: int, detail: str) -> dict[str, Any]:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "instance": path,
    }
