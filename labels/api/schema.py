"""The OpenAPI description of the whole API."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from labels.api.parameters import FIELDS

METHODS = ("get", "post", "patch")


@cache
def openapi_document() -> dict[str, Any]:
    """The whole description as OpenAPI 3.1; made once a process."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    components = document["components"]["schemas"]
    for _, _, operation in operations(document):
        if any(parameter["name"] == FIELDS.name for parameter in operation.get("parameters", [])):
            # A query may ask for a part of an item.
            components[item_name(operation, components)].pop("required", None)
    return document


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(path, method in small letters, operation) of everything that a document describes."""
    for path, found in document["paths"].items():
        for method in METHODS:
            if method in found:
                yield path, method, found[method]


def item_name(operation: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    """The component that an address answers with, or that each item of a list is."""
    answer = answer_name(operation)
    is_list = answer.startswith("Paginated")
    return component_name(components[answer]["properties"]["results"]["items"]) if is_list else answer


def answer_name(operation: Mapping[str, Any]) -> str:
    """The component that an address answers with when all is well."""
    good = next(status for status in operation["responses"] if status.startswith("2"))
    return component_name(operation["responses"][good]["content"]["application/json"]["schema"])


def component_name(reference: Mapping[str, Any]) -> str:
    """The name of the component that a `$ref` leads to."""
    return str(reference["$ref"]).rsplit("/", 1)[-1]
