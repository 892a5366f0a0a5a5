"""Files that people send: what is taken, and in which form it is kept."""

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.module_loading import import_string

from impactbench.common.file_names import safe_name
from impactbench.common.file_types import UploadRefused, content_type_of
from impactbench.common.pictures import BrokenPicture, bare_jpeg, bare_png

__all__ = ["MOST_FILES", "MOST_MB", "CheckedUpload", "UploadRefused", "check_upload", "check_uploads"]

MOST_MB = 20
MOST_FILES = 5
_MB = 1024 * 1024
_AUTHOR_IN_PDF = re.compile(
    rb"/Author\s*(?:\(\s*[^)\s]|<\s*[0-9A-Fa-f]|\d+\s+\d+\s+R)|<dc:creator>|<pdf:Author>", re.IGNORECASE
)
AUTHOR_WARNING = "This PDF seems to name its author in its properties. Reviewers can read them: remove the name there."

_BARE: dict[str, Callable[[bytes], bytes]] = {"image/png": bare_png, "image/jpeg": bare_jpeg}


@dataclass(frozen=True)
class CheckedUpload:
    """A file that may be kept: `content` is without a picture's hidden texts, `size` and `sha256` are of it."""

    name: str
    content_type: str
    size: int
    sha256: str
    content: bytes = field(repr=False)
    warnings: tuple[str, ...] = ()


def check_uploads(uploads: Iterable[UploadedFile], *, n_before: int = 0) -> list[CheckedUpload]:
    """All of a form's files, where `n_before` were sent earlier. Raises UploadRefused for too many, or a bad one."""
    uploads = list(uploads)
    if n_before + len(uploads) > MOST_FILES:
        raise UploadRefused(f"These are {n_before + len(uploads)} files, {MOST_FILES} are allowed.")
    return [check_upload(uploaded) for uploaded in uploads]


def check_upload(uploaded: UploadedFile) -> CheckedUpload:
    """The file with a safe name and its true type. Raises UploadRefused with one clear message for people."""
    name = safe_name(uploaded.name or "")
    content = _read(uploaded)
    content_type = content_type_of(name, content)
    content = _without_metadata(content, content_type)
    _scan(content)
    warns = content_type == "application/pdf" and _AUTHOR_IN_PDF.search(content)
    return CheckedUpload(
        name=name,
        content_type=content_type,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        content=content,
        warnings=(AUTHOR_WARNING,) if warns else (),
    )


def _read(uploaded: UploadedFile) -> bytes:
    size = uploaded.size or 0
    if size > MOST_MB * _MB:
        raise UploadRefused(f"The file is {-(-size // _MB)} MB, {MOST_MB} MB are allowed.")
    uploaded.seek(0)
    content: bytes = uploaded.read(MOST_MB * _MB + 1)
    if len(content) > MOST_MB * _MB:
        raise UploadRefused(f"The file is larger than {MOST_MB} MB, {MOST_MB} MB are allowed.")
    return content


def _without_metadata(content: bytes, content_type: str) -> bytes:
    try:
        return _BARE.get(content_type, bytes)(content)
    except BrokenPicture:
        raise UploadRefused("The picture is damaged. Save it again and send it once more.") from None


def _scan(content: bytes) -> None:
    """Ask the scanner of the setting UPLOAD_SCANNER: function(content) -> bool, True for a harmless file."""
    if not settings.UPLOAD_SCANNER:
        return
    scanner: Any = import_string(settings.UPLOAD_SCANNER)
    try:
        is_harmless = scanner(content)
    except Exception as problem:  # a scanner that is away must not let files through
        raise UploadRefused("The file cannot be checked just now. Try again in some minutes.") from problem
    if not is_harmless:
        raise UploadRefused("The scanner found harmful content in the file.")
