"""Parts of a file that somebody asks for by `Range` (RFC 9110, section 14), so that a broken download goes on."""

import io
import re
from dataclasses import dataclass
from pathlib import Path

from django.http import HttpRequest

# One range; several at once are answered with the whole, as the RFC allows.
_RANGE = re.compile(r"bytes=[ \t]*(\d{0,30})-(\d{0,30})[ \t]*", re.ASCII | re.IGNORECASE)


class NotSatisfiable(Exception):
    """The part that was asked for lies outside of the file."""


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes from `start` up to and without `end` of a file of `size` bytes."""

    start: int
    end: int
    size: int

    def __str__(self) -> str:
        """As `Content-Range` has it."""
        return f"bytes {self.start}-{self.end - 1}/{self.size}"


def asked_part(request: HttpRequest, *, size: int, etag: str) -> Part | None:
    """The part of a file of so many bytes that is asked for; None where the whole is to be sent.

    What is no range is passed over, and so is a range of another file than the one with this ETag (`If-Range`).
    Raises NotSatisfiable.
    """
    found = _RANGE.fullmatch(request.headers.get("Range", "")) if request.method == "GET" else None
    # Equality is the strong comparison: a weak ETag or a date is never equal to a strong one.
    if found is None or request.headers.get("If-Range", etag) != etag:
        return None
    first, last = found.groups()
    if not first:
        return _ending(last, size)
    if last and int(last) < int(first):
        return None
    if int(first) >= size:
        raise NotSatisfiable
    return Part(int(first), min(int(last) + 1, size) if last else size, size)


def _ending(length: str, size: int) -> Part | None:
    if not length:
        return None
    if not int(length) or not size:
        raise NotSatisfiable
    return Part(max(0, size - int(length)), size, size)


class PartOfFile(io.RawIOBase):
    """A part of a file, as a file of its own that can only be read; closing it closes the file."""

    def __init__(self, place: Path, part: Part) -> None:
        """Raises OSError where the file cannot be opened."""
        self._file = place.open("rb")
        self._part = part
        self._file.seek(part.start)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell() - self._part.start

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        length = self._part.end - self._part.start
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: length}[whence]
        self._file.seek(self._part.start + min(max(0, base + offset), length))
        return self.tell()

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # of the many kinds of buffers, one
        view = memoryview(buffer)
        return self._file.readinto(view[: max(0, self._part.end - self._file.tell())])

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
