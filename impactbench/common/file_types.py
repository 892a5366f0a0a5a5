"""What a file is, judged by its name and its content together."""

import io
import re
import zipfile

from impactbench.common.errors import UnusableInput
from impactbench.common.file_names import extension
from impactbench.common.pictures import BrokenPicture, jpeg_size, png_size

# extension: (name for people, content type)
TYPES = {
    "pdf": ("PDF", "application/pdf"),
    "png": ("PNG", "image/png"),
    "jpg": ("JPEG", "image/jpeg"),
    "jpeg": ("JPEG", "image/jpeg"),
    "txt": ("plain text", "text/plain"),
    "csv": ("CSV", "text/csv"),
}
MOST_MILLION_PIXELS = 50
_ARCHIVES = (
    b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08", b"\x1f\x8b", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd",
)  # fmt: skip
_ARCHIVE_ENDINGS = {"zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar", "zst", "cab", "jar", "docx", "xlsx", "odt"}
_NOT_IN_TEXT = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


class UploadRefused(UnusableInput):
    """A file was not taken; the message says why. Whoever shows it has kept the rest of the form."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason} All else on this page is saved.")


def content_type_of(name: str, content: bytes) -> str:
    """The content type, where the name's ending and the content agree. Raises UploadRefused where they do not."""
    ending = extension(name)
    if ending in _ARCHIVE_ENDINGS or _is_archive(content):
        raise UploadRefused("Archives and office files are not taken. Save it as PDF, or send the files one by one.")
    if ending not in TYPES:
        raise UploadRefused("This kind of file is not taken. Send PDF, PNG, JPEG, plain text (.txt) or CSV.")
    title, content_type = TYPES[ending]
    if not content:
        raise UploadRefused("The file is empty.")
    if not _CONTENT_IS[content_type](content):
        raise UploadRefused(f"The file's name says {title}, but its content is something else. Save it as {title}.")
    return content_type


def _is_archive(content: bytes) -> bool:
    return content.startswith(_ARCHIVES) or content[257:262] == b"ustar"


def _is_pdf(content: bytes) -> bool:
    # A PDF that is an archive as well is a trap for one of its readers.
    return content.startswith(b"%PDF-") and not zipfile.is_zipfile(io.BytesIO(content))


def _is_png(content: bytes) -> bool:
    try:
        return _check_pixels(*png_size(content))
    except BrokenPicture:
        return False


def _is_jpeg(content: bytes) -> bool:
    try:
        return _check_pixels(*jpeg_size(content))
    except BrokenPicture:
        return False


def _check_pixels(width: int, height: int) -> bool:
    """True for a picture that has any pixels. Raises UploadRefused for one that would fill a reader's memory."""
    millions = -(-width * height // 1_000_000)
    if millions > MOST_MILLION_PIXELS:
        raise UploadRefused(f"The picture has {millions} million pixels, {MOST_MILLION_PIXELS} million are allowed.")
    return width * height > 0


def _is_text(content: bytes) -> bool:
    try:
        return not _NOT_IN_TEXT.search(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise UploadRefused("The text is not in UTF-8. Save it in UTF-8 and send it again.") from None


_CONTENT_IS = {
    "application/pdf": _is_pdf,
    "image/png": _is_png,
    "image/jpeg": _is_jpeg,
    "text/plain": _is_text,
    "text/csv": _is_text,
}
