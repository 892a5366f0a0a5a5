"""Refuses texts that are too long for their column, in one line and before the database has to."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from django.db.models import CharField, Model

from evaluation.importers.formats.problems import FileProblem

Row = TypeVar("Row", bound=Model)


def refuse_too_long(rows: Iterable[Row], file: Path) -> list[Row]:
    """The rows as a list; raises FileProblem for the first whose text exceeds its column."""
    checked = list(rows)
    for row in checked:
        for field in row._meta.concrete_fields:
            if isinstance(field, CharField) and field.max_length:
                text = getattr(row, field.attname) or ""
                if len(text) > field.max_length:
                    raise FileProblem(
                        file,
                        f"the {field.verbose_name} of a {row._meta.verbose_name} is longer than {field.max_length} "
                        f"characters: {text[:60]!r}...",
                    )
    return checked
