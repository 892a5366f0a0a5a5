"""The API's reference for people, made from its OpenAPI description."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from labels.api.schema import answer_name, component_name, item_name, operations

# Words of JSON Schema and ours.
WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
FORMATS = {"date-time": "date and time", "date": "date", "uri": "web address"}
# What a body is that holds no object.
FILES = "files"
# These stand in every list and are explained once.
SAID_ONCE = ("cursor", "fields", "page_size", "release")


@dataclass(frozen=True)
class Member:
    """A parameter of an address, or a member of an object: `shape` names another object that it holds."""

    name: str
    type: str
    description: str
    shape: str = ""


@dataclass(frozen=True)
class Address:
    """One address and method: what it answers with, what it takes, and what a token must allow for it.

    `body` is the name of an object, or `files`, and `example` one in JSON; `has_release`: it takes `release` too.
    Public ones have no `scope`.
    """

    method: str
    path: str
    description: str
    parameters: list[Member]
    shape: str
    is_list: bool
    has_release: bool
    scope: str
    body: str
    example: str

    @property
    def takes_files(self) -> bool:
        return self.body == FILES


@dataclass(frozen=True)
class Shape:
    """An object that addresses answer with."""

    name: str
    description: str
    members: list[Member]


def addresses(document: Mapping[str, Any]) -> list[Address]:
    """Every address of an OpenAPI document, in its order, once for each method."""
    components = document["components"]["schemas"]
    return [_address(path, method, operation, components) for path, method, operation in operations(document)]


def shapes(document: Mapping[str, Any]) -> list[Shape]:
    """Every object of an OpenAPI document by name, without pages and closed lists of words."""
    components = document["components"]["schemas"]
    return [
        Shape(name, _prose(schema.get("description", "")), _members(schema["properties"], components))
        for name, schema in components.items()
        if "properties" in schema and not name.startswith("Paginated")
    ]


def _address(path: str, method: str, operation: Mapping[str, Any], components: Mapping[str, Any]) -> Address:
    parameters = [parameter for parameter in operation.get("parameters", []) if parameter["in"] != "path"]
    return Address(
        method=method.upper(),
        path=path,
        description=_prose(operation.get("description", "")),
        parameters=[
            Member(parameter["name"], _type(parameter["schema"], components), _prose(parameter["description"]))
            for parameter in parameters
            if parameter["name"] not in SAID_ONCE
        ],
        shape=item_name(operation, components),
        is_list=answer_name(operation).startswith("Paginated"),
        has_release=any(parameter["name"] == "release" for parameter in parameters),
        scope=next((scope for scheme in operation.get("security", []) for scope in scheme.get("token", [])), ""),
        body=_body(operation),
        example=_example(operation),
    )


def _body(operation: Mapping[str, Any]) -> str:
    """The name of the object that a request holds, or `files`; empty where it holds nothing."""
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        return component_name(content["application/json"]["schema"])
    return FILES if content else ""


def _example(operation: Mapping[str, Any]) -> str:
    """The first body that the description shows; empty without one."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    shown = next(iter(content.get("examples", {}).values()), None)
    return json.dumps(shown["value"], indent=2, ensure_ascii=False) if shown else ""


def _members(properties: Mapping[str, Any], components: Mapping[str, Any]) -> list[Member]:
    return [
        Member(name, _type(schema, components), _prose(schema.get("description", "")), _shape(schema, components))
        for name, schema in properties.items()
    ]


def _type(schema: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    """What a value is, in words."""
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return _or(_type(part, components) for part in schema[several])
    if "$ref" in schema:
        name = component_name(schema)
        return name if "properties" in components[name] else _type(components[name], components)
    if "enum" in schema:
        return _or("null" if value is None else f"“{value}”" for value in schema["enum"])
    kinds = schema.get("type", "object")
    return _or(_kind(kind, schema, components) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _kind(kind: str, schema: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    if kind == "array":
        return f"list of {_type(schema['items'], components)}"
    return WORDS[kind] if kind == "null" else FORMATS.get(schema.get("format", ""), WORDS[kind])


def _prose(text: str) -> str:
    """Descriptions mark code with backticks, which mean nothing on a page."""
    return re.sub(r"`([^`]*)`", r"“\1”", text)


def _or(words: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(words))


def _shape(schema: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    """The name of the object that a value, or each value of a list, is; empty for plain values."""
    inner = schema.get("items", schema)
    name = component_name(inner) if "$ref" in inner else ""
    return name if name and "properties" in components[name] else ""
