"""Fields of items and bodies that the REST framework lacks."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from rest_framework import serializers

# So many unknown members are named; nobody reads more.
MOST_NAMED = 20


class TextOrNull(serializers.CharField):
    """Text that is null where it is empty in the database, because nobody published it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]
        return super().to_representation(value) or None


class SlugOrNull(serializers.CharField):
    """The slug of a related row; null without one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> str:
        return str(value.slug)


class StrictSerializer(serializers.Serializer):
    """A body, or a part of it, that takes no member it does not know: a slip of the pen is told and not passed over."""

    def to_internal_value(self, data: Any) -> Any:
        """The checked values. Raises ValidationError naming every member that is not known."""
        if isinstance(data, Mapping):
            known = ", ".join(self.fields)
            unknown = list(islice((str(name) for name in data if name not in self.fields), MOST_NAMED))
            if unknown:
                raise serializers.ValidationError(
                    dict.fromkeys(unknown, f"This is not known here; known are: {known}.")
                )
        return super().to_internal_value(data)


class StrictList(serializers.ListField):
    """A list that is counted before anything in it is looked at: a million wrong items cost no more than one."""

    def to_internal_value(self, data: Any) -> list[Any]:
        """The items. Raises ValidationError, without a word on the items where there are too many."""
        if isinstance(data, list) and self.max_length is not None and len(data) > self.max_length:
            raise serializers.ValidationError(self.error_messages["max_length"])
        return list(super().to_internal_value(data))


class StrictText(serializers.CharField):
    """Text as it was sent, spaces and all; a number or a truth value is no text."""

    default_error_messages = {"invalid": "This must be text.", "max_length": "This text is too long; shorten it."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, "allow_blank": True, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        """The text. Raises ValidationError for anything else."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class StrictBoolean(serializers.BooleanField):
    """True or false, and no word for it."""

    default_error_messages = {"invalid": "This must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        """The value. Raises ValidationError for anything else."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class StrictInteger(serializers.IntegerField):
    """A whole number as JSON writes one."""

    default_error_messages = {"invalid": "This must be a whole number."}

    def to_internal_value(self, data: Any) -> int:
        """The number. Raises ValidationError for anything else."""
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return int(super().to_internal_value(data))
