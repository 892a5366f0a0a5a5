"""How the web server runs: a few threaded workers that share nothing but the database and the cache."""

import os

bind = os.environ.get("BIND") or f"0.0.0.0:{os.environ.get('PORT') or 8000}"
workers = int(os.environ.get("WEB_WORKERS") or 2)
threads = int(os.environ.get("WEB_THREADS") or 4)
worker_class = "gthread"
timeout = 60
graceful_timeout = 10
max_requests = 20_000
max_requests_jitter = 2_000
# Another program's home folder is no place for a control socket.
control_socket_disable = True
accesslog = None
loglevel = "warning"
