"""Where sent files lie: under names of our own, outside everything that is served, given out one by one."""

import contextlib
import os
import re
import uuid
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404

from impactbench.common.file_names import safe_name
from impactbench.common.uploads import CheckedUpload

_STORED = re.compile(r"[0-9a-f]{2}/[0-9a-f]{32}")


def store(upload: CheckedUpload) -> str:
    """Keep the file and return its generated name, for `private_file_response` and `discard`.

    Files know no transactions: should yours fail, `discard` what you stored.
    """
    name = uuid.uuid4().hex
    stored = f"{name[:2]}/{name}"
    path = _path(stored)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(upload.content)
    return stored


def discard(stored: str) -> None:
    """Delete a file; no matter if it is gone."""
    with contextlib.suppress(FileNotFoundError):
        _path(stored).unlink()


def private_file_response(stored: str, download_name: str) -> FileResponse:
    """The file as a download that no browser opens as a page; the caller has checked who asks. Raises Http404."""
    try:
        file = _path(stored).open("rb")
    except OSError:
        raise Http404 from None
    response = FileResponse(
        file, as_attachment=True, filename=safe_name(download_name), content_type="application/octet-stream"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _path(stored: str) -> Path:
    if not _STORED.fullmatch(stored):
        raise Http404
    return Path(settings.PRIVATE_FILES) / stored
