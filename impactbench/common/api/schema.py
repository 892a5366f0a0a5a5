"""How the OpenAPI description of an address is made: its own parameters, and the errors it can answer with."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from impactbench.common.api.problems import MEDIA_TYPE, ProblemSerializer

ERRORS = {
    "400": "A parameter is unknown, given twice, or has a value that it cannot have.",
    "404": "There is no such thing.",
    "406": "Only JSON is spoken here.",
    "429": "Too many requests from one address within a minute; Retry-After says when to go on.",
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
            for parameter in self.view.known_parameters()  # type: ignore[attr-defined]  # an ApiView
        ]

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/")[0]]

    def get_operation_id(self) -> str:
        noun = self.get_tags()[0].replace("-", "_")
        return f"{noun}_list" if self._is_list_view() else f"{noun}_retrieve"

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        for code, description in ERRORS.items():
            body = self._get_response_for_code(ProblemSerializer, code, [MEDIA_TYPE], direction)
            bodies[code] = {**body, "description": description}
        return bodies
