"""Small pictures made by hand, with and without what tells of their maker."""

import struct
import zlib


def png(*, width: int = 2, height: int = 1, extra: bytes = b"", after: bytes = b"") -> bytes:
    """A PNG with chunks `extra` before its pixels and bytes `after` its end."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\0\x10\x20"))
    return b"\x89PNG\r\n\x1a\n" + header + extra + pixels + chunk(b"IEND", b"") + after


def chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def jpeg(*, width: int = 8, height: int = 8, extra: bytes = b"", after: bytes = b"") -> bytes:
    """The outer form of a JPEG with segments `extra` before its frame and bytes `after` its end."""
    frame = segment(0xC0, struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00")
    scan = segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x12\xff\x00\x34\xff\xd0\x56"
    return b"\xff\xd8" + segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0") + extra + frame + scan + b"\xff\xd9" + after


def segment(marker: int, data: bytes) -> bytes:
    """One segment of a JPEG."""
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data
