"""How the OpenAPI description of an address is made: its own parameters, and the errors it can answer with."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from impactbench.common.api.fields import StrictSerializer
from impactbench.common.api.parameters import Parameter
from impactbench.common.api.problems import MEDIA_TYPE, ProblemSerializer

ERRORS = {
    "400": "A parameter is unknown, given twice, or has a value that it cannot have.",
    "401": "There is no token, or one that is no good any more.",
    "403": "The token, or the account behind it, does not allow this.",
    "404": "There is no such thing, or not for you.",
    "406": "Only JSON is spoken here.",
    "409": "What it is about has changed meanwhile, or the first request with its Idempotency-Key is still under way.",
    "413": "The body is too large.",
    "415": "The body is of another kind than is taken here.",
    "422": "Something in the body has to be put right; `errors` says what.",
    "429": "Too many requests within a minute; Retry-After says when to go on.",
}


class ApiSchema(AutoSchema):
    """Describes what `impactbench.common.api.base.ApiView` does beyond the REST framework."""

    def get_override_parameters(self) -> list[Any]:
        return [
            OpenApiParameter(
                parameter.name,
                type=parameter.schema,
                enum=parameter.choices or None,
                description=parameter.description,
            )
            for parameter in self._known_parameters()
        ]

    def _known_parameters(self) -> tuple[Parameter, ...]:
        """Only reading has any."""
        return self.view.known_parameters() if self.method == "GET" else ()  # type: ignore[attr-defined]  # an ApiView

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/")[0]]

    def get_operation_id(self) -> str:
        noun = self.get_tags()[0].replace("-", "_")
        if self._is_list_view():
            return f"{noun}_list"
        act = self.path.rstrip("/").split("/")[-1]
        if self.method == "GET":
            return f"{noun}_retrieve"
        is_about_all = act == noun or act.startswith("{")
        return f"{noun}_{self.method_mapping[self.method.lower()] if is_about_all else act}"

    def get_auth(self) -> list[dict[str, list[str]]]:
        """The scope stands with the scheme, as OpenAPI 3.1 has it for roles."""
        schemes: list[dict[str, list[str]]] = super().get_auth()
        scope_for = getattr(self.view, "scope_for", None)
        return [{name: [scope_for(self.method)] for name in scheme} for scheme in schemes] if scope_for else []

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        for code in self.view.known_errors(self.method):  # type: ignore[attr-defined]  # an ApiView
            if code not in bodies:
                body = self._get_response_for_code(ProblemSerializer, code, [MEDIA_TYPE], direction)
                bodies[code] = {**body, "description": ERRORS[code]}
        return bodies


class StrictShape(OpenApiSerializerExtension):
    """Tells programs that a body takes no member besides those named."""

    target_class = StrictSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False}
