"""The files of a release as its page lists them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise
from django.utils.translation import ngettext

from labels.snapshots.kept import KeptFile


@dataclass(frozen=True)
class FileRow:
    """A line of the list, in words; `rows` is empty where the file is no table."""

    name: str
    path: str
    explanation: str | Promise
    rows: str
    size: str
    sha256: str


@dataclass(frozen=True)
class FileList:
    """The list, and how many files of which size together."""

    summary: str
    rows: list[FileRow]


def file_list(files: Sequence[KeptFile]) -> FileList:
    """The files in words."""
    size = filesizeformat(sum(file.bytes for file in files))
    summary = ngettext("%(n)s file, %(size)s", "%(n)s files, %(size)s", len(files)) % {"n": len(files), "size": size}
    return FileList(summary, [_row(file) for file in files])


def _row(file: KeptFile) -> FileRow:
    n = file.rows
    rows = "" if n is None else ngettext("%(n)s row", "%(n)s rows", n) % {"n": f"{n:,}"}
    return FileRow(file.name, file.path, file.explanation, rows, filesizeformat(file.bytes), file.sha256)
