"""Items that stand in the database as rows, and go out as they are."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers


class RowSerializer(serializers.Serializer):
    """Takes what a query gave as dictionaries: a page may hold a thousand, and asking each field takes most of its
    time."""

    def item(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The members of the item, from the row."""
        return row

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        # The fields are copies, made when somebody first asks for them, as whoever leaves some out does.
        names = self.fields if "fields" in self.__dict__ else self._declared_fields
        item = self.item(instance)
        return {str(name): item[str(name)] for name in names}
