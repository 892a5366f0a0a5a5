"""Reads JSON files out of a .tar.xz one after the other, without ever writing to disk and in bounded memory."""

import json
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from evaluation.importers.formats.problems import FileProblem

MAX_MEMBER_BYTES = 20_000_000
MAX_TOTAL_BYTES = 20_000_000_000
# xz -9 asks for 65 MB to unpack; a file that asks for far more is not one of ours.
MAX_UNPACKER_BYTES = 300_000_000
CHUNK = 1 << 18


class _Unpacked:
    """The unpacked bytes of an .xz file, with limits that the standard reader does not offer."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.packed = archive.open("rb")
        self.unpacker = self._new_unpacker()
        self.total = 0

    @staticmethod
    def _new_unpacker() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(memlimit=MAX_UNPACKER_BYTES)

    def read(self, size: int) -> bytes:
        """At most `size` bytes, b'' at the end."""
        while True:
            if self.unpacker.eof:
                rest = self.unpacker.unused_data or self.packed.read(CHUNK)
                if not rest.strip(b"\x00"):
                    return b""
                self.unpacker = self._new_unpacker()
            else:
                rest = self.packed.read(CHUNK) if self.unpacker.needs_input else b""
                if not rest and self.unpacker.needs_input:
                    raise FileProblem(self.archive, "is cut off; copy it again")
            found = self.unpacker.decompress(rest, max_length=size)
            self.total += len(found)
            if self.total > MAX_TOTAL_BYTES:
                raise FileProblem(self.archive, f"unpacks to more than {MAX_TOTAL_BYTES // 10**9} GB")
            if found:
                return found


def json_members(archive: Path) -> Iterator[tuple[PurePosixPath, dict[str, Any]]]:
    """Every JSON object in the archive with its path inside, in the archive's order.

    Links, devices and other files are passed over. Raises FileProblem for a damaged archive, an unsafe path, a
    member above 20 MB, or one that is not a JSON object.
    """
    unpacked = _Unpacked(archive)
    try:
        with tarfile.open(fileobj=unpacked, mode="r|") as tar:  # type: ignore[call-overload]
            for member in tar:
                tar.members = []  # it would remember every member until the end
                path = _safe_path(archive, member)
                if member.isreg() and path.suffix == ".json" and not path.name.startswith("._"):
                    content = tar.extractfile(member)
                    yield path, _json_object(archive, path, content.read() if content else b"")
    except (lzma.LZMAError, tarfile.TarError, EOFError) as error:
        raise FileProblem(archive, f"is damaged: {error}") from None
    finally:
        unpacked.packed.close()


def _safe_path(archive: Path, member: tarfile.TarInfo) -> PurePosixPath:
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts:
        raise FileProblem(archive, f"holds the unsafe path {member.name[:200]!r}")
    if member.size > MAX_MEMBER_BYTES:
        limit = MAX_MEMBER_BYTES // 1_000_000
        raise FileProblem(archive, f"{member.name[:200]!r} in it is larger than {limit} MB")
    return path


def _json_object(archive: Path, path: PurePosixPath, raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except json.JSONDecodeError as error:
        where = f"{str(path)!r} in it, line {error.lineno}, column {error.colno},"
        raise FileProblem(archive, f"{where} is not valid JSON: {error.msg}") from None
    except (UnicodeDecodeError, RecursionError, ValueError):
        raise FileProblem(archive, f"{str(path)!r} in it is not readable JSON") from None
    if not isinstance(value, dict):
        raise FileProblem(archive, f"{str(path)!r} in it is not a JSON object")
    return value
