"""Errors of the API as RFC 9457 problem details, `application/problem+json`."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.urls import Resolver404, resolve
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError
from rest_framework.response import Response
from rest_framework.views import exception_handler

MEDIA_TYPE = "application/problem+json"
SHOWN_CHARACTERS = 100


class BadQuery(APIException):
    """A query that cannot be answered: `errors` gives one sentence for each parameter that is at fault."""

    status_code = HTTPStatus.BAD_REQUEST

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = [{"parameter": name, "detail": detail} for name, detail in errors.items()]


class ParameterErrorSerializer(serializers.Serializer):
    """What is wrong with one parameter of the query."""

    parameter = serializers.CharField()
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(help_text="Always `about:blank`: the status says what kind of problem it is.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="One or more sentences that say what to do.")
    instance = serializers.CharField(help_text="The path that was asked for.")
    errors = ParameterErrorSerializer(  # type: ignore[assignment]  # the stubs take it for Serializer.errors
        many=True, required=False, help_text="Only where parameters are at fault."
    )


def quoted(text: str) -> str:
    """Hostile text for use in a sentence: shortened and in quotation marks."""
    return repr(text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "...")


def problem_response(exception: Exception, context: dict[str, Any]) -> Response | None:
    """The REST framework's exception handler; None (a fault of ours) lets the server's own 500 answer."""
    if isinstance(exception, SuspiciousOperation):
        exception = ParseError("The request cannot be read.")
    response = exception_handler(exception, context)
    if response is None:
        return None
    detail = str(getattr(exception, "detail", "")) or "There is nothing at this address."
    response.data = _problem(context["request"].path, response.status_code, detail)
    if isinstance(exception, BadQuery):
        response.data["errors"] = exception.errors
    response.content_type = MEDIA_TYPE
    return response


def not_found(request: HttpRequest) -> HttpResponse:
    """The answer to every address under `/api/` that no other view has: 404, or the way to the closing slash."""
    if not request.path.endswith("/") and _leads_somewhere(request.path + "/"):
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
    detail = "There is nothing at this address. /api/v1/docs/ lists what there is."
    problem = _problem(request.path, HTTPStatus.NOT_FOUND, detail)
    response = JsonResponse(problem, status=HTTPStatus.NOT_FOUND, content_type=MEDIA_TYPE)
    response.headers["Access-Control-Allow-Origin"] = "*"
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
