"""What the columns of a table are, told by the API's own serializers, so that files and API cannot differ."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, get_args, get_type_hints

from drf_spectacular.drainage import get_override
from rest_framework import serializers


class Kind(StrEnum):
    """The type of a column's values; `JSON` is text that holds any JSON value, `RECORD` has columns of its own."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    TRUTH = "truth"
    JSON = "json"
    RECORD = "record"


@dataclass(frozen=True)
class Column:
    """A column; with `many` each value is a list. `parts` are the columns of a record. All may be missing."""

    name: str
    kind: Kind
    explanation: str = ""
    many: bool = False
    parts: tuple["Column", ...] = ()


_OF_FIELDS: tuple[tuple[type[serializers.Field], Kind], ...] = (
    (serializers.BooleanField, Kind.TRUTH),
    (serializers.IntegerField, Kind.INTEGER),
    (serializers.FloatField, Kind.NUMBER),
    (serializers.CharField, Kind.TEXT),
    (serializers.ChoiceField, Kind.TEXT),
    (serializers.DateField, Kind.TEXT),
    (serializers.DateTimeField, Kind.TEXT),
)
_OF_TYPES = {str: Kind.TEXT, int: Kind.INTEGER, float: Kind.NUMBER, bool: Kind.TRUTH}


def columns_of(serializer: Any) -> tuple[Column, ...]:
    """The columns of the items that a serializer of the REST framework makes, in their order."""
    return tuple(_column(name, field, serializer) for name, field in serializer.fields.items())


def _column(name: str, field: serializers.Field, serializer: serializers.Serializer) -> Column:
    explanation = str(field.help_text or "")
    if isinstance(field, serializers.SerializerMethodField):
        method = getattr(serializer, field.method_name or f"get_{name}")
        stated = get_override(method, "field")
        if stated is not None:
            return _column(name, stated, serializer)
        kind, many = _of_type(get_type_hints(method)["return"])
        return Column(name, kind, explanation, many)
    if isinstance(field, serializers.ListSerializer):
        return Column(name, Kind.RECORD, explanation, True, columns_of(field.child))
    if isinstance(field, serializers.ListField):
        return Column(name, _of_field(field.child), explanation, True)
    return Column(name, _of_field(field), explanation)


def _of_field(field: Any) -> Kind:
    return next((kind for type_, kind in _OF_FIELDS if isinstance(field, type_)), Kind.JSON)


def _of_type(hint: Any) -> tuple[Kind, bool]:
    """The kind of `str`, `float | None`, `list[str]` and the like."""
    if hint in _OF_TYPES:
        return _OF_TYPES[hint], False
    inner = [part for part in get_args(hint) if part is not type(None)]
    if len(inner) == 1:
        kind, many = _of_type(inner[0])
        return kind, many or getattr(hint, "__origin__", None) is list
    return Kind.JSON, False
