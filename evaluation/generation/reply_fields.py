"""Reads fields of a model's answer, each with a sentence that a model can act on where it cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluation.engine.parsing import ReplyError

Schema = dict[str, Any]


def text_field(fields: Mapping[str, Any], name: str, most: int, *, where: str = "") -> str:
    """A text that says something, with single blanks. Raises ReplyError."""
    return plain_text(fields.get(name), f'{where}"{name}"', most)


def plain_text(value: object, what: str, most: int) -> str:
    """`value` as a text of 1 to `most` characters with single blanks. Raises ReplyError naming `what`."""
    if not isinstance(value, str):
        raise ReplyError(f"{what} must be a text")
    text = " ".join(value.split())
    if not any(letter.isalpha() for letter in text):
        raise ReplyError(f"{what} says nothing")
    if len(text) > most:
        raise ReplyError(f"{what} is longer than {most} characters")
    return text


def list_field(fields: Mapping[str, Any], name: str, least: int, most: int, *, where: str = "") -> list[Any]:
    """A list of `least` to `most` items. Raises ReplyError."""
    value = fields.get(name)
    if not isinstance(value, list):
        raise ReplyError(f'{where}"{name}" must be a list')
    if not least <= len(value) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise ReplyError(f'{where}"{name}" must have {wanted} items, it has {len(value)}')
    return value


def texts_field(
    fields: Mapping[str, Any], name: str, least: int, most: int, longest: int, *, where: str = ""
) -> tuple[str, ...]:
    """A list of texts. Raises ReplyError."""
    items = list_field(fields, name, least, most, where=where)
    return tuple(
        plain_text(item, f'{where}item {number} of "{name}"', longest) for number, item in enumerate(items, start=1)
    )


def object_item(item: object, what: str) -> dict[str, Any]:
    """`item` as a JSON object. Raises ReplyError naming `what`."""
    if not isinstance(item, dict):
        raise ReplyError(f"{what} must be a JSON object")
    return item


def text_schema(most: int) -> Schema:
    """The schema of a text; bounded, so that a small model under a grammar comes to an end."""
    return {"type": "string", "minLength": 1, "maxLength": most}


def list_schema(items: Schema, least: int, most: int) -> Schema:
    """The schema of a list."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def object_schema(properties: Schema, title: str = "") -> Schema:
    """The schema of an object whose keys are all required."""
    named = {"title": title} if title else {}
    return {
        **named,
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
