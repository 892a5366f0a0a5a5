"""Refuses texts that the database would refuse, in one line and before it has to."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from django.db.models import CharField, Model, TextField

from evaluation.importers.formats.problems import FileProblem

Row = TypeVar("Row", bound=Model)

# NUL characters and halves of characters (lone surrogates).
UNUSABLE = re.compile("[\x00\ud800-\udfff]")


def refuse_unstorable(rows: Iterable[Row], file: Path) -> list[Row]:
    """The rows as a list; raises FileProblem for the first with a text that is too long or holds no characters."""
    checked = list(rows)
    for row in checked:
        for field in row._meta.concrete_fields:
            text = getattr(row, field.attname)
            if isinstance(field, CharField | TextField) and isinstance(text, str):
                what = f"the {field.verbose_name} of a {row._meta.verbose_name}"
                if field.max_length and len(text) > field.max_length:
                    raise FileProblem(file, f"{what} is longer than {field.max_length} characters: {text[:60]!r}...")
                if UNUSABLE.search(text):
                    raise FileProblem(file, f"{what} contains a NUL character or half a character: {text[:60]!r}")
    return checked
