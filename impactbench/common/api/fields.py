"""Fields of items that the REST framework lacks."""

from typing import Any

from rest_framework import serializers


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
