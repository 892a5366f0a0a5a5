"""The outer form of PNG and JPEG: how large a picture is, and the same picture without what tells of its maker."""

import struct
from collections.abc import Iterator

_PNG = b"\x89PNG\r\n\x1a\n"
# What shows the picture; everything else in a PNG is text, time, place or unknown.
_PNG_KEPT = {
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"sBIT", b"bKGD",
    b"pHYs", b"acTL", b"fcTL", b"fdAT",
}  # fmt: skip
_SOI, _EOI, _SOS, _COMMENT = 0xD8, 0xD9, 0xDA, 0xFE
_APP0, _APP2, _APP14, _APP15 = 0xE0, 0xE2, 0xEE, 0xEF
_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xD9)}
# Frame headers; C4, C8 and CC in their midst are tables.
_FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class BrokenPicture(ValueError):
    """The bytes do not follow the form of their kind of picture."""


def png_size(content: bytes) -> tuple[int, int]:
    """Width and height in pixels. Raises BrokenPicture."""
    kind, chunk = next(_png_chunks(content), (b"", b""))
    if kind != b"IHDR" or len(chunk) != 25:
        raise BrokenPicture("no PNG header")
    return struct.unpack(">II", chunk[8:16])


def bare_png(content: bytes) -> bytes:
    """The picture without texts, times and whatever follows its end. Raises BrokenPicture."""
    return _PNG + b"".join(chunk for kind, chunk in _png_chunks(content) if kind in _PNG_KEPT)


def jpeg_size(content: bytes) -> tuple[int, int]:
    """Width and height in pixels. Raises BrokenPicture."""
    for marker, segment in _jpeg_segments(content):
        if marker in _FRAMES and len(segment) >= 9:
            height, width = struct.unpack(">HH", segment[5:9])
            return width, height
    raise BrokenPicture("no JPEG frame")


def bare_jpeg(content: bytes) -> bytes:
    """The picture without EXIF, XMP, comments and whatever follows its end. Raises BrokenPicture."""
    return b"".join(segment for marker, segment in _jpeg_segments(content) if _shows_picture(marker, segment))


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks up to the end of the picture: kind, and all of the chunk's bytes."""
    if not content.startswith(_PNG):
        raise BrokenPicture("no PNG")
    position, kind = len(_PNG), b""
    while kind != b"IEND":
        head = content[position : position + 8]
        if len(head) < 8:
            raise BrokenPicture("the PNG ends early")
        (length,), kind = struct.unpack(">I", head[:4]), head[4:]
        end = position + 12 + length
        if end > len(content):
            raise BrokenPicture("the PNG ends early")
        yield kind, content[position:end]
        position = end


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The segments up to the end of the picture: marker, and all of the segment's bytes; a scan has its data along."""
    if not content.startswith(b"\xff\xd8\xff"):
        raise BrokenPicture("no JPEG")
    position, marker = 0, 0
    while marker != _EOI:
        start = position
        while content[position : position + 2] == b"\xff\xff":  # padding
            position += 1
        if content[position : position + 1] != b"\xff" or position + 2 > len(content):
            raise BrokenPicture("the JPEG ends early")
        marker = content[position + 1]
        position += 2
        if marker not in _WITHOUT_LENGTH and marker != _EOI:
            (length,) = struct.unpack(">H", content[position : position + 2].rjust(2, b"\0"))
            position += length
            if length < 2 or position > len(content):
                raise BrokenPicture("the JPEG ends early")
        if marker == _SOS:
            position = _end_of_scan(content, position)
        yield marker, content[start:position]


def _end_of_scan(content: bytes, position: int) -> int:
    """Where the next real marker stands: in a scan's data, FF 00 is a byte and FF D0 to FF D7 are restarts."""
    while True:
        position = content.find(b"\xff", position)
        if position < 0 or position + 1 >= len(content):
            raise BrokenPicture("the JPEG ends early")
        if content[position + 1] == 0 or 0xD0 <= content[position + 1] <= 0xD7:
            position += 2
        else:
            return position


def _shows_picture(marker: int, segment: bytes) -> bool:
    if marker == _APP2:
        return b"ICC_PROFILE\0" in segment[:20]
    if _APP0 <= marker <= _APP15:
        return marker in (_APP0, _APP14)
    return marker != _COMMENT
