"""How the web server runs: a few threaded workers that share nothing but the database and the cache."""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import uuid
from typing import Any

bind = os.environ.get("BIND") or f"0.0.0.0:{os.environ.get('PORT') or 8000}"
workers = int(os.environ.get("WEB_WORKERS") or 2)
threads = int(os.environ.get("WEB_THREADS") or 4)
worker_class = "impactbench.buffered_worker.BufferedWorker"
timeout = 60
graceful_timeout = 10
max_requests = 20_000
max_requests_jitter = 2_000
# Another program's home folder is no place for a control socket.
control_socket_disable = True
accesslog = None
loglevel = "warning"

# This file is read at every start and reload, which may come with other templates: no page is sent from before it.
os.environ["PAGE_CACHE_EDITION"] = uuid.uuid4().hex


# Its processes count what they answer in files, so that whichever is asked tells of all (impactbench.monitoring).
_counts = tempfile.TemporaryDirectory(prefix="impactbench-counts-")
os.environ["PROMETHEUS_MULTIPROC_DIR"] = _counts.name


def child_exit(_server: Any, worker: Any) -> None:
    """Forget what a process held that is gone; what it counted stays."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415  (reads the folder's name at import)

    mark_process_dead(worker.pid)


def when_ready(server: Any) -> None:
    """Start the standing workers beside the web server; the settings decide whether there are any."""
    command = [sys.executable, "-m", "impactbench.standing_workers"]
    # A session of its own: Ctrl-C reaches this server alone, which then stops it in order.
    server.standing_workers = subprocess.Popen(
        command,
        env={**os.environ, "IMPACTBENCH_PARENT_PID": str(os.getpid())},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def post_worker_init(worker: Any) -> None:
    """Prepare what the first visitors of this process would otherwise wait for."""
    from impactbench.rehearsal import rehearse  # noqa: PLC0415  (the application must be loaded first)
    from submissions.selectors.neighbours import warm  # noqa: PLC0415

    rehearse(worker.wsgi)
    threading.Thread(target=warm, name="warm", daemon=True).start()


def on_exit(server: Any) -> None:
    """Stop them; should this server be killed instead, they notice by themselves."""
    workers = getattr(server, "standing_workers", None)
    if workers is not None:
        workers.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            workers.wait(timeout=10)
