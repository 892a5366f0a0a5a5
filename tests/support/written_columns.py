"""Which columns of a table can be written: all but those that PostgreSQL computes."""

from django.db import connection, models


def written_columns(model: type[models.Model]) -> str:
    """Their quoted names, joined by commas."""
    fields = [field for field in model._meta.local_concrete_fields if not field.generated]
    return ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
