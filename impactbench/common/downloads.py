"""An answer that a browser saves as a file, written while it is sent."""

from collections.abc import Iterable

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header


def streamed_download(
    chunks: Iterable[str] | Iterable[bytes], *, filename: str, content_type: str
) -> StreamingHttpResponse:
    """The chunks as a file of that name; `chunks` may be a generator."""
    response = StreamingHttpResponse(chunks, content_type=content_type)
    response.headers["Content-Disposition"] = content_disposition_header(True, filename) or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
