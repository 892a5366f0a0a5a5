"""A WSGI application of a few addresses, for tests of what serves applications."""

import os
import time
from collections.abc import Iterable
from io import BytesIO
from typing import Any

LARGE = 8 * 1024 * 1024
# As an application does that changes its tables first.
time.sleep(float(os.environ.get("SECONDS_TO_LOAD", "0")))


def app(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """`/slow` takes a second, `/large` is many megabytes, `/seen` tells what came; the rest names the process.

    `/stream` does not say how long it is, `/file` is handed over as a file.
    """
    path = environ["PATH_INFO"]
    if path in ("/stream", "/file"):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return environ["wsgi.file_wrapper"](BytesIO(b"file")) if path == "/file" else iter((b"str", b"eam"))
    if path == "/slow":
        time.sleep(1)
    told = {
        "/seen": f"{environ['REMOTE_ADDR']} {environ.get('HTTP_X_FORWARDED_FOR')} {environ['wsgi.input'].read()!r}",
        "/large": "x" * LARGE,
    }
    body = told.get(path, str(os.getpid())).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
