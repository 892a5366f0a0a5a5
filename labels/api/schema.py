"""The OpenAPI description of the whole API."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from labels.api.parameters import FIELDS


@cache
def openapi_document() -> dict[str, Any]:
    """The whole description as OpenAPI 3.1; made once a process."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    components = document["components"]["schemas"]
    for operations in document["paths"].values():
        if any(parameter["name"] == FIELDS.name for parameter in operations["get"].get("parameters", [])):
            # A query may ask for a part of an item.
            components[item_name(operations["get"], components)].pop("required", None)
    return document


def item_name(operation: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    """The component that a single view answers with, or that each item of a list is."""
    answer = component_name(operation["responses"]["200"]["content"]["application/json"]["schema"])
    is_list = answer.startswith("Paginated")
    return component_name(components[answer]["properties"]["results"]["items"]) if is_list else answer


def component_name(reference: Mapping[str, Any]) -> str:
    """The name of the component that a `$ref` leads to."""
    return str(reference["$ref"]).rsplit("/", 1)[-1]
